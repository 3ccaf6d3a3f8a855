import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Engine } from "../engines/engine.ts";
import { sqlTimestamp } from "../engines/sql-text.ts";
import { insertRows, runScript } from "../engines/statements.ts";
import { type Topic, topics, topicTables } from "../mart/topic.ts";
import { readSql } from "../util/files/package-files.ts";
import type { Logger } from "../util/logger.ts";
import { withAttributeColumns } from "./attribute-columns.ts";
import { buildModel, type DirtyDays } from "./build-model.ts";
import { type BuildStep, planBuild } from "./build-step.ts";
import { listChangedModels, recordBuiltModels } from "./built-models.ts";
import { configureGroups } from "./configure-groups.ts";
import { findDirtyDays, markUnpublished } from "./dirty-days.ts";
import { createWarehouseWorkbench, type Workbench } from "./workbench.ts";

export interface BuildOptions {
  /** From `prepareNextVersion`, e.g. `v000007`. */
  version: string;
  /** Instant of the build, used as the current time in the data. */
  builtAt: Date;
  softwareVersion: string;
  /** Unit of `duration` in asset listings, which the service does not document. */
  assetDurationUnit: "seconds" | "milliseconds";
  /** Days after which a missing play is treated as missed. @default 3 */
  settleDays?: number;
  /** Minutes within which a play meets a time in a campaign's rule. @default 60 */
  slotMinutes?: number;
  /** Device states that mean down; `online` means up, others are ignored. @default ["offline"] */
  downStatuses?: readonly string[];
  /** Data ages from which checks warn, in hours, keyed by topic. @default 36 for history and devices */
  freshHours?: Readonly<Record<string, number>>;
  /**
   * Collected groups; if empty, every group ever seen is used. @default the groups in `core.configured_group`
   */
  groupIds?: readonly number[] | undefined;
  /** Rebuilds every model from scratch. @default false */
  isFull?: boolean;
  signal?: AbortSignal | undefined;
  logger: Logger;
}

export interface BuildSummary {
  version: string;
  /** Number of rebuilt days, counted per kind. */
  dirtyDays: number;
  /** Models rebuilt from scratch, as `schema.table`. */
  rebuiltModels: string[];
  /** Number of settled days, counted per kind, whose figures differ from the previously published version. */
  restatedDays: number;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  dataAsOf: string | null;
}

/** The published rows of this model are saved until the build has determined which states changed. */
const complianceCells = "mart.fact_campaign_zone_day";

export async function buildMart(warehouse: DuckDb, options: BuildOptions): Promise<BuildSummary> {
  return await runBuild(createWarehouseWorkbench(warehouse), options);
}

/**
 * Brings staging and mart up to date with core; readers see all of it or nothing. Rebuilds day models on
 * dirty days, other models completely, and new models or those with changed SQL from scratch. Records the
 * changed days in `core.unpublished_day`.
 */
export async function runBuild(workbench: Workbench, options: BuildOptions): Promise<BuildSummary> {
  const { engine } = workbench;
  return await engine.interruptible(options.signal, () =>
    workbench.atomically(async () => {
      await workbench.takeMarks();
      await beginVersion(engine, options);
      const steps = planBuild(await withAttributeColumns(engine, workbench.models));
      const rebuiltModels = new Set(await listChangedModels(engine, steps, options.isFull));
      if (rebuiltModels.has(complianceCells)) await keepPublishedCells(workbench, "all");
      await dropStale(workbench, steps, rebuiltModels);
      const dirtyDays = await runSteps(workbench, steps, rebuiltModels, options);
      await recordBuild(engine, steps, options.builtAt);
      return await summarize(engine, options.version, dirtyDays, rebuiltModels);
    }),
  );
}

async function beginVersion(
  engine: Engine,
  {
    version,
    builtAt,
    softwareVersion,
    assetDurationUnit,
    settleDays = 3,
    slotMinutes = 60,
    downStatuses = ["offline"],
    freshHours = { history: 36, devices: 36 },
    groupIds,
  }: BuildOptions,
): Promise<void> {
  await runScript(engine, readSql("build/begin_version.sql"));
  await engine.run(
    "insert into core.version (version, built_at, software_version) values (?, cast(? as timestamp(6)), ?)",
    [version, sqlTimestamp(builtAt), softwareVersion],
  );
  await engine.run("delete from core.build_setting");
  await insertRows(engine, "core.build_setting", { name: "varchar", value: "varchar" }, [
    ["asset_duration_unit", assetDurationUnit],
    ["settle_days", String(settleDays)],
    ["slot_minutes", String(slotMinutes)],
    ["down_statuses", `,${downStatuses.join().toLowerCase()},`],
    ...Object.entries(freshHours).map(([topic, hours]) => [
      `fresh_minutes_${topic}`,
      String(Math.round(hours * 60)),
    ]),
  ]);
  if (groupIds) await configureGroups(engine, groupIds);
}

