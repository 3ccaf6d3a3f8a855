import { createDrillDown } from "../../address/drill-down.ts";
import { nameZone } from "../../findings/names.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import { type MapChart, palette } from "../charts/chart.ts";
import type { Row } from "../page-sources.ts";
import type { ReadCharts, TotalledPage } from "../report-page.ts";

export interface ZoneMap {
  title: string;
  /** Name of the measure, e.g. `compliance`. */
  figure: string;
  /** SQL over the report's rows `r` by zone: what a symbol counts and, for a ratio, the total. */
  amount: string;
  total?: string;
  /** Ratio that is good enough, 0 to 1. @default 1 */
  target?: number | undefined;
  /** Labels of 1, over a half, half or less, and an unknown ratio; absent without a total. */
  shares?: readonly [string, string, string, string];
  /** Formats a known value for a symbol, e.g. `38 of 40 zone days ran, 95.0 %`. */
  textOf(amount: number, total: number): string;
}

/**
 * Draws a report's zones at their locations, rated by its target or by the limits of its heat maps. Draws nothing
 * unless two locations have coordinates.
 */
export function mapZones(mapped: ZoneMap): ReadCharts {
  return async (page) => {
    const { title, figure, amount, total, shares, target } = mapped;
    const used = `${amount} ${total ?? ""}`.matchAll(/\br\.(\w+)/g);
    const measures = Array.from(used, ([, name = ""]) => name);
    const rows = await page.aggregate((zones) => selectLocations(zones, mapped), { by: ["zone"], measures });
    const located = rows.filter(hasCoordinates);
    const positions = new Set(located.map(({ latitude, longitude }) => `${latitude} ${longitude}`));
    if (positions.size < 2) return [];
    const missing = sum(rows, "zones") - sum(located, "zones");
    const without =
      missing === 0
        ? ""
        : `; ${formatQuantity(missing, "zone")} without coordinates ${missing === 1 ? "is" : "are"} not shown`;
    return [
      {
        kind: "map",
        title,
        summary: `${formatQuantity(sum(located, "zones"), "zone")} in ${formatQuantity(located.length, "location")}${without}. Nearby locations share a symbol; larger symbols stand for more ${shares ? "zones" : figure}.`,
        figure,
        levels: shares
          ? listLevels(shares, target)
          : [{ label: figure, shape: "circle", colour: palette.blue }],
        places: located.map(({ latitude, longitude, zones, amount: size }) => ({
          latitude: Number(latitude),
          longitude: Number(longitude),
          size: Number(shares ? zones : size),
        })),
        describe: (members) =>
          describeSymbol(
            members.map((index) => located[index] ?? {}),
            mapped,
            page,
          ),
      },
    ];
  };
}

/** Selects one row per location, and one for zones without a location. */
function selectLocations(zones: string, { amount, total = "cast(null as bigint)" }: ZoneMap): string {
  return `select
      l.location_id,
      l.location_name,
      l.city,
      l.latitude,
      l.longitude,
      count(*) as zones,
      min(r.zone_id) as zone_id,
      min(r.zone_name) as zone_name,
      cast(sum(${amount}) as bigint) as amount,
      cast(sum(${total}) as bigint) as total,
      min(cast(${amount} as double) / nullif(${total}, 0)) as lowest_share
    from ${zones}
    left join dim_zone as z on z.zone_id = r.zone_id
    left join dim_location as l on l.location_id = z.location_id
    group by l.location_id, l.location_name, l.city, l.latitude, l.longitude
    order by l.location_id`;
}

/** Returns false also for 0° N 0° E, in the sea, which devices without a known location may report. */
function hasCoordinates({ latitude, longitude }: Row): boolean {
  if (latitude == null || longitude == null) return false;
  const [north, east] = [Math.abs(Number(latitude)), Math.abs(Number(longitude))];
  return north <= 90 && east <= 180 && north + east > 0;
}

function listLevels(
  [whole, most, few, unknown]: NonNullable<ZoneMap["shares"]>,
  target: number | undefined,
): MapChart["levels"] {
  const labels =
    target === undefined
      ? ([whole, most, few] as const)
      : ([
          `target of ${formatPercent(target)} met`,
          "target met together, but not in every zone",
          "below the target",
        ] as const);
  return [
    { label: labels[0], shape: "circle", colour: palette.blue },
    { label: labels[1], shape: "triangle", colour: palette.amber },
    { label: labels[2], shape: "diamond", colour: palette.orange },
    { label: unknown, shape: "square", colour: palette.grey },
  ];
}

/** Describes places that share a symbol, with the level of the report's row for all of them. */
function describeSymbol(
  places: readonly Row[],
  { shares, target, textOf }: ZoneMap,
  { names, link, request, period }: TotalledPage,
): ReturnType<MapChart["describe"]> {
  const [zones, amount, total] = [sum(places, "zones"), sum(places, "amount"), sum(places, "total")];
  const [first = {}] = places;
  const isZone = zones === 1;
  const label = isZone ? nameZone(first, names) : nameLocations(places, names);
  const ids = places.map(({ location_id }) => location_id).sort((a, b) => Number(a) - Number(b));
  const describe = (level: number, value: string, text: string) => ({
    ...{ label, level, value, zones: formatCount(zones) },
    description: `${label}${isZone ? "" : ` (${formatQuantity(zones, "zone")})`}: ${text}`,
    href: link(
      isZone
        ? createDrillDown(request, period, ["zone"], first)
        : createDrillDown(request, period, ["location"], { location_id: ids.join(",") }),
    ),
  });
  if (shares === undefined) return describe(0, formatCount(amount), textOf(amount, total));
  if (total === 0) return describe(3, "unknown", shares[3]);
  const share = amount / total;
  const known = places.flatMap(({ lowest_share }) => (lowest_share === null ? [] : [Number(lowest_share)]));
  const lowest = Math.min(...known);
  const range = lowest < share ? `; lowest zone: ${formatPercent(lowest)}` : "";
  return describe(rateShare(share, lowest, target), formatPercent(share), `${textOf(amount, total)}${range}`);
}

/** Returns a level by the target, otherwise by the limits of the heat maps. */
function rateShare(share: number, lowest: number, target: number | undefined): number {
  if (target === undefined) return share === 1 ? 0 : share > 0.5 ? 1 : 2;
  if (share < target) return 2;
  return lowest < target ? 1 : 0;
}

/** Returns the name of a single location, the city of several, or the place that several are around. */
function nameLocations(places: readonly Row[], names: TotalledPage["names"]): string {
  const [first = {}] = places;
  const mark = names.findMark("location", first.location_id);
  const name = `${first.location_name}${mark === undefined ? "" : ` (${mark})`}`;
  if (places.length === 1) return name;
  const isOneCity = first.city && places.every(({ city }) => city === first.city);
  return isOneCity ? String(first.city) : `Around ${first.city || name}`;
}

function sum(rows: readonly Row[], column: string): number {
  return rows.reduce((all, row) => all + Number(row[column] ?? 0), 0);
}
