import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const guard = fileURLToPath(new URL("guard.child.mjs", import.meta.url));

/** A server in a separate process, which ends with its parent at the latest. */
export class ServerProcess {
  readonly #name: string;
  readonly #logFile: string;
  readonly #guard: ChildProcess;
  readonly #ended: Promise<unknown>;
  #isWanted = true;

  /** @param logFile receives all output */
  constructor(name: string, command: readonly string[], options: { cwd: string; logFile: string }) {
    this.#name = name;
    this.#logFile = options.logFile;
    const log = openSync(options.logFile, "a");
    this.#guard = spawn(process.execPath, [guard, ...command], {
      cwd: options.cwd,
      stdio: ["pipe", log, log],
    });
    closeSync(log);
    this.#ended = once(this.#guard, "exit").then(() => {
      if (this.#isWanted) process.stderr.write(`${name} ended by itself:\n${this.log.slice(-4_000)}\n`);
    });
  }

  get log(): string {
    return readFileSync(this.#logFile, "utf8");
  }

  /**
   * Waits until the server is ready, that is, until `look` returns a value.
   * @throws when the server ends first, or takes more than four minutes, with the end of its log
   */
  async ready<Found>(look: (log: string) => Found | undefined | Promise<Found | undefined>): Promise<Found> {
    const startedMs = performance.now();
    while (performance.now() - startedMs < 240_000 && this.#guard.exitCode === null) {
      const found = await look(this.log);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const isOver = this.#guard.exitCode !== null;
    await this.kill();
    throw new Error(
      `${this.#name} ${isOver ? "ended" : "was not ready in time"}:\n${this.log.slice(-4_000)}`,
    );
  }

  /** Kills it, like a power cut. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    this.#guard.stdin?.destroy();
    await this.#ended;
  }
}
