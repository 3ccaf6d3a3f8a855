import { createDrillDown } from "../../address/drill-down.ts";
import { nameZone } from "../../findings/names.ts";
import type { ReportValue } from "../../report.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import { type MapChart, type MapSymbol, palette } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";

type Row = Readonly<Record<string, ReportValue>>;

export interface MappedFigure {
  title: string;
  /** Name of the figure, e.g. `compliance`. */
  figure: string;
  /** SQL over the report's rows `r` by zone: what a symbol counts and, for a share, out of how much. */
  amount: string;
  total?: string;
  /** Share that is good enough, 0 to 1. @default the whole */
  target?: number | undefined;
  /** Labels of the whole, more than half, half or less, and an unknown share; absent without a total. */
  shares?: readonly [string, string, string, string];
  /** Formats a known value for a symbol, e.g. `38 of 40 zone days ran, 95.0 %`. */
  textOf(amount: number, total: number): string;
}

/**
 * Draws a report's zones where their locations are, judged by the same limits as its heat maps or by its
 * target. Returns nothing unless two locations have coordinates.
 */
export async function drawZoneMap(
  { aggregate, request, period, names, link }: PageSources,
  mapped: MappedFigure,
): Promise<MapChart[]> {
  const used = `${mapped.amount} ${mapped.total ?? ""}`.matchAll(/\br\.(\w+)/g);
  const measures = Array.from(used, ([, name = ""]) => name);
  const rows = await aggregate((zones) => selectLocations(zones, mapped), { by: ["zone"], measures });
  const located = rows.filter(hasCoordinates);
  const positions = new Set(located.map(({ latitude, longitude }) => `${latitude} ${longitude}`));
  if (positions.size < 2) return [];
  const { title, figure, shares, target } = mapped;
  const countZones = (some: readonly Row[]) => some.reduce((sum, { zones }) => sum + Number(zones), 0);
  const missing = countZones(rows) - countZones(located);
  const without =
    missing === 0
      ? ""
      : `; ${formatQuantity(missing, "zone")} without coordinates ${missing === 1 ? "is" : "are"} not shown`;
  return [
    {
      kind: "map",
      title,
      summary: `${formatQuantity(countZones(located), "zone")} in ${formatQuantity(located.length, "location")}${without}. Nearby locations share a symbol; larger symbols stand for more ${shares ? "zones" : figure}.`,
      figure,
      levels: shares
        ? listLevels(shares, target)
        : [{ label: figure, shape: "circle", colour: palette.blue }],
      places: located.map(({ latitude, longitude, zones, amount }) => ({
        latitude: Number(latitude),
        longitude: Number(longitude),
        size: Number(shares ? zones : amount),
      })),
      describe: (members) => {
        const places = members.map((index) => located[index] ?? {});
        const zones = countZones(places);
        const [first = {}] = places;
        const isZone = zones === 1;
        const label = isZone
          ? nameZone(first, names)
          : nameLocations(places, (id) => names.findMark("location", id));
        const found = describeShare(places, mapped);
        const ids = places.map(({ location_id }) => location_id).sort((a, b) => Number(a) - Number(b));
        return {
          ...found,
          label,
          zones: formatCount(zones),
          description: `${label}${isZone ? "" : ` (${formatQuantity(zones, "zone")})`}: ${found.description}`,
          href: link(
            isZone
              ? createDrillDown(request, period, ["zone"], first)
              : createDrillDown(request, period, ["location"], { location_id: ids.join(",") }),
          ),
        };
      },
    },
  ];
}

/** Selects one row per location, and one for zones without a location. */
function selectLocations(zones: string, { amount, total = "cast(null as bigint)" }: MappedFigure): string {
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
  [whole, most, few, unknown]: NonNullable<MappedFigure["shares"]>,
  target: number | undefined,
): MapChart["levels"] {
  const labels =
    target === undefined
      ? [whole, most, few]
      : [
          `target of ${formatPercent(target)} met`,
          "target met together, but not in every zone",
          "below the target",
        ];
  return [
    { label: labels[0] ?? "", shape: "circle", colour: palette.blue },
    { label: labels[1] ?? "", shape: "triangle", colour: palette.amber },
    { label: labels[2] ?? "", shape: "diamond", colour: palette.orange },
    { label: unknown, shape: "square", colour: palette.grey },
  ];
}

/** Judges places together, as the report's row for all of them would be. */
function describeShare(
  places: readonly Row[],
  { shares, target, textOf }: MappedFigure,
): Pick<MapSymbol, "level" | "value" | "description"> {
  const sum = (column: string) => places.reduce((all, row) => all + Number(row[column] ?? 0), 0);
  const [amount, total] = [sum("amount"), sum("total")];
  if (shares === undefined)
    return { level: 0, value: formatCount(amount), description: textOf(amount, total) };
  if (total === 0) return { level: 3, value: "unknown", description: shares[3] };
  const share = amount / total;
  const lowest = Math.min(
    ...places.flatMap(({ lowest_share }) => (lowest_share === null ? [] : [Number(lowest_share)])),
  );
  const range = lowest < share ? `; lowest zone: ${formatPercent(lowest)}` : "";
  const level = target === undefined ? rateShare(share) : rateByTarget(share, { lowest, target });
  return { level, value: formatPercent(share), description: `${textOf(amount, total)}${range}` };
}

/** The limits of the heat maps. */
function rateShare(share: number): number {
  if (share === 1) return 0;
  return share > 0.5 ? 1 : 2;
}

function rateByTarget(share: number, { lowest, target }: { lowest: number; target: number }): number {
  if (share < target) return 2;
  return lowest < target ? 1 : 0;
}

/** Names one location, the city of several, or what several are around. */
function nameLocations(
  places: readonly Row[],
  findMark: (id: ReportValue | undefined) => string | undefined,
): string {
  const [first = {}] = places;
  const mark = findMark(first.location_id);
  const name = `${first.location_name}${mark === undefined ? "" : ` (${mark})`}`;
  if (places.length === 1) return name;
  const isOneCity = first.city && places.every(({ city }) => city === first.city);
  return isOneCity ? String(first.city) : `Around ${first.city || name}`;
}
