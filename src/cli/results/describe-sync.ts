import type { SyncPlan } from "../../extract/plan/plan-sync.ts";
import type { LoadResult } from "../../load/history/load-history.ts";
import {
  listCollectorWork,
  listUnfinishedWork,
  type StoreLoadResult,
  type SyncResult,
} from "../../pipeline/sync-result.ts";
import { countOf, formatDuration } from "../../util/text/words.ts";
import { combineExitCodes, exitCodes, findingIf, getExitCode } from "../exit-code.ts";
import {
  describeLoad,
  describeRejectedLoad,
  findFullyRejectedLoads,
  loadsExitCode,
  summarizeLoad,
} from "./describe-load.ts";

/**
 * Maximum number of loads listed. If there are more, only those with rejected or vanished lines are listed.
 */
const maxListedLoads = 40;

/** Missing or partial responses from the service are failures. Work left for the next sync is not. */
export function syncExitCode({ loads, failures, incomplete, referenceProblems }: SyncResult): number {
  return combineExitCodes([
    loadsExitCode(loads),
    findingIf(referenceProblems.length > 0),
    ...failures.map(({ error }) => getExitCode(error)),
    incomplete.length > 0 ? exitCodes.service : exitCodes.done,
  ]);
}

/** @param handedOver text for the last line about where the landings went */
export function describeSync(result: SyncResult, handedOver = describeLoaded(result)) {
  const { requests, statusRequests, seconds, loads, listings, failures, incomplete, isStopped } = result;
  const rejectedWhole = findFullyRejectedLoads(loads).length;
  const note =
    `${countOf(requests, "request")}, ${handedOver}, ${countOf(failures.length, "source")} failed` +
    `${incomplete.length > 0 ? `, ${incomplete.length} incomplete` : ""}` +
    `${rejectedWhole > 0 ? `, ${countOf(rejectedWhole, "load")} without a valid line` : ""}.` +
    `${isStopped ? " Stopped at the time limit; the next sync continues." : ""}`;
  return {
    text: [...describeLoads(loads), ...describeSources(result), ...limitNotes(result.notes), note].join("\n"),
    problems: describeProblems(result),
    note: [result.nothing?.message ?? note, ...result.referenceProblems].join(" "),
    unfinished: listUnfinishedWork(result),
    statusRequests,
    summary: {
      requests,
      status_requests: statusRequests,
      seconds: Math.round(seconds * 10) / 10,
      bytes: result.bytes,
      is_stopped: isStopped,
      plan: summarizePlan(result.plan),
      sources: result.sources,
      loads: loads.map(summarizeLoad),
      listings,
      notes: result.notes,
      incomplete,
      failures: failures.map(({ source, error }) => ({ source, error: error.message })),
    },
  };
}

/** Describes what was loaded from a landing store. */
export function describeStoreLoad({
  loads,
  listings,
  failures,
  referenceProblems,
  collectors,
}: StoreLoadResult) {
  const unfinished = listCollectorWork(collectors);
  const note = `${describeLoaded({ loads, listings })} from ${countOf(collectors.length, "collector")}${failures.length > 0 ? `, ${failures.length} damaged` : ""}.`;
  return {
    text: [...describeLoads(loads), note].join("\n"),
    problems: [
      ...failures.map(({ error }) => error.message),
      ...unfinished.map(({ subject, value, note: why }) => `Not finished: ${subject} ${value}: ${why}`),
      ...findFullyRejectedLoads(loads).map(describeRejectedLoad),
      ...referenceProblems,
    ],
    note: [note, ...referenceProblems].join(" "),
    unfinished,
    exitCode: combineExitCodes([
      loadsExitCode(loads),
      findingIf(referenceProblems.length > 0),
      ...failures.map(({ error }) => getExitCode(error)),
    ]),
    summary: {
      loads: loads.map(summarizeLoad),
      listings,
      failures: failures.map(({ source, error }) => ({ source, error: error.message })),
      collectors: collectors.map(({ name, host, lastLandingAt }) => ({
        name,
        host,
        last_landing_at: lastLandingAt?.toISOString() ?? null,
      })),
    },
  };
}

function describeLoaded({ loads, listings }: Pick<SyncResult, "loads" | "listings">): string {
  return `${loads.length} histories and ${countOf(listings, "listing")} loaded`;
}

