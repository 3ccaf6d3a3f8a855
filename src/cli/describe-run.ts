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
  return {
    text: [synced.text, built.text, ...reports.map((file) => `Report: ${file}`)].join("\n"),
    problems: synced.problems,
    note: `${synced.note} ${built.note}`,
    summary: { sync: synced.summary, build: built.summary, reports },
  };
}
