import type { Kind } from "../../../util/kind.ts";
import type { WorldPlan } from "../world-plan.ts";
import { linesOfDay } from "./day-lines.ts";

/** The lines of an export by what they are; `lines` is the sum of the others. */
export interface LineCounts {
  lines: number;
  /** Distinct plays with a duration over 0. */
  plays: number;
  /** Distinct records of no duration. */
  zeroSecond: number;
  /** Further lines about the same record: the same again, of a shorter duration, or with another artist. */
  repeated: number;
  broken: number;
  blank: number;
}

export interface LineCountsQuery {
  kind: Kind;
  groupId: number;
  visibleAt: Date;
  /** Where the fault `bad-lines` was on. @default 0 */
  badLineRate?: number | undefined;
}

export function countLines(plan: WorldPlan, query: LineCountsQuery): LineCounts {
  const { kind, groupId, visibleAt, badLineRate = 0 } = query;
  const counts = { lines: 0, plays: 0, zeroSecond: 0, repeated: 0, broken: 0, blank: 0 };
  for (const zone of plan.zones.filter((candidate) => candidate.groupIds.includes(groupId))) {
    for (let day = plan.firstDay; day < plan.firstDay + plan.days; day += 1) {
      for (const line of linesOfDay(plan, { kind, zone, day, atMs: visibleAt.getTime(), badLineRate })) {
        counts.lines += 1;
        if (!("play" in line)) counts[line.isBlank ? "blank" : "broken"] += 1;
        else if (line.isEcho) counts.repeated += 1;
        else counts[line.durationSecs > 0 ? "plays" : "zeroSecond"] += 1;
      }
    }
  }
  return counts;
}
