import { type CalendarDay, dayMs } from "../calendar-day.ts";
import type { Naming } from "../random.ts";
import type { AssetPlan } from "./campaign-plans.ts";
import type { ContentKind } from "./content-kind.ts";

export interface Asset {
  kind: ContentKind;
  itemId: number;
  naming: Naming;
  /** Group that owns the asset. */
  groupId: number;
  durationSecs: number;
  addDay: CalendarDay;
  /** First and last day on which the asset may play, inclusive; undefined means no limit. */
  startDay: CalendarDay | undefined;
  endDay: CalendarDay | undefined;
}

export function planAsset(
  kind: ContentKind,
  groupId: number,
  firstDay: CalendarDay,
  { id, name, renamed, secs, start, end }: AssetPlan,
): Asset {
  return {
    kind,
    itemId: id,
    naming: {
      name,
      ...(renamed && { renamed: { name: renamed.name, atMs: (firstDay + renamed.on) * dayMs } }),
    },
    groupId,
    durationSecs: secs,
    addDay: firstDay - 90 + id,
    startDay: start === undefined ? undefined : firstDay + start,
    endDay: end === undefined ? undefined : firstDay + end,
  };
}
