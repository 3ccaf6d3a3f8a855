import { join } from "node:path";
import { configureGroups } from "../../../src/build/configure-groups.ts";
import { type FillSummary, fillCore } from "../../../src/build/lake/fill-core.ts";
import { closeLake, openLake } from "../../../src/lake/read-lake.ts";
import { prepareRules, ruleExpander } from "../../../src/load/rules/campaign-dates.ts";
import { publishLake } from "../../../src/publish/lake/publish-lake.ts";
import { silentLogger as logger } from "../../../src/util/logger.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { FedWarehouse, type MartRows, readModels } from "../fed-warehouse.ts";
import type { Fed } from "../random-venue.ts";

/** Chooses the receiving machine, or several for a reference file. */
export interface Split {
  history(source: Parameters<FedWarehouse["history"]>[3]): string;
  listing(owner: Parameters<FedWarehouse["campaigns"]>[0]): string;
  notices(): string;
  reference(file: string): readonly string[];
}

/** Machines that publish into a lake, one that collects everything, and a warehouse filled from the lake. */
export class FedLake implements Fed {
  readonly lake = join(createTempFolder(), "lake");
  readonly alone: FedWarehouse;
  readonly machines: Readonly<Record<string, FedWarehouse>>;
  union: FedWarehouse;
  readonly #split: Split;
  #loads = 0;

  private constructor(
    alone: FedWarehouse,
    union: FedWarehouse,
    machines: Record<string, FedWarehouse>,
    split: Split,
  ) {
    this.alone = alone;
    this.union = union;
    this.machines = machines;
    this.#split = split;
    this.options = alone.options;
    union.isFilled = true;
  }

  static async open(names: readonly string[], split: Split): Promise<FedLake> {
    const machines: Record<string, FedWarehouse> = {};
    for (const name of names) machines[name] = await FedWarehouse.open();
    return new FedLake(await FedWarehouse.open(), await FedWarehouse.open(), machines, split);
  }

  get options(): FedWarehouse["options"] {
    return this.alone.options;
  }

  set options(options: FedWarehouse["options"]) {
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

  async history(...told: Parameters<FedWarehouse["history"]>): Promise<void> {
    const [kind, lines, requestedAt, source = { source: "export", groupId: 1, isComplete: true }] = told;
    await this.#tell(this.#split.history(source), (fed) => fed.history(kind, lines, requestedAt, source));
  }

  async campaigns(...told: Parameters<FedWarehouse["campaigns"]>): Promise<void> {
    await this.#tell(this.#split.listing(told[0]), (fed) => fed.campaigns(...told));
  }

  async assets(...told: Parameters<FedWarehouse["assets"]>): Promise<void> {
    await this.#tell(this.#split.listing(told[0]), (fed) => fed.assets(...told));
  }

  async devices(...told: Parameters<FedWarehouse["devices"]>): Promise<void> {
    await this.#tell(this.#split.listing({ groupId: told[0] }), (fed) => fed.devices(...told));
  }

  async notices(...told: Parameters<FedWarehouse["notices"]>): Promise<void> {
    await this.#tell(this.#split.notices(), (fed) => fed.notices(...told));
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

  async fill({ warehouse }: FedWarehouse = this.union): Promise<FillSummary> {
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
    const fresh = await FedWarehouse.open();
    fresh.options = this.union.options;
    fresh.isFilled = true;
    await this.fill(fresh);
    await fresh.build();
    const models = await readModels(fresh.warehouse, ["staging", "mart"]);
    fresh.warehouse.close();
    return models;
  }

  #machine(name: string): FedWarehouse {
    const fed = this.machines[name];
    if (!fed) throw new Error(`no machine ${name}`);
    return fed;
  }

  async #tell(machine: string, tell: (fed: FedWarehouse) => Promise<void>): Promise<void> {
    this.#loads += 1;
    for (const fed of [this.alone, this.#machine(machine)]) {
      fed.loadedAt = new Date(Date.parse("2026-12-31T00:00:00Z") + this.#loads * 1000);
      await tell(fed);
    }
  }
}