function describeProblems(result: SyncResult): string[] {
  const { loads, failures, incomplete, nothing, sources, referenceProblems } = result;
  const isAll = (sources.status?.complete ?? 0) === 0;
  return [
    ...(nothing
      ? [`Nothing was collected${isAll ? "" : " from the main API"}: ${nothing.message}`]
      : describeFailures(failures)),
    ...incomplete.map(({ source, why }) => `Incomplete: ${source}: ${why}. The next sync reads it again.`),
    ...findFullyRejectedLoads(loads).map(describeRejectedLoad),
    ...referenceProblems,
  ];
}

/** Returns one line per error, because an unreachable service fails every source with the same error. */
function describeFailures(failures: SyncResult["failures"]): string[] {
  return [...new Set(failures.map(({ error }) => error))].map((error) => {
    const [first = "", ...others] = failures.filter((one) => one.error === error).map(({ source }) => source);
    const more = others.length > 0 ? ` and ${countOf(others.length, "other source")}` : "";
    return `Not collected: ${first}${more}: ${error.message}`;
  });
}

function describeLoads(loads: readonly LoadResult[]): string[] {
  if (loads.length <= maxListedLoads) return loads.map(describeLoad);
  const shown = loads.filter(({ rejected, vanished }) => rejected + vanished > 0);
  const count = (name: "lines" | "newPlays" | "changed") => loads.reduce((sum, load) => sum + load[name], 0);
  const sum = `${countOf(count("lines"), "line")}: ${count("newPlays")} new, ${count("changed")} changed`;
  return [...shown.slice(0, maxListedLoads).map(describeLoad), `${loads.length} loads, ${sum}.`];
}

/** Returns one line per topic, with the numbers of complete and other sources. */
function describeSources({ sources, seconds }: SyncResult): string[] {
  const lines = Object.entries(sources).map(
    ([topic, { expected, complete, incomplete, failed, left, earlier }]) => {
      const others = Object.entries({
        incomplete,
        failed,
        "left for the next sync": left,
        "collected before this run was resumed": earlier,
      });
      const shown = others.filter(([, count]) => count > 0).map(([name, count]) => `, ${count} ${name}`);
      return `${topic}: ${complete} of ${expected} sources complete${shown.join("")}.`;
    },
  );
  return lines.length > 0 ? [...lines, `Collected in ${formatDuration(seconds)}.`] : [];
}

/** Shortens the list of notes, because many zones may have the same one. */
function limitNotes(notes: readonly string[]): string[] {
  return notes.length <= 10 ? [...notes] : [...notes.slice(0, 10), `… and ${notes.length - 10} more notes.`];
}

/** Formats a plan: one line per step, most important first. */
export function describePlan(plan: SyncPlan): string {
  const { steps, requests, seconds, unknown, unknownListings, stopsAfterMinutes } = plan;
  const lines = steps.map(({ what, requests: count, seconds: duration, why }) => {
    const cost =
      count === undefined
        ? "as many requests as needed"
        : `${countOf(count, "request")}, ${formatDuration(duration ?? 0)}`;
    return `${what}: ${cost} (${why})`;
  });
  const more = [
    unknown > 0 ? `, and ${unknown} histories of unknown size` : "",
    unknownListings > 0
      ? `, and listings of zones not known yet (four each, ${unknownListings} at most)`
      : "",
  ].join("");
  return [
    ...lines,
    `Total: ${countOf(requests, "request")} to the main API, ${formatDuration(seconds)} at the agreed rate${more}.`,
    ...(stopsAfterMinutes === undefined
      ? []
      : [`Stops after ${countOf(stopsAfterMinutes, "minute")} (--max-minutes); the next sync continues.`]),
  ].join("\n");
}

export function summarizePlan(plan: SyncPlan): object {
  const { steps, history, requests, seconds, unknown, unknownListings, stopsAfterMinutes } = plan;
  return {
    requests,
    seconds: Math.round(seconds * 10) / 10,
    unknown_histories: unknown,
    unknown_listings: unknownListings,
    stops_after_minutes: stopsAfterMinutes ?? null,
    history: history.map(({ groupId, kind, way, cost, why }) => ({
      group_id: groupId,
      kind,
      way,
      requests: cost?.requests ?? null,
      seconds: cost ? Math.round(cost.seconds * 10) / 10 : null,
      why,
    })),
    steps: steps.map(({ what, requests: count, seconds: duration, why }) => ({
      what,
      requests: count ?? null,
      minutes: duration === undefined ? null : Math.round((duration / 60) * 100) / 100,
      why,
    })),
  };
}
