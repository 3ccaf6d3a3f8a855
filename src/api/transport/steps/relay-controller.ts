import type { Dispatcher } from "undici";

/**
 * The one controller that a caller sees while the request below it is sent several times: it passes everything on
 * to the attempt under way.
 */
export class RelayController implements Dispatcher.DispatchController {
  #target: Dispatcher.DispatchController | undefined;
  #reason: Error | null = null;
  #isPaused = false;

  /** Binds it to the attempt that starts now. */
  bind(target: Dispatcher.DispatchController): void {
    this.#target = target;
    if (this.#reason) target.abort(this.#reason);
    else if (this.#isPaused) target.pause();
  }

  get aborted(): boolean {
    return this.#reason !== null || (this.#target?.aborted ?? false);
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  get reason(): Error | null {
    return this.#reason ?? this.#target?.reason ?? null;
  }

  abort(reason: Error): void {
    this.#reason = reason;
    this.#target?.abort(reason);
  }

  pause(): void {
    this.#isPaused = true;
    this.#target?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#target?.resume();
  }
}
