import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, type BuildSummary, buildMart } from "../../src/build/build-mart.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { type HistoryLanding, loadHistory } from "../../src/load/history/load-history.ts";
import { applyReference } from "../../src/load/reference/apply-reference.ts";
import { prepareRules } from "../../src/load/rules/campaign-dates.ts";
import { listModels } from "../../src/mart/model.ts";
import { incrementVersion } from "../../src/mart/published-versions.ts";
import { type Topic, topics, topicTables } from "../../src/mart/topic.ts";
import { recordPublished } from "../../src/publish/finish-killed-publish.ts";
import type { Kind } from "../../src/util/kind.ts";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import {
  type ListingOwner,
  loadAssets,
  loadCampaigns,
  loadDevices,
  loadNotices,
} from "../support/load-listing.ts";
import { openNewWarehouse, openWarehouseOf } from "../support/new-warehouse.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { buildOptions } from "./build-options.ts";

/** Rows of every model, as text, sorted. */
export type MartRows = Record<string, string[]>;

type HistorySource = Pick<HistoryLanding, "source" | "groupId" | "zoneId" | "isComplete">;

/** State of a warehouse loaded by an earlier program. */
interface FedBefore {
  database: Buffer;
  landings: number;
  /** Version of its last build. */
  version: string;
}

/** A warehouse loaded as by a sync and built as by a run. Closed when the test ends. */
export class WarehouseFixture {
  readonly warehouse: DuckDb;
  readonly #folder: string;
  #landings: number;
  #version: string;
  options: Omit<BuildOptions, "version"> = { ...buildOptions };
  serviceTimeZone = "UTC";
  /** Load time of the next landings. */
  loadedAt = new Date("2026-12-31T00:00:00Z");

  private constructor(warehouse: DuckDb, folder: string, { landings, version }: Omit<FedBefore, "database">) {
    this.warehouse = warehouse;
    this.#folder = folder;
    this.#landings = landings;
    this.#version = version;
  }

  /** @param before a warehouse loaded by another program */
  static async open(before?: FedBefore): Promise<WarehouseFixture> {
    const folder = createTempFolder();
    const warehouse = await (before
      ? openWarehouseOf(before.database, { folder, threads: 1 })
      : openNewWarehouse({ folder, threads: 1 }));
    return new WarehouseFixture(warehouse, folder, before ?? { landings: 0, version: "v000000" });
  }

