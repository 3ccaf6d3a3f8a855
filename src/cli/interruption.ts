/** The user or the system requested a stop. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(signal === "SIGINT" ? "Interrupted." : "Terminated.");
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}

/**
 * Time that work has to stop before the program exits anyway. Files that are incomplete by then keep their
 * temporary names.
 */
const graceMs = 1_500;

/** Signals that stop the program. */
export interface Interruptions {
  /**
   * Aborted on Ctrl-C, SIGTERM or a closed terminal. The program exits on a second Ctrl-C, or after a delay.
   */
  signal: AbortSignal;
  /**
   * Until `release` is called, interruptions do not end the program. They only abort the returned
   * signal.
   */
  hold(): { signal: AbortSignal; release(): void };
  stop(): void;
}

/** @param hasTerminal true if one of the program's streams is a terminal */
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
  // Node overrides `nohup`, which makes a process ignore SIGHUP. Without a terminal, the program ignores it
  // itself.
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
