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

/**
 * Aborts the signal on Ctrl-C or SIGTERM. What takes too long to stop, or a second Ctrl-C, ends the program at once.
 * @returns the signal, and what takes the handlers away again
 */
export function listenForInterruption(): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const handle = (name: NodeJS.Signals) => {
    const interruption = new Interruption(name as "SIGINT" | "SIGTERM");
    if (controller.signal.aborted) process.exit(interruption.exitCode);
    controller.abort(interruption);
    setTimeout(() => process.exit(interruption.exitCode), graceMs).unref();
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  return {
    signal: controller.signal,
    stop: () => {
      process.off("SIGINT", handle);
      process.off("SIGTERM", handle);
    },
  };
}
