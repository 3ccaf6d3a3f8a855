import type { CheckResult } from "../../build/run-checks.ts";
import type { BuildResult } from "../../pipeline/build.ts";
import { combineExitCodes, exitCodes } from "../exit-code.ts";

/** A check that stopped the publish is a finding. */
export function buildExitCode({ published }: BuildResult): number {
  return combineExitCodes([published ? exitCodes.done : exitCodes.finding]);
}

/** A build's result for people and programs. */
export function describeBuild({ built, checks, published }: BuildResult) {
  const outcome = published
    ? `Published ${published.version} in ${published.folder} (${published.linkedFiles} files unchanged).`
    : `Not published: a check found errors in ${built.version}. What was published before stays.`;
  const changed = `${built.dirtyDays} days rebuilt, ${built.restatedDays} restated; ${built.dataAsOf ? `data as of ${built.dataAsOf} UTC.` : "no history was loaded yet: venue sync, or venue load, brings it."}`;
  return {
    text: [changed, describeChecks(checks), outcome].filter(Boolean).join("\n"),
    note: outcome,
    summary: {
      version: built.version,
      dirty_days: built.dirtyDays,
      restated_days: built.restatedDays,
      data_as_of: built.dataAsOf,
      checks: summarizeChecks(checks),
      published: published?.folder ?? null,
    },
  };
}

/** Failing checks with the first of their rows, then a count. */
export function describeChecks(checks: readonly CheckResult[]): string {
  const failing = checks.filter(({ failingRows }) => failingRows > 0);
  const paragraphs = failing.map(
    ({ name, severity, description, failingRows, sample }) =>
      `${severity === "error" ? "ERROR" : "warning"} ${name}: ${failingRows} rows fail. It should hold: ${description}\n` +
      sample.map((row) => `  ${JSON.stringify(row)}`).join("\n"),
  );
  const errors = failing.filter(({ severity }) => severity === "error").length;
  return [
    ...paragraphs,
    `${checks.length} checks: ${errors} found errors, ${failing.length - errors} found something to look at.`,
  ].join("\n");
}

export function summarizeChecks(checks: readonly CheckResult[]): object[] {
  return checks.map(({ name, severity, failingRows, sample }) => ({
    name,
    severity,
    failing_rows: failingRows,
    sample,
  }));
}
