import { join } from "node:path";
import { configureGroups } from "../../../src/build/configure-groups.ts";
import { type FillSummary, fillCore } from "../../../src/build/lake/fill-core.ts";
import { closeLake, openLake } from "../../../src/lake/read-lake.ts";
import { prepareRules, ruleExpander } from "../../../src/load/rules/campaign-dates.ts";
import { publishLake } from "../../../src/publish/lake/publish-lake.ts";
import { silentLogger as logger } from "../../../src/util/logger.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import type { Fed } from "../random-venue.ts";
import { type MartRows, readModels, WarehouseFixture } from "../warehouse-fixture.ts";

/** Chooses the receiving machine, or several for a reference file. */
export interface Split {
  history(source: Parameters<WarehouseFixture["history"]>[3]): string;
  listing(owner: Parameters<WarehouseFixture["campaigns"]>[0]): string;
  notices(): string;
  reference(file: string): readonly string[];
}

/** Machines that publish into a lake, one that collects everything, and a warehouse filled from the lake. */
export class LakeFixture implements Fed {
  readonly lake = join(createTempFolder(), "lake");
  readonly alone: WarehouseFixture;
  readonly machines: Readonly<Record<string, WarehouseFixture>>;
  union: WarehouseFixture;
  readonly #split: Split;
  #loads = 0;

  private constructor(
    alone: WarehouseFixture,
    union: WarehouseFixture,
    machines: Record<string, WarehouseFixture>,
    split: Split,
  ) {
    this.alone = alone;
    this.union = union;
    this.machines = machines;
    this.#split = split;
    this.options = alone.options;
    union.isFilled = true;
  }

  static async open(names: readonly string[], split: Split): Promise<LakeFixture> {
    const machines: Record<string, WarehouseFixture> = {};
    for (const name of names) machines[name] = await WarehouseFixture.open();
    return new LakeFixture(await WarehouseFixture.open(), await WarehouseFixture.open(), machines, split);
  }

  get options(): WarehouseFixture["options"] {
    return this.alone.options;
  }

  set options(options: WarehouseFixture["options"]) {
    const { groupIds: _ofMachines, ...others } = options;
    this.alone.options = options;
    this.union.options = others;
  }

  get serviceTimeZone(): string {
    return this.alone.serviceTimeZone;
  }

  set serviceTimeZone(timeZone: string) {
    for (const fed of [this.alone, ...Object.values(this.machines)]) fed.serviceTimeZone = timeZone;
  }

  async history(...args: Parameters<WarehouseFixture["history"]>): Promise<void> {
    const [kind, lines, requestedAt, source = { source: "export", groupId: 1, isComplete: true }] = args;
    await this.#feed(this.#split.history(source), (fed) => fed.history(kind, lines, requestedAt, source));
  }

  async campaigns(...args: Parameters<WarehouseFixture["campaigns"]>): Promise<void> {
    await this.#feed(this.#split.listing(args[0]), (fed) => fed.campaigns(...args));
  }

  async assets(...args: Parameters<WarehouseFixture["assets"]>): Promise<void> {
    await this.#feed(this.#split.listing(args[0]), (fed) => fed.assets(...args));
  }

  async devices(...args: Parameters<WarehouseFixture["devices"]>): Promise<void> {
    await this.#feed(this.#split.listing({ groupId: args[0] }), (fed) => fed.devices(...args));
  }

  async notices(...args: Parameters<WarehouseFixture["notices"]>): Promise<void> {
    await this.#feed(this.#split.notices(), (fed) => fed.notices(...args));
  }

  async reference(name: string, lines: readonly string[]): Promise<void> {
    await this.alone.reference(name, lines);
    for (const machine of this.#split.reference(name)) await this.#machine(machine).reference(name, lines);
  }

  async publish(names: readonly string[] = Object.keys(this.machines)): Promise<void> {
    for (const machine of names) {
      const { warehouse } = this.#machine(machine);
      await prepareRules(warehouse);
      await configureGroups(warehouse, this.options.groupIds ?? []);
      const now = new Date("2026-12-31T00:00:00Z");
      await publishLake(warehouse, { lake: this.lake, machine, now, softwareVersion: "1.2.3", logger });
    }
  }

  async fill({ warehouse }: WarehouseFixture = this.union): Promise<FillSummary> {
    const machines = await openLake(warehouse, this.lake);
    try {
      return await warehouse.transaction(() =>
        fillCore(warehouse, { rules: ruleExpander, machines, logger }),
      );
    } finally {
      await closeLake(warehouse);
    }
  }

  /** Models of a warehouse filled from the lake for the first time. */
  async modelsFromNothing(): Promise<MartRows> {
    const fresh = await WarehouseFixture.open();
    fresh.options = this.union.options;
    fresh.isFilled = true;
    await this.fill(fresh);
    await fresh.build();
    const models = await readModels(fresh.warehouse, ["staging", "mart"]);
    fresh.warehouse.close();
    return models;
  }

  #machine(name: string): WarehouseFixture {
    const fed = this.machines[name];
    if (!fed) throw new Error(`no machine ${name}`);
    return fed;
  }

  async #feed(machine: string, feed: (fed: WarehouseFixture) => Promise<void>): Promise<void> {
    this.#loads += 1;
    for (const fed of [this.alone, this.#machine(machine)]) {
      fed.loadedAt = new Date(Date.parse("2026-12-31T00:00:00Z") + this.#loads * 1000);
      await feed(fed);
    }
  }
}
