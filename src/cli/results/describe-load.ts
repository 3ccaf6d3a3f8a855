import type { CheckResult } from "../../build/run-checks.ts";
import { catalogs } from "../../engines/trino/trino-options.ts";
import type { LoadResult } from "../../load/history/load-history.ts";
import type { BuildResult } from "../../pipeline/build.ts";
import type { TrinoBuildResult } from "../../pipeline/build-on-trino.ts";
import { formatInstant } from "../../report/text/cell-text.ts";
import { countOf } from "../../util/text/words.ts";
import { findingIf } from "../exit-code.ts";

/**
 * Describes a load in one line, e.g.
 * `Load 3, music export of group 58429: 120 lines = 100 new + 20 unchanged`.
 */
export function describeLoad(load: LoadResult): string {
  const parts = Object.entries({
    new: load.newPlays,
    changed: load.changed,
    unchanged: load.unchanged,
    duplicate: load.duplicate,
    rejected: load.rejected,
    blank: load.blank,
  }).filter(([, count]) => count > 0);
  const sum = parts.map(([name, count]) => `${count} ${name}`).join(" + ") || "0";
  const notes = [
    load.zeroSecond > 0 ? `; ${load.zeroSecond} of zero seconds` : "",
    load.vanished > 0 ? `; ${load.vanished} vanished` : "",
    load.rejected > 0 ? " (see `venue rejects`)" : "",
  ];
  return `Load ${load.loadId}, ${formatSource(load)}: ${countOf(load.lines, "line")} = ${sum}${notes.join("")}`;
}

/** Describes a load's source, e.g. `music export of group 58429`. */
export function formatSource({ kind, source, groupId, zoneId }: LoadResult): string {
  const owner = groupId !== null ? ` of group ${groupId}` : zoneId !== null ? ` of zone ${zoneId}` : "";
  return `${kind} ${source}${owner}`;
}

/**
 * Returns loads whose lines were all rejected, so their files do not contain history of their kind. A walk
 * has only new lines, often just one, so all walks of a kind are evaluated together.
 */
export function findFullyRejectedLoads(loads: readonly LoadResult[]): LoadResult[] {
  return loads.filter((load) => {
    if (load.rejected === 0) return false;
    const together =
      load.source === "walk"
        ? loads.filter(({ source, kind }) => source === "walk" && kind === load.kind)
        : [load];
    return together.every(({ lines, blank, rejected }) => rejected === lines - blank);
  });
}

export function describeRejectedLoad({ loadId, kind, rejected }: LoadResult): string {
  const what = rejected === 1 ? "the only line is not" : `none of the ${rejected} lines is`;
  return `Load ${loadId}: ${what} ${kind} history. See \`venue rejects --load ${loadId}\`.`;
}

/** Returns the exit code for a finding if all lines of a file were rejected. */
export function loadsExitCode(loads: readonly LoadResult[]): number {
  return findingIf(findFullyRejectedLoads(loads).length > 0);
}

/** Returns a load's counts under the column names of `fact_load`. */
export function summarizeLoad(load: LoadResult): object {
  return {
    load_id: load.loadId,
    source: load.source,
    kind: load.kind,
    group_id: load.groupId,
    zone_id: load.zoneId,
    bytes: load.bytes,
    lines: load.lines,
    new_plays: load.newPlays,
    changed: load.changed,
    unchanged: load.unchanged,
    duplicate: load.duplicate,
    rejected: load.rejected,
    blank: load.blank,
    zero_second: load.zeroSecond,
    vanished: load.vanished,
  };
}

/** Returns the exit code for a finding if a check prevented the publish, or a reference file was not applied. */
export function buildExitCode({ published, referenceProblems }: BuildResult): number {
  return findingIf(published === undefined || referenceProblems.length > 0);
}

export function describeBuild(result: BuildResult) {
  const { built, published, referenceProblems } = result;
  const outcome = published
    ? `Published ${published.version} in ${published.folder} (${countOf(published.linkedFiles, "file")} unchanged).`
    : `Not published: a check found errors in ${built.version}. The previously published version stays.`;
  const described = describeOutcome(result, outcome, published?.folder ?? null);
  return {
    ...described,
    note: [outcome, ...referenceProblems].join(" "),
    problems: referenceProblems,
  };
}

export function describeTrinoBuild(result: TrinoBuildResult) {
  const { built, isShown } = result;
  const outcome = isShown
    ? `Published ${built.version}: the catalog ${catalogs.mart} shows it.`
    : `Not published: a check found errors in ${built.version}. The previously published version stays; the catalog ${catalogs.build} shows this build until the next one.`;
  return {
    ...describeOutcome(result, outcome, isShown ? catalogs.mart : null),
    exitCode: findingIf(!isShown),
  };
}

function describeOutcome(
  { built, checks }: Pick<BuildResult, "built" | "checks">,
  outcome: string,
  published: string | null,
) {
  const changed = `${countOf(built.dirtyDays, "day")} rebuilt, ${built.restatedDays} restated; ${built.dataAsOf ? `data as of ${built.dataAsOf} UTC.` : "no history loaded yet: run `venue sync` or `venue load`."}`;
  return {
    text: [changed, describeChecks(checks), outcome].join("\n"),
    note: outcome,
    summary: {
      version: built.version,
      dirty_days: built.dirtyDays,
      restated_days: built.restatedDays,
      data_as_of: built.dataAsOf === null ? null : formatInstant(built.dataAsOf),
      checks: summarizeChecks(checks),
      published,
    },
  };
}

/** Lists failing checks with their first failing rows, then the number of errors and warnings. */
export function describeChecks(checks: readonly CheckResult[]): string {
  const failing = checks.filter(({ failingRows, problem }) => failingRows > 0 || problem !== undefined);
  const paragraphs = failing.map(
    ({ name, file = name, severity, description, failingRows, sample, problem }) =>
      problem !== undefined
        ? `warning: a check did not run: ${problem}`
        : `${severity === "error" ? "ERROR" : "warning"} ${file}: ${failingRows === 1 ? "1 row fails" : `${failingRows} rows fail`}. Expected: ${description}\n` +
          sample.map((row) => `  ${JSON.stringify(row)}`).join("\n"),
  );
  if (failing.length === 0) return `${checks.length} checks passed.`;
  const errors = failing.filter(
    ({ severity, problem }) => severity === "error" && problem === undefined,
  ).length;
  const warnings = failing.length - errors;
  return [
    ...paragraphs,
    `${checks.length} checks: ${countOf(errors, "error")}, ${countOf(warnings, "warning")}.`,
  ].join("\n");
}

export function summarizeChecks(checks: readonly CheckResult[]): object[] {
  return checks.map(({ name, severity, failingRows, sample, file, problem }) => ({
    name,
    severity,
    failing_rows: failingRows,
    sample,
    ...(file !== undefined && { file, problem: problem ?? null }),
  }));
}
