import { parseCheckHeader } from "../../build/run-checks.ts";
import { customFolderOf, customLimitsOf } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { type CustomFile, limitCustom, listCustomFiles } from "../../mart/custom/custom-file.ts";
import { checkCustomSelect, explainCustomError } from "../../mart/custom/custom-select.ts";
import { toRecord } from "../../report/columns/list-columns.ts";
import type { CustomReport } from "../../report/custom/custom-report.ts";
import { listCustomReports } from "../../report/custom/list-custom-reports.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { withVersionOf } from "../../report/published/with-version-of.ts";
import { runReport } from "../../report/run-report.ts";
import { monotonicMs } from "../../util/clock.ts";
import type { Logger } from "../../util/logger.ts";
import { getErrorMessage } from "../../util/venue-error.ts";

export interface CustomTest {
  file: string;
  /** Absent for reports. */
  severity?: "error" | "warn";
  /** All rows of a report; failing rows of a check. */
  rows: number;
  ms: number;
  /** The first rows. */
  sample: object[];
  /** The reason why the file can't be run. */
  problem?: string;
}

interface TestOptions {
  settings: Settings;
  now: Date;
  logger: Logger;
  signal: AbortSignal;
}

type Rows = Pick<CustomTest, "rows" | "sample" | "severity">;

const sampleSize = 5;

/** Runs all custom reports, with their default periods, and all custom checks on the published version. */
export async function testCustom(
  options: TestOptions,
): Promise<{ reports: CustomTest[]; checks: CustomTest[] }> {
  const folder = customFolderOf(options.settings);
  const reports: CustomTest[] = [];
  for (const custom of listCustomReports(folder))
    reports.push(await testFile(custom, options, (mart) => runCustom(mart, custom, options.now)));
  const checks: CustomTest[] = [];
  for (const file of listCustomFiles(folder, "checks"))
    checks.push(await testFile(file, options, (mart) => runCheck(mart, file)));
  return { reports, checks };
}

async function testFile(
  file: CustomFile,
  { settings, logger, signal }: TestOptions,
  run: (mart: PublishedMart) => Promise<Rows>,
): Promise<CustomTest> {
  const bounds = limitCustom(file, customLimitsOf(settings));
  const limited = AbortSignal.any([signal, bounds.signal]);
  const startedAt = monotonicMs();
  const test: CustomTest = { file: file.path, rows: 0, ms: 0, sample: [] };
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

async function runCustom(mart: PublishedMart, custom: CustomReport, now: Date): Promise<Rows> {
  const options = parseReportOptions({ report: custom.name, custom });
  const report = await runReport(mart, options, now);
  const sample: object[] = [];
  let rows = 0;
  for await (const row of report.rows) {
    rows += 1;
    if (sample.length < sampleSize) sample.push(withoutBigints(toRecord(report.columns, row)));
  }
  return { rows, sample };
}

async function runCheck(mart: PublishedMart, file: CustomFile): Promise<Rows> {
  const { severity } = parseCheckHeader(file.path, file.sql);
  await checkCustomSelect(file, mart.parse, mart.tables);
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
    throw explainCustomError(file, error, 0);
  }
  return { rows, sample, severity };
}

/** JSON has no integers beyond 2^53. */
function withoutBigints(row: object): object {
  return JSON.parse(
    JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? String(value) : value)),
  );
}
