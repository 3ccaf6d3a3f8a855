import type { RunResult } from "../../pipeline/run.ts";
import { countOf } from "../../util/text/words.ts";
import { combineExitCodes } from "../exit-code.ts";
import {
  buildExitCode,
  describeBuild,
  describeRejectedLoad,
  findFullyRejectedLoads,
  formatSource,
} from "./describe-load.ts";
import { describeStoreLoad, describeSync, syncExitCode } from "./describe-sync.ts";

export function runExitCode(result: RunResult): number {
  const { build } = result;
  return combineExitCodes([describeLoaded(result).exitCode, ...(build ? [buildExitCode(build)] : [])]);
}

/** Describes the first part of a run: a sync, or a load from a landing store. */
function describeLoaded({ loaded }: RunResult) {
  if ("collectors" in loaded) return describeStoreLoad(loaded);
  return { ...describeSync(loaded), exitCode: syncExitCode(loaded) };
}

export function describeRun(result: RunResult) {
  const { loaded, build, reports } = result;
  const synced = describeLoaded(result);
  const built = build && describeBuild(build);
  const failure = describeFailure(result);
  // A custom report that fails does not stop the others.
  const customProblems = (reports?.custom ?? []).flatMap(({ problem }) => problem ?? []);
  const referenceProblems = new Set([...loaded.referenceProblems, ...(build?.referenceProblems ?? [])]);
  const customNote = `${countOf(customProblems.length, "custom report")} could not be created.`;
  return {
    text: [
      synced.text,
      ...(built ? [built.text] : []),
      ...(reports ? [`Reports: ${reports.index} (${countOf(reports.files.length, "file")})`] : []),
      ...(customProblems.length > 0 ? [customNote] : []),
    ].join("\n"),
    // If nothing was collected, the failure already includes the problems.
    problems: [
      ...new Set([
        ...(built ? synced.problems : []),
        ...referenceProblems,
        ...customProblems,
        ...(failure ? [failure] : []),
      ]),
    ],
    note: failure
      ? [failure, ...referenceProblems].join(" ")
      : [
          synced.note,
          ...(built ? [built.note] : []),
          ...(customProblems.length > 0 ? [customNote] : []),
        ].join(" "),
    unfinished: synced.unfinished,
    ...("statusRequests" in synced && { statusRequests: synced.statusRequests }),
    summary: {
      ["collectors" in loaded ? "load" : "sync"]: synced.summary,
      build: built?.summary ?? null,
      reports: reports?.files ?? [],
      index: reports?.index ?? null,
      own_reports: reports?.custom.map(({ name, problem = null }) => ({ name, problem })) ?? [],
    },
  };
}

/** Number of sources listed by name. */
const maxListedSources = 10;

/** Describes in one line why a run failed and which data is stale. */
function describeFailure({ loaded, build }: RunResult): string | undefined {
  const { failures } = loaded;
  const incomplete = "incomplete" in loaded ? loaded.incomplete : [];
  const rejected = findFullyRejectedLoads(loaded.loads);
  const sources = [
    ...[...failures, ...incomplete].map(({ source }) => source),
    ...rejected.map(formatSource),
  ];
  const reasons = [
    ...[...new Set(failures.map(({ error }) => error))].map(({ message }) => message),
    ...incomplete.map(({ why }) => why),
    ...rejected.map(describeRejectedLoad),
    ...(build?.checks ?? [])
      .filter(({ severity, failingRows }) => severity === "error" && failingRows > 0)
      .map(({ name, file = name }) => `the check ${file} found errors`),
  ];
  const [first] = reasons;
  if (first === undefined) return undefined;
  const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : "";
  const others = sources.length - maxListedSources;
  const stale = build?.published
    ? `data from ${sources.slice(0, maxListedSources).join("; ")}${others > 0 ? ` and ${countOf(others, "other source")}` : ""}`
    : "all published data and reports, which are unchanged";
  const age = build
    ? `; data as of ${build.built.dataAsOf ? `${build.built.dataAsOf} UTC` : "no load yet"}`
    : "";
  return `Failed: ${first.replace(/\.$/, "")}${more}. Stale: ${stale}${age}.`;
}
