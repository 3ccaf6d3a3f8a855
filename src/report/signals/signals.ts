import { existsSync, lstatSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { computeAllowedRate } from "../../state/client/pace.ts";
import type { LastRun } from "../../state/data/runs.ts";
import { compliance } from "../catalog/compliance.ts";
import { devices as deviceList } from "../catalog/devices.ts";
import { freshHours } from "../findings/data-as-of.ts";
import { findDeviceStates } from "../findings/device-states.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { type FreshnessLimits, findStaleSources, type StaleSource } from "../findings/stale-sources.ts";
import { buildAggregate, buildStatement } from "../options/build-statement.ts";
import { parseReportOptions } from "../options/parse-report-options.ts";
import { resolveChosen } from "../options/resolve-entities.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { findMessages, listCollectors, listLastRunOfEach, type Messages } from "../published/run-state.ts";
import type { Period } from "../result-types.ts";
import { formatInstant } from "../text/cell-text.ts";

/** Maximum devices and campaigns with separate signals. */
const maxNamed = 100;

/** Signals for operators about this data folder and its published version. */
export interface Signals extends Partial<PublishedSignals> {
  /** The last run of each command, newest first. */
  runs: readonly LastRun[];
  /** Bytes of the data folder's parts. */
  sizes: readonly { part: string; bytes: number }[];
  /** Bytes that are free on the data folder's disk. */
  freeBytes: number;
  /** Requests that this user's programs sent in the last minute, by API. */
  requests: readonly { api: string; sentLastMinute: number }[];
  /** Allowed requests to the main API per minute. */
  allowedPerMinute: number;
  /** Messages that did not reach their recipients. */
  messages: Messages;
  /** Collectors of the landing store, oldest last landing first; empty without one. */
  collectors: readonly CollectorSignal[];
}

interface CollectorSignal {
  name: string;
  host: string;
  /** Request time of its last landing, `YYYY-MM-DDTHH:MM:SSZ`; null without landings. */
  lastLandingAt: string | null;
}

/** Signals of a published version. Instants are `YYYY-MM-DDTHH:MM:SSZ`. */
interface PublishedSignals {
  version: string;
  dataAsOf: string | null;
  sources: readonly SourceSignal[];
  /** Topics older than `VENUE_FRESHNESS` allows. */
  stale: readonly StaleSource[];
  devices: number;
  devicesDown: number;
  /** At most `maxNamed` of them. */
  downDevices: readonly { device: number; zone: number; zoneName: string }[];
  /** Zone days of campaigns in `period`, the default period of reports. */
  missedDays: number;
  /** Campaigns with missed days in that period, most missed first. */
  missedCampaigns: readonly { kind: string; campaign: number; name: string; days: number }[];
  pendingDays: number;
  period: Period;
  /** Rejected lines in the newest load of each source. */
  rejects: readonly { reason: string; lines: number }[];
}

interface SourceSignal {
  /** E.g. `export` or `devices`. */
  source: string;
  /** Oldest of the latest complete responses; null without any. */
  asOf: string | null;
  /** Number of sources that never returned a complete response. */
  unanswered: number;
}

/** @param mart absent if nothing is published */
export async function readSignals(
  settings: Settings,
  mart: PublishedMart | undefined,
  now: Date,
): Promise<Signals> {
  const folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const limits = settings.get("VENUE_FRESHNESS");
  const collectors = (await listCollectors(folder.stateFile)).map(({ name, host, lastLandingAt }) => ({
    ...{ name, host },
    lastLandingAt: lastLandingAt === undefined ? null : formatInstant(lastLandingAt.toISOString()),
  }));
  const published = mart && (await readPublished(mart, now, limits));
  const counted = new Set<string>();
  return {
    runs: await listLastRunOfEach(folder.stateFile),
    sizes: ["warehouse.duckdb", "published", "landing", "reports", "tmp"].map((part) => ({
      part,
      bytes: measure(join(folder.root, part), counted),
    })),
    freeBytes: findFreeBytes(folder.root),
    requests: await readRequests(settings),
    messages: await findMessages(folder.stateFile, now),
    collectors,
    allowedPerMinute: 60 * computeAllowedRate(settings.get("VENUE_RATE_PER_SECOND")),
    ...published,
    stale: [...(published?.stale ?? []), ...findLateCollectors(collectors, limits, now)],
  };
}

/** Lists collectors whose last landing is older than `VENUE_FRESHNESS` allows for history. */
function findLateCollectors(
  collectors: readonly CollectorSignal[],
  limits: FreshnessLimits,
  now: Date,
): StaleSource[] {
  const limitHours = limits.history ?? freshHours;
  return collectors.flatMap(({ name, lastLandingAt: asOf }) =>
    asOf !== null && now.getTime() - Date.parse(asOf) > limitHours * 3_600_000
      ? [{ topic: `collector ${name}`, asOf, limitHours }]
      : [],
  );
}

async function readPublished(
  mart: PublishedMart,
  now: Date,
  limits: FreshnessLimits,
): Promise<PublishedSignals> {
  const sources = await mart.all<{ source: string; requested_at: string | null; unanswered: number }>(
    ...buildStatement("sources", {}),
  );
  const { devices, down } = await findDeviceStates(mart, {});
  const options = await resolveChosen(mart, parseReportOptions({ report: "compliance" }));
  const { period } = await getReportedDays(mart, options, now);
  const [days] = await mart.all<{ missed: number | null; pending: number | null }>(
    ...buildAggregate(
      compliance,
      { period, measures: ["missed_days", "missed_offline_days", "pending_days"] },
      (rows) => `select missed_days + missed_offline_days as missed, pending_days as pending from ${rows}`,
    ),
  );
  const downRows = await mart.all<{ device_id: number; zone_id: number; zone_name: string }>(
    ...buildStatement(deviceList, { onlyStates: ["down"], top: maxNamed, now }),
  );
  const missedRows = await mart.all<
    Record<"kind" | "campaign_name", string> & Record<"campaign_id" | "missed", number>
  >(
    ...buildAggregate(
      compliance,
      {
        period,
        by: ["campaign"],
        onlyStates: ["missed", "missed_offline"],
        measures: ["missed_days", "missed_offline_days"],
      },
      (rows) => `select kind, campaign_id, campaign_name, missed_days + missed_offline_days as missed
        from ${rows} order by missed desc, kind, campaign_id limit ${maxNamed}`,
    ),
  );
  const rejects = await mart.all<{ reason: string; lines: number }>(
    ...buildAggregate(
      "quality/30_loads",
      {},
      (rows) =>
        `select subject as reason, cast(value as bigint) as lines from ${rows} where section = 'rejects'`,
    ),
  );
  return {
    version: mart.version,
    dataAsOf: mart.dataAsOf,
    sources: sources.map(({ source, requested_at, unanswered }) => ({
      source,
      asOf: requested_at === null ? null : formatInstant(requested_at),
      unanswered: Number(unanswered),
    })),
    stale: await findStaleSources(mart, now, limits),
    devices: Number(devices),
    devicesDown: Number(down),
    downDevices: downRows.map((row) => ({
      device: Number(row.device_id),
      ...{ zone: Number(row.zone_id), zoneName: row.zone_name },
    })),
    missedCampaigns: missedRows.map((row) => ({
      ...{ kind: row.kind, campaign: Number(row.campaign_id), name: row.campaign_name },
      days: Number(row.missed),
    })),
    missedDays: Number(days?.missed ?? 0),
    pendingDays: Number(days?.pending ?? 0),
    period,
    rejects: rejects.map(({ reason, lines }) => ({ reason, lines: Number(lines) })),
  };
}

async function readRequests(settings: Settings): Promise<Signals["requests"]> {
  const home = settings.find("VENUE_HOME");
  const { clientFileName, openClientState, readBudgets } = await import("../../state/client/client-state.ts");
  const file = home && join(home, clientFileName);
  if (file === undefined || !existsSync(file)) return [];
  const state = openClientState(file);
  try {
    return readBudgets(state).map(({ api, sentLastMinute }) => ({ api, sentLastMinute }));
  } finally {
    state.close();
  }
}

function findFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Returns the bytes of a file, or of all files in a folder; 0 if it disappears in the meantime.
 * @param counted inodes that are already included, because versions share unchanged files as hard links
 */
function measure(path: string, counted: Set<string>): number {
  const entry = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (!entry?.isDirectory()) {
    const inode = `${entry?.dev} ${entry?.ino}`;
    if (!entry?.isFile() || counted.has(inode)) return 0;
    counted.add(inode);
    return Number(entry.size);
  }
  try {
    return readdirSync(path).reduce((bytes, name) => bytes + measure(join(path, name), counted), 0);
  } catch {
    return 0;
  }
}
