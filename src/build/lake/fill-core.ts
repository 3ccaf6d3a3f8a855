import type { Engine } from "../../engines/engine.ts";
import { insertRows } from "../../engines/statements.ts";
import type { MachineManifest } from "../../lake/machine.ts";
import { topicTables } from "../../mart/topic.ts";
import { listSql, readSql } from "../../util/files/package-files.ts";
import type { Logger } from "../../util/logger.ts";
import { expandRules, type RuleExpander } from "./expand-rules.ts";
import { fillPlays } from "./fill-plays.ts";
import { computeFingerprint, fillTable, listUnionTables, sha256Of, type UnionTable } from "./union-table.ts";

interface FillCoreOptions<Rule> {
  rules: RuleExpander<Rule>;
  /** Machines whose data the tables `lake.…` contain. */
  machines: readonly MachineManifest[];
  /** Refills everything. @default false */
  isFull?: boolean;
  signal?: AbortSignal | undefined;
  logger: Logger;
}

export interface FillSummary {
  machines: string[];
  /** Machines removed from the lake since the published version was built. */
  gone: string[];
  /** Refilled tables, without schema. */
  tables: string[];
  /** Number of days, counted per kind, whose plays were refilled. */
  playDays: number;
  conflicts: ReferenceConflict[];
}

/** Fingerprints of the tables in `core` at the last fill, keyed by `core.` and table name. */
type Fingerprints = ReadonlyMap<string, string>;

/**
 * Fills `core` as if one machine had collected everything in the lake, and marks the days to rebuild. Refills
 * only tables whose sources changed, and only changed days of plays. Reads the lake as `lake.…`, with
 * statements that both DuckDB and Trino run. Idempotent. Call it in a transaction, or where nobody reads the
 * result of a failed call.
 */
export async function fillCore<Rule>(engine: Engine, options: FillCoreOptions<Rule>): Promise<FillSummary> {
  const { rules, machines, isFull = false, signal, logger } = options;
  const before: Fingerprints = isFull ? new Map() : await readFingerprints(engine);
  const now = planFill(machines, rules.version);
  const stale = [...now].filter(([{ name }, fingerprint]) => before.get(name) !== fingerprint);
  const names = machines.map(({ name }) => name);
  const summary: FillSummary = {
    machines: names,
    gone: await findGoneMachines(engine, names),
    tables: [],
    playDays: 0,
    conflicts: await findConflicts(engine),
  };
  if (stale.length === 0) return summary;
  await copyFormerTables(engine);
  for (const [union] of stale) {
    signal?.throwIfAborted();
    const startedAt = performance.now();
    if (union.name === plays) {
      const isAll = before.get(playSelect) !== sha256Of(union.sql);
      summary.playDays = (await fillPlays(engine, union, { machines, isAll, signal })).length;
    } else {
      await fillTable(engine, union);
    }
    summary.tables.push(union.table);
    logger.debug(`filled ${union.name}`, { ms: Math.round(performance.now() - startedAt) });
  }
  // A lake may hold days for which no machine has expanded the rules of another machine.
  await expandRules(engine, rules);
  await markTouchedDays(engine);
  await storeFingerprints(engine, now);
  return summary;
}

const plays = "core.play";
/** Key for the SQL that selects plays; if it changes, all days are refilled. */
const playSelect = "core.play (select)";

/** This table and its dates are refilled if another version of the program expands rules. */
const campaignRules = "core.campaign_rule";

/** Tables that a table depends on in addition to the tables that its select reads. */
const alsoReads: Readonly<Record<string, readonly string[]>> = {
  // Rules and their dates are filled together, because a rule records the range that its dates cover.
  [campaignRules]: ["lake.campaign_date"],
};

