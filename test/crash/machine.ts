import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Setup } from "../support/service.ts";
import { type Call, recordCalls, withoutChance } from "./failing-calls.ts";

/** A command as it is when nothing goes wrong. */
export interface Recorded {
  /** All that it changes on disk. */
  calls: readonly Call[];
  /** What the working folder holds afterwards, by `compareFiles`. */
  files: readonly string[];
}

/** A machine as it is before a command. Each try has a copy of its own. */
export class Machine {
  readonly #base: Setup;
  readonly #prepare: (setup: Setup) => void;

  /** @param prepare changes a copy before it is used */
  constructor(base: Setup, prepare: (setup: Setup) => void = () => {}) {
    this.#base = base;
    this.#prepare = prepare;
  }

  /** Beside the one that is copied, in a folder that it has for itself. */
  copy(): Setup {
    const base = this.#base;
    const workingFolder = join(mkdtempSync(join(base.workingFolder, "..", "copy-")), "work");
    cpSync(base.workingFolder, workingFolder, { recursive: true, verbatimSymlinks: true });
    const setup = {
      ...base,
      workingFolder,
      dataFolder: join(workingFolder, "data"),
      environment: { ...base.environment, VENUE_HOME: join(workingFolder, "home") },
    };
    this.#prepare(setup);
    return setup;
  }

  async record(args: readonly string[]): Promise<Recorded> {
    const setup = this.copy();
    const { code, stderr, calls } = await recordCalls(args, setup);
    expect(code, stderr).toBe(0);
    return { calls, files: listFiles(setup.workingFolder) };
  }
}

/** What a folder holds beyond those files (`+`), and which of them it lacks (`-`): nothing of either, as it should be. */
export function compareFiles(folder: string, expected: readonly string[]): string {
  const files = listFiles(folder);
  const left = files.filter((name) => !expected.includes(name)).map((name) => `+${name}`);
  const missing = expected.filter((name) => !files.includes(name)).map((name) => `-${name}`);
  return [...left, ...missing].join(" ");
}

/** A whole history: which ones were exported, and which zones walked, is the plan's choice, and hangs on how quick the service was. */
const history = /^data\/landing\/\w+-(group-N-export|zone-N-walk)-ID\.jsonl(\.gz)?$/;

/** Below a folder, without what differs from run to run. */
function listFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const names = files.map(withoutChance).filter((name) => !history.test(name));
  return [...new Set(names)].sort();
}

/** What is in all files below a folder, by name. */
export function digestOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length), createHash("sha256").update(readFileSync(path)).digest("hex")];
    }),
  );
}