/**
 * Drops models that are rebuilt or no longer exist. A rebuilt model may have changed from a table to a view, or the
 * reverse.
 */
async function dropStale(
  workbench: Workbench,
  steps: readonly BuildStep[],
  rebuiltModels: ReadonlySet<string>,
): Promise<void> {
  const names = new Set(steps.map(({ name }) => name));
  for (const [name, type] of await workbench.listBuilt()) {
    if (rebuiltModels.has(name) || !names.has(name)) await workbench.engine.run(`drop ${type} ${name}`);
  }
}

async function runSteps(
  workbench: Workbench,
  steps: readonly BuildStep[],
  rebuiltModels: ReadonlySet<string>,
  { signal, logger }: BuildOptions,
): Promise<DirtyDays> {
  const { engine } = workbench;
  const dirtyDays: DirtyDays = {};
  const known = new Map<Topic, ReturnType<Workbench["listWholeRanges"]>>();
  const wholeRanges = (topic: Topic) => {
    const ranges = known.get(topic) ?? workbench.listWholeRanges(topic);
    known.set(topic, ranges);
    return ranges;
  };
  for (const step of steps) {
    signal?.throwIfAborted();
    const startedAt = performance.now();
    if (step.does === "mark dirty days") {
      dirtyDays[step.topic] = await findDirtyDays(engine, step.topic);
      if (step.topic === "campaigns" && !rebuiltModels.has(complianceCells))
        await keepPublishedCells(workbench, "dirty");
      await markUnpublished(engine, step.topic, isEveryDay(step.topic, steps, rebuiltModels));
    } else if (step.does === "record restatements") {
      await engine.run(`insert into core.restatement ${readSql("build/restatement.sql")}`);
    } else {
      await buildModel(workbench, step.model, {
        isFromScratch: rebuiltModels.has(step.name),
        dirtyDays,
        wholeRanges,
      });
    }
    logger.debug(`built ${step.name}`, { ms: Math.round(performance.now() - startedAt) });
  }
  return dirtyDays;
}

/** Returns true if a fact of the topic is built from scratch. Any day may then differ, so all months are rewritten. */
function isEveryDay(topic: Topic, steps: readonly BuildStep[], rebuiltModels: ReadonlySet<string>): boolean {
  return steps.some(
    (step) =>
      step.does === "model" &&
      rebuiltModels.has(step.name) &&
      (step.model.built.by === "day"
        ? step.model.built.topic === topic
        : step.model.published.isByMonth && topic === "plays"),
  );
}

async function keepPublishedCells(workbench: Workbench, days: "all" | "dirty"): Promise<void> {
  if (!(await workbench.listBuilt()).has(complianceCells)) return;
  await workbench.engine.run(
    readSql(days === "all" ? "build/keep_all_published_cells.sql" : "build/keep_published_cells.sql"),
  );
}

async function recordBuild(engine: Engine, steps: readonly BuildStep[], builtAt: Date): Promise<void> {
  await recordBuiltModels(engine, steps, builtAt);
  await runScript(engine, readSql("build/record_build.sql"));
  for (const topic of topics) await engine.run(`delete from ${topicTables[topic].dirty}`);
}

async function summarize(
  engine: Engine,
  version: string,
  dirtyDays: DirtyDays,
  rebuiltModels: ReadonlySet<string>,
): Promise<BuildSummary> {
  const { dataAsOf } = await engine.get<{ dataAsOf: string | null }>(
    'select data_as_of as "dataAsOf" from mart.mart_info',
  );
  await engine.run("update core.version set data_as_of = cast(? as timestamp(6)) where version = ?", [
    dataAsOf,
    version,
  ]);
  const { restatedDays } = await engine.get<{ restatedDays: number }>(
    'select count(*) as "restatedDays" from core.restatement where version = ?',
    [version],
  );
  const days = Object.values(dirtyDays).flatMap((ofTopic) =>
    ofTopic.map(({ kind, date }) => `${kind} ${date}`),
  );
  return {
    version,
    dirtyDays: new Set(days).size,
    rebuiltModels: [...rebuiltModels],
    restatedDays,
    dataAsOf,
  };
}
