/** The user or the system requested a stop. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(signal === "SIGINT" ? "Interrupted." : "Terminated.");
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}

/** Time for work to stop before the program exits anyway. Files get their final name only when complete. */
const graceMs = 1_500;

/** Signals that stop the program. */
export interface Interruptions {
  /** Aborted on Ctrl-C, SIGTERM or a closed terminal. A second Ctrl-C, or slow stopping, ends the program. */
  signal: AbortSignal;
  /** Until it is released, nothing ends the program, and only the returned signal is aborted. */
  hold(): { signal: AbortSignal; release(): void };
  stop(): void;
}

/** @param hasTerminal true if the program was started on a terminal and one of its streams leads there */
export function listenForInterruption(hasTerminal: boolean): Interruptions {
  const controller = new AbortController();
  let held: AbortController | undefined;
  const handle = (name: NodeJS.Signals) => {
    const interruption = new Interruption(name === "SIGINT" ? name : "SIGTERM");
    if (held) return held.abort(interruption);
    if (controller.signal.aborted) process.exit(interruption.exitCode);
    controller.abort(interruption);
    setTimeout(() => process.exit(interruption.exitCode), graceMs).unref();
  };
  // Node overrides the handling of `nohup`. Without a terminal of our own, a hang-up is not a reason to stop.
  const hangUp = (name: NodeJS.Signals) => {
    if (hasTerminal || held) handle(name);
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  process.on("SIGHUP", hangUp);
  return {
    signal: controller.signal,
    hold: () => {
      held = new AbortController();
      return {
        signal: held.signal,
        release: () => {
          held = undefined;
        },
      };
    },
    stop: () => {
      process.off("SIGINT", handle);
      process.off("SIGTERM", handle);
      process.off("SIGHUP", hangUp);
    },
  };
}
