import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Setup } from "../support/service.ts";
import { type Call, recordCalls, stripVariableParts } from "./failing-calls.ts";

export interface Recorded {
  calls: readonly Call[];
  /** Content of the working folder afterwards, for `compareFiles`. */
  files: readonly string[];
}

/** A machine before a command. Each attempt gets its own copy. */
export class Machine {
  readonly #base: Setup;
  readonly #prepare: (setup: Setup) => void;

  /** @param prepare changes a copy before use */
  constructor(base: Setup, prepare: (setup: Setup) => void = () => {}) {
    this.#base = base;
    this.#prepare = prepare;
  }

  /** Copies the base into a new folder next to it. */
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

/** Files in a folder that are unexpected (`+`) or missing (`-`); empty if all is well. */
export function compareFiles(folder: string, expected: readonly string[]): string {
  const files = listFiles(folder);
  const left = files.filter((name) => !expected.includes(name)).map((name) => `+${name}`);
  const missing = expected.filter((name) => !files.includes(name)).map((name) => `-${name}`);
  return [...left, ...missing].join(" ");
}

/** A history landing: the plan chooses between exports and walks by the speed of the service. */
const history = /^data\/landing\/\w+-(group-N-export|zone-N-walk)-ID\.jsonl(\.gz)?$/;

/** Files below a folder, without parts that differ between runs. */
function listFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const names = files.map(stripVariableParts).filter((name) => !history.test(name));
  return [...new Set(names)].sort();
}

/** Hashes of all files below a folder, by name. */
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
