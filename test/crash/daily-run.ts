import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Emulator } from "../../src/emulator/emulator.ts";
import { type Figures, trueFigures } from "../support/service.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { Machine, type Recorded } from "./machine.ts";
import { openSecondDay, type SecondDay } from "./second-day.ts";
import type { World } from "./try-each.ts";

/** Zone counts that make the plan choose exports (in two groups) or walks (in one). */
const zonesOf = { export: 3, walk: 2 } as const;
type Way = keyof typeof zonesOf;

/** A world one day after a run, and that day's run without failures: the baseline of all others. */
export class DailyRun implements World {
  readonly emulator: Emulator;
  readonly machine: Machine;
  readonly #way: Way;
  /** Figures shown to readers before that day's run. */
  readonly before: Figures;

  private constructor({ base, first }: SecondDay, way: Way) {
    this.emulator = base.emulator;
    this.machine = new Machine(base);
    this.#way = way;
    this.before = first;
  }

  /** Opened in turn: `walk` second, for the calls that only a walk makes. */
  static readonly ways = {
    export: () => DailyRun.#open("export"),
    walk: () => DailyRun.#open("walk"),
  };

  static async #open(way: Way): Promise<DailyRun> {
    const workingFolder = join(createTempFolder(), "base");
    mkdirSync(workingFolder);
    return new DailyRun(await openSecondDay(workingFolder, zonesOf[way]), way);
  }

  get truth(): Figures {
    return trueFigures(this.emulator.world, this.emulator.now());
  }

  async record(): Promise<Recorded> {
    const before = this.emulator.requests.length;
    const recorded = await this.machine.record(["run"]);
    expect(recorded.calls.length, this.#way).toBeGreaterThan(500);
    const path = this.#way === "export" ? /\/history\/export$/ : /\/history$/;
    const requests = this.emulator.requests.slice(before).filter((request) => path.test(request.path));
    expect(requests.length, this.#way).toBeGreaterThan(0);
    return recorded;
  }

  async close(): Promise<void> {
    await this.emulator.close();
  }
}
