import type { LoadResult } from "../../load/history/load-history.ts";
import { countOf } from "../../util/text/words.ts";
import { exitCodes } from "../exit-code.ts";

/** One line for people, e.g. `Load 3, music export of group 58429: 120 lines = 100 new + 20 unchanged`. */
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
  return `Load ${load.loadId}, ${nameOf(load)}: ${countOf(load.lines, "line")} = ${sum}${notes.join("")}`;
}

/** E.g. `music export of group 58429`. */
export function nameOf({ kind, source, groupId, zoneId }: LoadResult): string {
  const owner = groupId !== null ? ` of group ${groupId}` : zoneId !== null ? ` of zone ${zoneId}` : "";
  return `${kind} ${source}${owner}`;
}

/**
 * The loads of which no line could be taken: they are no history of their kind at all. A walk brings no more than is new,
 * often one line, so that all walks of a kind are judged together.
 */
export function findRejectedWhole(loads: readonly LoadResult[]): LoadResult[] {
  return loads.filter((load) => {
    if (load.rejected === 0) return false;
    const together =
      load.source === "walk"
        ? loads.filter(({ source, kind }) => source === "walk" && kind === load.kind)
        : [load];
    return together.every(({ lines, blank, rejected }) => rejected === lines - blank);
  });
}

export function describeRejectedWhole({ loadId, kind, rejected }: LoadResult): string {
  const what = rejected === 1 ? "its only line is not" : `not one of ${rejected} lines is`;
  return `Load ${loadId}: ${what} ${kind} history. See \`venue rejects --load ${loadId}\`.`;
}

/** A file that is no history is a finding. */
export function loadsExitCode(loads: readonly LoadResult[]): number {
  return findRejectedWhole(loads).length > 0 ? exitCodes.finding : exitCodes.done;
}

/** For programs: the columns of `fact_load`. */
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
