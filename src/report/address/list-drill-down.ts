import { kinds } from "../../util/kind.ts";
import { catalog } from "../catalog/catalog.ts";
import { takesPeriod } from "../catalog/report-entry.ts";
import type { ReportRequest } from "../options/request-options.ts";
import type { ReportName } from "../report-name.ts";
import type { Period, ReportValue } from "../result-types.ts";
import type { Address } from "./address.ts";

type Row = Readonly<Record<string, ReportValue>>;
type GetTarget = (row: Row, dates: Record<string, string>) => Address | undefined;

const zone: GetTarget = ({ zone_id }, dates) =>
  createAddress("plays", { by: "date", zone: zone_id, ...dates });
const devicesOfZone: GetTarget = ({ zone_id }, dates) =>
  createAddress("uptime", { by: "device", zone: zone_id, ...dates });
const device: GetTarget = ({ device_id }, dates) =>
  createAddress("uptime", { by: "date", device: device_id, ...dates });
const item: GetTarget = ({ kind, item_id }, dates) =>
  createAddress("single-plays", { kind, item: item_id, ...dates });
const artist: GetTarget = ({ artist_id }, dates) =>
  createAddress("single-plays", { artist: artist_id, ...dates });
const campaign: GetTarget = ({ kind, campaign_id }, dates) =>
  createAddress("compliance", { by: "zone", kind, campaign: campaign_id, ...dates });
const zonesOfCampaign: GetTarget = ({ kind, campaign_id }) =>
  createAddress("delivery", { by: "campaign,zone", kind, campaign: campaign_id });
/** Links a line of booked plays to the zone's days between its dates. A line that lacks a date has no link. */
const daysOfLine: GetTarget = ({ kind, campaign_id, zone_id, valid_from, valid_to }) =>
  createAddress("compliance", {
    ...{ by: "date", kind, campaign: campaign_id, zone: zone_id, from: valid_from, to: valid_to },
  });
const rejectsOfLoad: GetTarget = ({ load_id }) => createAddress("rejects", { load: load_id });

/** Drill-down targets by report and column, for values with rows in another report. */
const targets: Partial<Record<ReportName, Readonly<Record<string, GetTarget>>>> = {
  outages: { zone_name: devicesOfZone, device_id: device },
  devices: { zone_name: devicesOfZone, device_id: device },
  delivery: { campaign_name: zonesOfCampaign, zone_name: daysOfLine },
  silences: { zone_name: zone },
  "single-plays": { zone_name: zone, item_name: item, artist_name: artist },
  loads: { load_id: rejectsOfLoad, zone_id: zone },
  rejects: { load_id: ({ load_id }) => createAddress("loads", { load: load_id }) },
  quality: { subject: findSubjectDrillDown },
  own: { zone_name: zone, item_name: item, artist_name: artist, device_id: device, campaign_name: campaign },
};

export function findListDrillDown(
  report: ReportName,
  column: string,
  row: Row,
  period: Period | undefined,
): Address | undefined {
  return row[column] == null ? undefined : targets[report]?.[column]?.(row, { ...period });
}

/**
 * Fills the placeholders of a link declared in a custom report's header. Adds the period if the target accepts past
 * days.
 */
export function findCustomDrillDown(
  { custom }: Pick<ReportRequest, "custom">,
  column: string,
  row: Row,
  period: Period | undefined,
): Address | undefined {
  const link = custom?.links.get(column);
  if (link === undefined) return undefined;
  const values = Object.entries(link.words).map(([word, text]): [string, ReportValue] => {
    const [, name] = /^\{(\w+)\}$/.exec(text) ?? [];
    return [word, name === undefined ? text : (row[name] ?? null)];
  });
  const entry = link.view === "own" ? undefined : catalog[link.view];
  const takesPastDays = entry !== undefined && takesPeriod(entry) && !entry.isAhead;
  return createAddress(link.view, { ...(takesPastDays && period), ...Object.fromEntries(values) });
}

const historySource = new RegExp(`^(?:group (\\d+)\\b.*|files), (${kinds.join("|")})$`);

/**
 * Links a history source to its loads, and a load to its rejects. Listings get no link, because no report has
 * rows for them.
 */
function findSubjectDrillDown({ section, subject }: Row): Address | undefined {
  const text = String(subject);
  const [, load] = /^load (\d+)$/.exec(text) ?? [];
  if (section === "loads") return load === undefined ? undefined : createAddress("rejects", { load });
  const [, group, kind] = historySource.exec(text) ?? [];
  if (section !== "freshness" || kind === undefined) return undefined;
  return createAddress("loads", { ...(group && { group: group }), kind: kind });
}

function createAddress(
  name: string,
  values: Readonly<Record<string, ReportValue | undefined>>,
): Address | undefined {
  const words: Record<string, string> = {};
  for (const [word, value] of Object.entries(values)) {
    if (value == null) return undefined;
    words[word] = String(value);
  }
  return { view: name, words };
}
