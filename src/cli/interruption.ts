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
  /**
   * Aborted on Ctrl-C or SIGTERM, or when the terminal is closed. What takes too long to stop, or a second Ctrl-C, ends
   * the program at once.
   */
  signal: AbortSignal;
  /**
   * For what must not be ended in its middle: until it is released, nothing ends the program, and only the signal
   * that this answers is aborted.
   */
  hold(): { signal: AbortSignal; release(): void };
  /** Takes the handlers away again. */
  stop(): void;
}

/** @param hasTerminal whether the program was started on a terminal, and one of its streams leads there */
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
  // Node takes back what `nohup` asked for. Without a terminal, another's was closed: that is nothing to end for.
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
