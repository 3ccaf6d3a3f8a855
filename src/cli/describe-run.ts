import type { RunResult } from "../pipeline/run.ts";
import { buildExitCode, describeBuild } from "./describe-build.ts";
import { describeSync, syncExitCode } from "./describe-sync.ts";
import { combineExitCodes } from "./exit-code.ts";

export function runExitCode({ sync, build }: RunResult): number {
  return combineExitCodes([syncExitCode(sync), buildExitCode(build)]);
}

/** The scheduled job's result for people and programs. */
export function describeRun({ sync, build, reports }: RunResult) {
  const synced = describeSync(sync);
  const built = describeBuild(build);
  const failure = describeFailure({ sync, build });
  return {
    text: [
      synced.text,
      built.text,
      ...(reports ? [`Reports: ${reports.index} (${reports.files.length} files)`] : []),
    ].join("\n"),
    problems: [...synced.problems, ...(failure ? [failure] : [])],
    note: failure ?? `${synced.note} ${built.note}`,
    summary: {
      sync: synced.summary,
      build: built.summary,
      reports: reports?.files ?? [],
      index: reports?.index ?? null,
    },
  };
}

/** In one line why a run failed, and which figures are older than they should be. */
function describeFailure({ sync, build }: Pick<RunResult, "sync" | "build">): string | undefined {
  const { failures, incomplete } = sync;
  const sources = [...failures, ...incomplete].map(({ source }) => source);
  const reasons = [
    ...failures.map(({ error }) => error.message),
    ...incomplete.map(({ why }) => why),
    ...build.checks
      .filter(({ severity, failingRows }) => severity === "error" && failingRows > 0)
      .map(({ name }) => `the check ${name} found errors`),
  ];
  const [first] = reasons;
  if (first === undefined) return undefined;
  const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : "";
  const stale = build.published
    ? `what comes from ${sources.join("; ")}`
    : "everything that is published, and all reports: they stay as they were";
  return `Failed: ${first.replace(/\.$/, "")}${more}. Stale: ${stale}; data as of ${build.built.dataAsOf ?? "no load yet"}.`;
}
