import { mkdirSync } from "node:fs";
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
import { Machine, type Recorded } from "./machine.ts";
import type { World } from "./try-each.ts";

const dayMs = 86_400_000;

/** How a day's histories come: that many zones of two groups, or of one, is what a plan chooses it by. */
const zonesOf = { export: 3, walk: 2 } as const;
type Way = keyof typeof zonesOf;

/** A world one day after a run, and that day's run as it is when nothing goes wrong: what all others are held against. */
export class DailyRun implements World {
  readonly emulator: Emulator;
  /** As it was before that day's run. */
  readonly machine: Machine;
  readonly #way: Way;
  /** What readers see before. */
  readonly before: Figures;

  private constructor(base: Setup, way: Way, before: Figures) {
    this.emulator = base.emulator;
    this.machine = new Machine(base);
    this.#way = way;
    this.before = before;
  }

  /** To be opened one after the other: what only one that walks does comes second. */
  static readonly ways = {
    export: () => DailyRun.#open("export"),
    walk: () => DailyRun.#open("walk"),
  };

  static async #open(way: Way): Promise<DailyRun> {
    const workingFolder = join(createTempFolder(), "base");
    mkdirSync(workingFolder);
    const base = await setUpIn(workingFolder, { days: 4, zones: zonesOf[way], playScale: 0.1 });
    const end = base.emulator.world.endsAt.getTime();
    setNow(base, new Date(end - dayMs));
    const first = await runVenue(["run"], base);
    expect(first.code, first.stderr).toBe(0);
    const before = await publishedFigures(base);
    setNow(base, new Date(end));
    return new DailyRun(base, way, before);
  }

  get truth(): Figures {
    return trueFigures(this.emulator.world, this.emulator.now());
  }

  async record(): Promise<Recorded> {
    const before = this.emulator.requests.length;
    const recorded = await this.machine.record(["run"]);
    expect(recorded.calls.length, this.#way).toBeGreaterThan(500);
    const path = this.#way === "export" ? /\/history\/export$/ : /\/history$/;
    const asked = this.emulator.requests.slice(before).filter((request) => path.test(request.path));
    expect(asked.length, this.#way).toBeGreaterThan(0);
    return recorded;
  }

  async close(): Promise<void> {
    await this.emulator.close();
  }
}
