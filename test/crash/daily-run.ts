import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Emulator } from "../../src/emulator/emulator.ts";
import { runVenue } from "../support/run-venue.ts";
import {
  type Figures,
  publishedFigures,
  type Setup,
  setNow,
  setUpIn,
  trueFigures,
} from "../support/service.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { recordCalls } from "./failing-calls.ts";

const dayMs = 86_400_000;

/** How a day's histories come: that many zones of two groups, or of one, is what a plan chooses it by. */
const zonesOf = { export: 3, walk: 2 } as const;
export type Way = keyof typeof zonesOf;
export const ways = Object.keys(zonesOf) as Way[];

/** A world one day after a run, and that day's run as it is when nothing goes wrong: what all others are held against. */
export class DailyRun {
  readonly emulator: Emulator;
  readonly #base: Setup;
  readonly #folder: string;
  #copies = 0;
  /** What readers see before. */
  readonly before: Figures;

  private constructor(base: Setup, folder: string, before: Figures) {
    this.emulator = base.emulator;
    this.#base = base;
    this.#folder = folder;
    this.before = before;
  }

  /** To be closed by the caller. */
  static async open(way: Way): Promise<DailyRun> {
    const folder = createTempFolder();
    const workingFolder = join(folder, "base");
    mkdirSync(workingFolder);
    const base = await setUpIn(workingFolder, { days: 4, zones: zonesOf[way], playScale: 0.1 });
    const end = base.emulator.world.endsAt.getTime();
    setNow(base, new Date(end - dayMs));
    const first = await runVenue(["run"], base);
    expect(first.code, first.stderr).toBe(0);
    const before = await publishedFigures(base);
    setNow(base, new Date(end));
    return new DailyRun(base, folder, before);
  }

  get truth(): Figures {
    return trueFigures(this.emulator.world, this.emulator.now());
  }

  /** A machine of its own, as it was before that day's run. */
  copy(): Setup {
    this.#copies += 1;
    const workingFolder = join(this.#folder, `copy-${this.#copies}`, "work");
    cpSync(this.#base.workingFolder, workingFolder, { recursive: true, verbatimSymlinks: true });
    return {
      ...this.#base,
      workingFolder,
      dataFolder: join(workingFolder, "data"),
      environment: { ...this.#base.environment, VENUE_HOME: join(workingFolder, "home") },
    };
  }

  /** All that a command changes on disk, and the files that it leaves. */
  async record(args: readonly string[]) {
    const setup = this.copy();
    const before = this.emulator.requests.length;
    const { code, stderr, calls } = await recordCalls(args, setup);
    expect(code, stderr).toBe(0);
    const asked = this.emulator.requests.slice(before);
    const count = (path: RegExp) => asked.filter((request) => path.test(request.path)).length;
    return {
      calls,
      files: listFiles(setup.workingFolder),
      asked: { export: count(/\/history\/export$/), walk: count(/\/history$/) },
    };
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
  const names = files
    .map((name) => name.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID").replaceAll(/\d+/g, "N"))
    .filter((name) => !history.test(name));
  return [...new Set(names)].sort();
}
