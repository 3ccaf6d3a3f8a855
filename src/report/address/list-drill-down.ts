import { kinds } from "../../util/kind.ts";
import type { ReportRequest } from "../options/report-options.ts";
import type { Period, ReportValue } from "../report.ts";
import type { ReportName } from "../report-name.ts";
import type { Address } from "./address.ts";

type Row = Readonly<Record<string, ReportValue>>;
type Lead = (row: Row, dates: Record<string, string>) => Address | undefined;

const zone: Lead = ({ zone_id }, dates) => view("plays", { by: "date", zone: zone_id, ...dates });
const devicesOfZone: Lead = ({ zone_id }, dates) => view("uptime", { by: "device", zone: zone_id, ...dates });
const device: Lead = ({ device_id }, dates) => view("uptime", { by: "date", device: device_id, ...dates });
const item: Lead = ({ kind, item_id }, dates) => view("single-plays", { kind, item: item_id, ...dates });
const artist: Lead = ({ artist_id }, dates) => view("single-plays", { artist: artist_id, ...dates });
const campaign: Lead = ({ kind, campaign_id }, dates) =>
  view("compliance", { by: "zone", kind, campaign: campaign_id, ...dates });
const rejectsOf: Lead = ({ load_id }) => view("rejects", { load: load_id });

/** Drill-down targets by report and column, for values that have rows of their own. */
const leads: Partial<Record<ReportName, Readonly<Record<string, Lead>>>> = {
  outages: { zone_name: devicesOfZone, device_id: device },
  devices: { zone_name: devicesOfZone, device_id: device },
  "single-plays": { zone_name: zone, item_name: item, artist_name: artist },
  loads: { load_id: rejectsOf, zone_id: zone },
  rejects: { load_id: ({ load_id }) => view("loads", { load: load_id }) },
  quality: { subject: findSubjectDrillDown },
  own: { zone_name: zone, item_name: item, artist_name: artist, device_id: device, campaign_name: campaign },
};

export function findListDrillDown(
  report: ReportName,
  column: string,
  row: Row,
  period: Period | undefined,
): Address | undefined {
  return row[column] == null ? undefined : leads[report]?.[column]?.(row, { ...period });
}

/** Fills the placeholders of a link in the header of an own report, and adds the period. */
export function findOwnDrillDown(
  { own }: Pick<ReportRequest, "own">,
  column: string,
  row: Row,
  period: Period | undefined,
): Address | undefined {
  const link = own?.links.get(column);
  if (link === undefined) return undefined;
  const values = Object.entries(link.words).map(([word, text]): [string, ReportValue] => {
    const [, name] = /^\{(\w+)\}$/.exec(text) ?? [];
    return [word, name === undefined ? text : (row[name] ?? null)];
  });
  return view(link.view, { ...period, ...Object.fromEntries(values) });
}

const ofHistory = new RegExp(`^(?:group (\\d+)\\b.*|files), (${kinds.join("|")})$`);

/** Links a history source to its loads, and a load to its rejects. Listings have no rows to show. */
function findSubjectDrillDown({ section, subject }: Row): Address | undefined {
  const text = String(subject);
  const [, load] = /^load (\d+)$/.exec(text) ?? [];
  if (section === "loads") return load === undefined ? undefined : view("rejects", { load });
  const [, ofGroup, ofKind] = ofHistory.exec(text) ?? [];
  if (section !== "freshness" || ofKind === undefined) return undefined;
  return view("loads", { ...(ofGroup && { group: ofGroup }), kind: ofKind });
}

function view(name: string, values: Readonly<Record<string, ReportValue | undefined>>): Address | undefined {
  const words: Record<string, string> = {};
  for (const [word, value] of Object.entries(values)) {
    if (value == null) return undefined;
    words[word] = String(value);
  }
  return { view: name, words };
}