  /** Runs `feed` once per test file; each call returns a separate copy of the warehouse. */
  static prepareCopies(feed: (fed: WarehouseFixture) => Promise<void>): () => Promise<WarehouseFixture> {
    const feedFirst = async (): Promise<FedBefore> => {
      const fed = await WarehouseFixture.open();
      await feed(fed);
      fed.warehouse.close();
      const database = readFileSync(join(fed.#folder, "warehouse.duckdb"));
      return { database, landings: fed.#landings, version: fed.#version };
    };
    let first: Promise<FedBefore> | undefined;
    return async () => {
      first ??= feedFirst();
      return await WarehouseFixture.open(await first);
    };
  }

  get version(): string {
    return this.#version;
  }

  #landing(records: readonly unknown[], requestedAt: Date) {
    this.#landings += 1;
    const path = join(this.#folder, `${this.#landings}.jsonl`);
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return { landingId: `landing ${this.#landings}`, path, requestedAt };
  }

  async history(
    kind: Kind,
    lines: readonly object[],
    requestedAt: Date,
    source: HistorySource = { source: "export", groupId: 1, isComplete: true },
  ): Promise<void> {
    const landing = { kind, ...source, ...this.#landing(lines, requestedAt) };
    await loadHistory(this.warehouse, landing, { loadedAt: this.loadedAt });
  }

  async campaigns(
    owner: ListingOwner,
    records: readonly object[],
    requestedAt: Date,
    kind: "signage" | "messaging" = "signage",
  ): Promise<void> {
    const landing = { kind, ...owner, ...this.#landing(records, requestedAt) };
    await loadCampaigns(this.warehouse, landing, { loadedAt: this.loadedAt });
  }

  async assets(
    owner: ListingOwner,
    records: readonly object[],
    requestedAt: Date,
    kind: "signage" | "messaging" = "signage",
  ): Promise<void> {
    const landing = { kind, ...owner, ...this.#landing(records, requestedAt) };
    await loadAssets(this.warehouse, landing, { loadedAt: this.loadedAt });
  }

  async devices(groupId: number, records: readonly object[], requestedAt: Date): Promise<void> {
    const { loadedAt, serviceTimeZone } = this;
    const landing = { groupId, ...this.#landing(records, requestedAt) };
    await loadDevices(this.warehouse, landing, { loadedAt, serviceTimeZone });
  }

  async notices(records: readonly object[], requestedAt: Date): Promise<void> {
    await loadNotices(this.warehouse, this.#landing(records, requestedAt), { loadedAt: this.loadedAt });
  }

  /** @param lines the first one is the header */
  async reference(name: string, lines: readonly string[]): Promise<void> {
    writeFileSync(join(this.#folder, name), `${lines.join("\n")}\n`);
    await applyReference(this.warehouse, this.#folder);
  }

  async build(): Promise<BuildSummary> {
    this.#version = incrementVersion([this.#version]);
    await prepareRules(this.warehouse);
    return await buildMart(this.warehouse, { ...this.options, version: this.#version });
  }

  async publish(): Promise<void> {
    await recordPublished(this.warehouse, this.#version, this.options.builtAt);
  }

  /** Models that a full build of the same `core` produces. */
  async martFromNothing(): Promise<MartRows> {
    return await this.modelsFromNothing(["mart"]);
  }

  async modelsFromNothing(schemas: readonly ("staging" | "mart")[]): Promise<MartRows> {
    await prepareRules(this.warehouse);
    await this.warehouse.run("checkpoint");
    const path = join(this.#folder, "copy.duckdb");
    copyFileSync(join(this.#folder, "warehouse.duckdb"), path);
    const copy = await openWarehouse({ path, threads: 1 });
    try {
      await buildMart(copy, { ...this.options, version: incrementVersion([this.#version]), isFull: true });
      return await readModels(copy, schemas);
    } finally {
      copy.close();
    }
  }

  async mart(): Promise<MartRows> {
    return await readModels(this.warehouse, ["mart"]);
  }

  /** Builds and publishes; returns the days rebuilt since the last publish, by topic. */
  async rebuiltDays(): Promise<Record<Topic, string[]>> {
    await this.build();
    const days: Partial<Record<Topic, string[]>> = {};
    for (const topic of topics) {
      const rows = await this.warehouse.all<{ day: string }>(
        `select distinct date::varchar as day from ${topicTables[topic].unpublished} order by 1`,
      );
      days[topic] = rows.map(({ day }) => day.slice(5));
    }
    await this.publish();
    return days as Record<Topic, string[]>;
  }
}

/** Replaces rule ids, which only reflect insertion order, by the rules themselves. */
export async function readModels(
  warehouse: DuckDb,
  schemas: readonly ("staging" | "mart")[],
): Promise<MartRows> {
  const mart: MartRows = {};
  const rules = await warehouse.all<{ rule_id: number; rule: string }>(
    "select rule_id, concat_ws(', ', rrule, start_date, add_date) as rule from core.campaign_rule",
  );
  const ruleOf = new Map(rules.map(({ rule_id: id, rule }) => [id, rule]));
  for (const { schema, name } of listModels()) {
    if (!schemas.includes(schema)) continue;
    const rows = await warehouse.all(`select * from ${name}`);
    mart[name] = rows
      .map((row) =>
        JSON.stringify(row, (key, value) => (key === "rule_id" ? (ruleOf.get(value) ?? value) : value)),
      )
      .sort();
  }
  return mart;
}
