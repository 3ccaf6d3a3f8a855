import type { SortOrder } from "../../state/data/walks.ts";

/** The order that records were seen in; `same` while all began at one instant. */
export type SeenOrder = SortOrder | "same";

/** The order that holds for what was seen before and for further instants, the last one seen first. */
export function extendOrder(before: SeenOrder, instantsMs: readonly number[]): SeenOrder {
  let order = before;
  let last = Number.NaN;
  for (const instant of instantsMs) {
    if (Number.isNaN(instant)) continue;
    if (!Number.isNaN(last) && instant !== last) order = combine(order, instant < last ? "newest" : "oldest");
    last = instant;
  }
  return order;
}

function combine(order: SeenOrder, step: "newest" | "oldest"): SeenOrder {
  return order === "same" || order === step ? step : "unsorted";
}