/** Lists the tables in order, each with a fingerprint of its inputs. */
function planFill(machines: readonly MachineManifest[], rulesVersion: string): Map<UnionTable, string> {
  const known = new Map<string, string>();
  const plan = new Map<UnionTable, string>();
  for (const union of listUnionTables()) {
    const tables = [...union.tables, ...(alsoReads[union.name] ?? [])];
    const read = computeFingerprint({ ...union, tables }, machines, known);
    const fingerprint = union.name === campaignRules ? sha256Of([read, rulesVersion]) : read;
    known.set(union.name, fingerprint);
    plan.set(union, fingerprint);
  }
  return plan;
}

/** Finds machines that left the lake while the published version still has their plays. */
async function findGoneMachines(engine: Engine, names: readonly string[]): Promise<string[]> {
  const rows = await engine.all<{ machine: string }>(
    "select machine from core.lake_day union select machine from core.lake_gone order by machine",
  );
  const gone = rows.map(({ machine }) => machine).filter((name) => !names.includes(name));
  await engine.run("delete from core.lake_gone");
  await insertRows(
    engine,
    "core.lake_gone",
    { machine: "varchar" },
    gone.map((machine) => [machine]),
  );
  return gone;
}

async function readFingerprints(engine: Engine): Promise<Fingerprints> {
  const rows = await engine.all<{ name: string; fingerprint: string }>(
    "select name, fingerprint from core.lake_table",
  );
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

async function storeFingerprints(engine: Engine, plan: ReadonlyMap<UnionTable, string>): Promise<void> {
  const rows = [...plan].flatMap(([{ name, sql }, fingerprint]) => [
    [name, fingerprint],
    ...(name === plays ? [[playSelect, sha256Of(sql)]] : []),
  ]);
  await engine.run("delete from core.lake_table");
  await insertRows(engine, "core.lake_table", { name: "varchar", fingerprint: "varchar" }, rows);
}

/** Something for which the reference files of several machines disagree, or a file that counts as a whole. */
interface ReferenceConflict {
  /** E.g. `zone_time_zones.csv`. */
  file: string;
  /** The kind of a campaign or item, whose ids are unique only within a kind; else `null`. */
  kind: string | null;
  /** Id of the zone, group, location, campaign or item; `null` for `dayparts.csv`. */
  id: number | null;
  /** Each machine's entries, keyed by machine. */
  entries: Record<string, string>;
}

/** Finds conflicts by file, kind and id. The file applied last wins. */
async function findConflicts(engine: Engine): Promise<ReferenceConflict[]> {
  const rows = await engine.all<Omit<ReferenceConflict, "entries"> & { machine: string; value: string }>(
    readSql("build/lake/reference_conflicts.sql"),
  );
  const conflicts = new Map<string, ReferenceConflict>();
  for (const { file, kind, id, machine, value } of rows) {
    const key = [file, kind, id].join(" ");
    const conflict = conflicts.get(key) ?? { file, kind, id, entries: {} };
    conflict.entries[machine] = [conflict.entries[machine], value].filter(Boolean).join(", ");
    conflicts.set(key, conflict);
  }
  return [...conflicts.values()];
}

/** Tables whose changes affect days. `core.former_…` holds their previous content. */
const formerTables = [
  "snapshot",
  "zone_day",
  "campaign_listing",
  "listing_span",
  "listing_asset_span",
  "campaign_rule",
  "campaign_date",
] as const;

/** Copies the current content, so that the days affected by the fill can be found afterwards. */
async function copyFormerTables(engine: Engine): Promise<void> {
  await clearFormerTables(engine);
  for (const table of formerTables) {
    await engine.run(`insert into core.former_${table} select * from core.${table}`);
  }
}

/** Marks the affected days of campaigns and devices. The build finds affected days that depend on models. */
async function markTouchedDays(engine: Engine): Promise<void> {
  for (const topic of ["campaigns", "devices"] as const) {
    for (const file of listSql(`build/lake/${topic}`)) {
      const sql = readSql(`build/lake/${topic}/${file}`);
      await engine.run(`insert into ${topicTables[topic].dirty} (kind, date) ${sql}`);
    }
  }
  await clearFormerTables(engine);
}

async function clearFormerTables(engine: Engine): Promise<void> {
  for (const table of formerTables) await engine.run(`delete from core.former_${table}`);
}
