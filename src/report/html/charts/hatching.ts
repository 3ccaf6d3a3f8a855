import type { DayData } from "../../text/data-end.ts";
import type { Html } from "../html.ts";
import type { Area, Places } from "./axis.ts";
import type { LegendEntry } from "./drawing.ts";
import { palette } from "./palette.ts";
import { definePatterns, patternMarks } from "./pattern.ts";
import { element, title } from "./svg.ts";

const said: Readonly<Record<Exclude<DayData, "whole">, string>> = { part: "only in part", none: "no data" };

/** In words, e.g. ` (only in part)` after a value; nothing of what is whole. */
export function partText(data: DayData | undefined): string {
  return data === "part" ? ` (${said.part})` : "";
}

/**
 * Stripes over the places that the data covers in part or not at all, so that a low value there is not taken for a fall.
 * @param id of this drawing alone
 * @param names of the places, e.g. days, for whoever points at one
 */
export function hatch(
  data: readonly (DayData | undefined)[],
  names: readonly string[],
  { area, places, id }: { area: Area; places: Places; id: string },
): Html[] {
  const stripes = data.flatMap((state = "whole", index) => {
    if (state === "whole") return [];
    const shape = { x: places.middle(index) - places.size / 2, y: area.top, width: places.size };
    const fill = { height: area.bottom - area.top, fill: `url(#${id}-stripes)` };
    return [element("rect", { ...shape, ...fill }, title(`${names[index]}: ${said[state]}`))];
  });
  return stripes.length === 0 ? [] : [definePatterns(id, ["stripes"], palette.grey), ...stripes];
}

/** What the stripes mean, where there are any. */
export function hatchLegend(data: readonly (DayData | undefined)[]): LegendEntry[] {
  const states = (["part", "none"] as const).filter((state) => data.includes(state));
  if (states.length === 0) return [];
  const label = `${states.map((state) => said[state]).join(", or ")} (striped)`;
  return [{ label, colour: palette.paleGrey, mark: patternMarks.stripes }];
}
