/** The user, or the system, asked the program to stop. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(signal === "SIGINT" ? "Interrupted." : "Terminated.");
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}

/** How long work may take to stop before the program ends anyway; nothing half-written is ever in its final place. */
const graceMs = 1_500;

/** How the program hears that it should stop. */
export interface Interruptions {
  /** Aborted on Ctrl-C or SIGTERM. What takes too long to stop, or a second Ctrl-C, ends the program at once. */
  signal: AbortSignal;
  /**
   * For what must not be ended in its middle: until it is released, nothing ends the program, and only the signal
   * that this answers is aborted.
   */
  hold(): { signal: AbortSignal; release(): void };
  /** Takes the handlers away again. */
  stop(): void;
}

export function listenForInterruption(): Interruptions {
  const controller = new AbortController();
  let held: AbortController | undefined;
  const handle = (name: NodeJS.Signals) => {
    const interruption = new Interruption(name === "SIGINT" ? name : "SIGTERM");
    if (held) return held.abort(interruption);
    if (controller.signal.aborted) process.exit(interruption.exitCode);
    controller.abort(interruption);
    setTimeout(() => process.exit(interruption.exitCode), graceMs).unref();
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  return {
    signal: controller.signal,
    hold: () => {
      held = new AbortController();
      // The terminal was closed: that ends programs that don't listen.
      process.on("SIGHUP", handle);
      return {
        signal: held.signal,
        release: () => {
          held = undefined;
          process.off("SIGHUP", handle);
        },
      };
    },
    stop: () => {
      process.off("SIGINT", handle);
      process.off("SIGTERM", handle);
    },
  };
}
