import { attributeDimension, subjectDays } from "../catalog/attributes.ts";
import { selectGroupZones, selectZones } from "../catalog/chosen.ts";
import { chooseRows, takesPeriod } from "../catalog/report-entry.ts";
import type { ListQuery } from "../compile/request.ts";
import { and, join, nothing, quoted, type Sql, sql, toStatement } from "../compile/sql.ts";
import { noteMissingValues } from "../findings/attribute-notes.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { toListQuery } from "../options/build-statement.ts";
import { unknownAttributeError } from "../options/find-attributes.ts";
import { listAttributes } from "../options/known-attributes.ts";
import { ReportOptionError } from "../options/option-error.ts";
import type { ReportOptions, ReportRequest } from "../options/request-options.ts";
import { resolveChosen } from "../options/resolve-entities.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period } from "../result-types.ts";
import { distinctFileNames } from "./file-names.ts";

/** Properties of zones that reports can be split by, in addition to the zones' attributes. */
const places = ["group", "location", "city", "zone"] as const;
type Place = (typeof places)[number];

/** A report on the zones with one value, and the file to write it to. */
interface ReportPart {
  file: string;
  request: ReportRequest;
}

export interface SplitReport {
  parts: ReportPart[];
  /** Notes on the zones of all parts, which the parts omit. */
  notes: string[];
}

/**
 * Splits a report into one per value of a property of zones, each with the same other filters. A zone is in the report
 * of each of its groups, and of each attribute value on the days on which it has that value.
 * @param out path with a placeholder such as `{region}`, which the value's name replaces
 * @param now as for `runReport`
 * @throws {ReportOptionError} for an unknown property or placeholder, or if no zone matches
 */
export async function splitReport(
  mart: PublishedMart,
  requested: ReportRequest,
  { by, out }: { by: string; out: string },
  now: Date,
): Promise<SplitReport> {
  requireZones(requested);
  checkPlaceholders(by, out);
  const place = places.find((word) => word === by);
  if (place === undefined) {
    const known = await listAttributes(mart, ["zone"]);
    const words = [...places, ...known.map(({ name }) => name)];
    if (!words.includes(by)) throw unknownAttributeError("--split", by, { words, subjects: ["zone"] });
  }
  const { top: _top, per: _per, sort: _sort, compare: _compare, ...kept } = requested;
  const words = [...(place === undefined ? [by] : []), ...requested.by];
  const options = await resolveChosen(mart, { ...kept, by: [...new Set(words)] });
  const days = await getReportedDays(mart, options, now);
  const values = await listValues(mart, requested, options, { by, place, ...days });
  if (values.length === 0)
    throw new ReportOptionError(
      "--split",
      `--split ${by}: no zone matches the other options. Remove one of them.`,
    );
  const names = distinctFileNames(values.map(({ name, id }) => ({ name: name ?? "none", id })));
  return {
    parts: values.map(({ request }, index) => ({
      file: out.replaceAll(`{${by}}`, () => names[index] ?? ""),
      request,
    })),
    notes: place === undefined ? await noteMissingValues(mart, options, days) : [],
  };
}

function requireZones({ entry, custom, by }: ReportRequest): void {
  if (custom !== undefined)
    throw new ReportOptionError(
      "--split",
      `The ${custom.name} report does not take --split, because it is a custom report. Filter its zones instead.`,
    );
  if (chooseRows(entry, by).attributes.includes("zone")) return;
  throw new ReportOptionError(
    "--split",
    `The ${entry.name} report does not take --split: its rows have no zones.`,
  );
}

function checkPlaceholders(by: string, out: string): void {
  const found = [...out.matchAll(/\{([^{}]*)\}/g)].map(([, word = ""]) => word);
  const unknown = found.find((word) => word !== by);
  if (unknown !== undefined)
    throw new ReportOptionError(
      "--out",
      `--out has the unknown placeholder {${unknown}}. With --split ${by}, it takes {${by}}.`,
    );
  if (found.length === 0)
    throw new ReportOptionError(
      "--out",
      `--split ${by} writes several files: add {${by}} to the name in --out, as in lists/{${by}}.xlsx.`,
    );
}

