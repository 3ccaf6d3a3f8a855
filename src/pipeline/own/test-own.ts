import { parseCheckHeader } from "../../build/run-checks.ts";
import { ownFolderOf, ownLimitsOf } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { limitOwn, listOwnFiles, type OwnFile } from "../../mart/own/own-file.ts";
import { checkOwnSelect, explainOwnError } from "../../mart/own/own-select.ts";
import { toRecord } from "../../report/columns/report-columns.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import { listOwnReports } from "../../report/own/list-own-reports.ts";
import type { OwnReport } from "../../report/own/own-report.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { withVersionOf } from "../../report/published/with-version-of.ts";
import { runReport } from "../../report/run-report.ts";
import { monotonicMs } from "../../util/clock.ts";
import type { Logger } from "../../util/logger.ts";
import { getErrorMessage } from "../../util/venue-error.ts";

export interface OwnTest {
  file: string;
  /** Absent for reports. */
  severity?: "error" | "warn";
  /** All rows of a report; failing rows of a check. */
  rows: number;
  ms: number;
  /** The first rows. */
  sample: object[];
  /** The reason why it does not run. */
  problem?: string;
}

interface TestOptions {
  settings: Settings;
  now: Date;
  logger: Logger;
  signal: AbortSignal;
}

type Rows = Pick<OwnTest, "rows" | "sample" | "severity">;

const sampleSize = 5;

/** Runs every own report, with its default period, and every own check on the published version. */
export async function testOwn(options: TestOptions): Promise<{ reports: OwnTest[]; checks: OwnTest[] }> {
  const folder = ownFolderOf(options.settings);
  const reports: OwnTest[] = [];
  for (const own of listOwnReports(folder))
    reports.push(await testFile(own, options, (mart) => runOwn(mart, own, options.now)));
  const checks: OwnTest[] = [];
  for (const file of listOwnFiles(folder, "checks"))
    checks.push(await testFile(file, options, (mart) => runCheck(mart, file)));
  return { reports, checks };
}

async function testFile(
  file: OwnFile,
  { settings, logger, signal }: TestOptions,
  run: (mart: PublishedMart) => Promise<Rows>,
): Promise<OwnTest> {
  const bounds = limitOwn(file, ownLimitsOf(settings));
  const limited = AbortSignal.any([signal, bounds.signal]);
  const startedAt = monotonicMs();
  const test: OwnTest = { file: file.path, rows: 0, ms: 0, sample: [] };
  try {
    if (file.problem) throw file.problem;
    const found = await withVersionOf(settings, { signal: limited, logger }, run);
    const ms = Math.round(monotonicMs() - startedAt);
    return { ...test, ...found, ms };
  } catch (error) {
    signal.throwIfAborted();
    return { ...test, ms: Math.round(monotonicMs() - startedAt), problem: getErrorMessage(error) };
  } finally {
    bounds.stop();
  }
}

async function runOwn(mart: PublishedMart, own: OwnReport, now: Date): Promise<Rows> {
  const options = parseReportOptions({ report: own.name, own });
  const report = await runReport(mart, options, now);
  const sample: object[] = [];
  let rows = 0;
  for await (const row of report.rows) {
    rows += 1;
    if (sample.length < sampleSize) sample.push(withoutBigints(toRecord(report.columns, row)));
  }
  return { rows, sample };
}

async function runCheck(mart: PublishedMart, file: OwnFile): Promise<Rows> {
  const { severity } = parseCheckHeader(file.path, file.sql);
  await checkOwnSelect(file, mart.parse, mart.tables);
  const sample: object[] = [];
  let rows = 0;
  try {
    const stream = await mart.stream(file.sql);
    for await (const row of stream.rows) {
      rows += 1;
      if (sample.length < sampleSize)
        sample.push(
          withoutBigints(
            Object.fromEntries(stream.columns.map(({ name }, index) => [name, row[index] ?? null])),
          ),
        );
    }
  } catch (error) {
    throw explainOwnError(file, error, 0);
  }
  return { rows, sample, severity };
}

/** JSON has no integers beyond 2^53. */
function withoutBigints(row: object): object {
  return JSON.parse(
    JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? String(value) : value)),
  );
}
