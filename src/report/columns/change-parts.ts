import type { ReportColumn, ReportValue } from "../report.ts";
import { countText, durationText, pointsText } from "../text/people-text.ts";
import { unitOf } from "./people-order.ts";

/** How much a figure changed, as people read it, and which way apart from its sign. */
export interface Change {
  /** `▲`, `▼` or `=`. */
  mark: string;
  /** `up`, `down` or `no change`, for whoever hears it. */
  word: string;
  /** E.g. `+312`, `-1.5 pp`; empty where nothing changed. */
  amount: string;
}

/** `undefined` of other columns, and where nothing is known. */
export function findChange(value: ReportValue, column: ReportColumn): Change | undefined {
  if (column.compared?.is !== "change" || value === null) return undefined;
  const change = Number(value);
  if (change === 0) return { mark: "=", word: "no change", amount: "" };
  const unit = unitOf(column);
  const size = Math.abs(change);
  const text =
    unit === "share" ? pointsText(size, "pp") : unit === "seconds" ? durationText(size) : countText(size);
  return change > 0
    ? { mark: "▲", word: "up", amount: `+${text}` }
    : { mark: "▼", word: "down", amount: `-${text}` };
}

/** In one text, e.g. `▲ +312`. */
export function changeMark(value: ReportValue, column: ReportColumn): string | undefined {
  const change = findChange(value, column);
  return change && `${change.mark} ${change.amount}`.trimEnd();
}