interface Value {
  /** `undefined` for zones without one. */
  name: string | undefined;
  id: number | undefined;
  request: ReportRequest;
}

type ZoneRow = Record<string, string | number | null>;

async function listValues(
  mart: PublishedMart,
  requested: ReportRequest,
  options: ReportOptions,
  { by, place, period }: { by: string; place: Place | undefined; period: Period },
): Promise<Value[]> {
  const query = toListQuery({ ...options, ...(takesPeriod(requested.entry) && { period }) });
  const select = place === undefined ? selectAttributeValues(by, query) : selectPlaces(place, query);
  const rows = await mart.all<ZoneRow>(...toStatement(select));
  const groups = new Map<string, ZoneRow[]>();
  const column = place === undefined || place === "city" ? by : `${place}_id`;
  for (const row of rows) {
    const key = String(row[column] ?? "");
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()]
    .map((found) =>
      place === undefined ? attributeValue(requested, by, found) : placeValue(requested, place, found),
    )
    .sort((a, b) => ((a.name ?? "") < (b.name ?? "") ? -1 : 1));
}

/** Selects the values of the requested zones on any day of the period. */
function selectAttributeValues(by: string, { where = {}, attributes = [], period }: ListQuery): Sql {
  const ofZones = attributes.filter(({ subject }) => subject === "zone");
  const valued = ofZones.map((one, index) => ({ ...one, ...attributeDimension(one, index + 1) }));
  const [value] = valued.flatMap(({ name, dimension }) =>
    name === by ? Object.values(dimension.keys) : [],
  ) as Sql[];
  const joins = valued.map((one) => one.join);
  const conditions = valued.flatMap(({ values, filter }) =>
    values.length > 0 ? [filter.where(values)] : [],
  );
  return sql`select distinct ${value ?? sql`null`} as ${quoted(by)}
from ${subjectDays("zone", ofZones, period)} as f
${join(joins, "\n")}
where ${and([sql`f.zone_id in (${selectZones({ where })})`, ...conditions])}`;
}

/** Selects the requested zones with their places, and by group, one row per group. */
function selectPlaces(place: Place, query: ListQuery): Sql {
  const [columns, groups] =
    place === "group"
      ? [
          sql`, b.group_id, g.group_name`,
          sql`left join (${selectGroupZones(query)}) as b on b.zone_id = z.zone_id
left join dim_group as g on g.group_id = b.group_id`,
        ]
      : [nothing, nothing];
  return sql`select z.zone_id, z.zone_name, z.location_id, l.location_name, l.city${columns}
from (${selectZones(query, sql`f.*`)}) as z
left join dim_location as l on l.location_id = z.location_id
${groups}
order by z.zone_id`;
}

function attributeValue(requested: ReportRequest, name: string, [row = {}]: readonly ZoneRow[]): Value {
  const text = String(row[name]);
  const others = requested.where?.filter((filter) => filter.name !== name) ?? [];
  return {
    name: text === "(none)" ? undefined : text,
    id: undefined,
    request: { ...requested, where: [...others, { name, text }], isPart: true },
  };
}

/** Zones without a value are selected by their ids. So are zones of a city, because no filter selects a city. */
function placeValue(requested: ReportRequest, place: Place, rows: readonly ZoneRow[]): Value {
  const [row = {}] = rows;
  const id = place === "city" ? undefined : row[`${place}_id`];
  const subject = place === "city" || id === null ? "zone" : place;
  const ids = [...new Set(rows.map((one) => String(one[`${subject}_id`])))];
  const name = place === "city" ? row.city : row[`${place}_name`];
  return {
    name: name == null ? undefined : String(name),
    id: id == null ? undefined : Number(id),
    request: { ...requested, chosen: { ...requested.chosen, [subject]: ids } },
  };
}
