import { listDaysBetween } from "../../util/local-date.ts";
import type { Link } from "../address/address.ts";
import { getSubjectFile } from "../address/folder-links.ts";
import { type EqualNames, findEqualNames, nameCampaign, nameZone } from "../findings/names.ts";
import { countMissed } from "../html/pages/compliance-map.ts";
import { formatCoverage, listComplianceFacts, summarizeCompliance } from "../html/pages/compliance-page.ts";
import { formatKnownTime } from "../html/pages/unknown-uptime.ts";
import { listUptimeFacts, summarizeUptime } from "../html/pages/uptime-page.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { withOutdatedErrors } from "../published/run-state.ts";
import type { Report, ReportValue } from "../report.ts";
import { formatCoveredPeriod } from "../text/spans.ts";
import { drawDays } from "./draw-days.ts";
import type { SubjectPage } from "./subject-page.ts";
import { readSubjectTables, type SubjectSelection, type SubjectTables, toRecords } from "./subject-tables.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** Maximum campaign pages, and maximum zone pages, because nobody opens more. */
const maxPages = 200;

/** Facts on a zone's page; a campaign's page has all facts. */
const factsOfZone = [
  "compliance",
  "missed_days",
  "missed_offline_days",
  "availability",
  "outages",
  "down_seconds",
];

export interface ListedSubject {
  /** Path relative to the folder of the run. */
  file: string;
  makePage(link: Link): Promise<SubjectPage>;
}

/** Lists the campaigns and zones that missed most; zones are also ranked by the downtime of their devices. */
export async function listSubjects(
  published: PublishedMart,
  selection: SubjectSelection,
  now: Date,
): Promise<ListedSubject[]> {
  const mart = withOutdatedErrors(published);
  const names = await findEqualNames(mart);
  const tables = await readSubjectTables(mart, selection, { names, now });
  const campaigns = pickWorstCampaigns(tables);
  const zones = pickWorstZones(tables);
  const daysOfCampaign = drawDays(
    mart,
    {
      own: "campaign",
      subjects: campaigns.map((row) => String(row.campaign_key)),
      tables: tables.zonesOfCampaign,
    },
    names,
  );
  const daysOfZone = drawDays(
    mart,
    { own: "zone", subjects: zones.map(({ zone_id }) => String(zone_id)), tables: tables.campaignsOfZone },
    names,
  );
  return [
    ...campaigns.map((row) => ({
      file: getSubjectFile({ campaign: String(row.campaign_id), kind: String(row.kind) }),
      makePage: (link: Link) => createCampaignPage(row, link, { names, tables, drawnDays: daysOfCampaign }),
    })),
    ...zones.map((zone) => ({
      file: getSubjectFile({ zone: String(zone.zone_id) }),
      makePage: (link: Link) => createZonePage(zone, link, { names, tables, drawnDays: daysOfZone }),
    })),
  ];
}

interface Sources {
  names: EqualNames;
  tables: SubjectTables;
  drawnDays: ReturnType<typeof drawDays>;
}

function pickWorstCampaigns({ campaigns }: SubjectTables): Row[] {
  return toRecords(campaigns)
    .sort((a, b) => countMissed(b) - countMissed(a))
    .slice(0, maxPages);
}

interface Zone {
  zone_id: ReportValue;
  zone_name: ReportValue;
  compliance?: Row;
  uptime?: Row;
}

function pickWorstZones({ zones, uptime, plays }: SubjectTables): Zone[] {
  const found = new Map<ReportValue, Zone>();
  const add = ({ zone_id = null, zone_name = null }: Row, known: Partial<Zone>) =>
    found.set(zone_id, { ...found.get(zone_id), zone_id, zone_name, ...known });
  for (const row of toRecords(zones)) add(row, { compliance: row });
  for (const row of toRecords(uptime)) add(row, { uptime: row });
  for (const row of toRecords(plays)) add(row, {});
  const getMissed = ({ compliance = {} }: Zone) => countMissed(compliance);
  const getDownSeconds = (zone: Zone) => Number(zone.uptime?.down_seconds ?? 0);
  return [...found.values()]
    .sort((a, b) => getMissed(b) - getMissed(a) || getDownSeconds(b) - getDownSeconds(a))
    .slice(0, maxPages);
}

async function createCampaignPage(
  row: Row,
  link: Link,
  { names, tables, drawnDays }: Sources,
): Promise<SubjectPage> {
  const key = String(row.campaign_key);
  return {
    title: nameCampaign(row, names),
    answers: [summarizeCompliance(row, formatWhen(tables.campaigns.report))],
    coverage: formatCoverage(row),
    facts: listComplianceFacts(row),
    charts: await drawnDays(key, link),
    sections: [{ title: "Zones", table: tables.zonesOfCampaign.get(key) }],
  };
}

async function createZonePage(
  zone: Zone,
  link: Link,
  { names, tables, drawnDays }: Sources,
): Promise<SubjectPage> {
  const { zone_id: id, zone_name, compliance, uptime } = zone;
  const isUptimeKnown = uptime?.availability != null;
  const uptimeDays = tables.uptimeOfZone.get(String(id));
  const perDay = uptimeDays ? toRecords(uptimeDays) : [];
  const { period } = tables.uptime.report;
  const days = period ? listDaysBetween(period.from, period.to).length : 0;
  return {
    title: nameZone({ zone_id: id, zone_name }, names),
    answers: [
      ...(compliance ? [summarizeCompliance(compliance, formatWhen(tables.zones.report))] : []),
      ...(isUptimeKnown ? [summarizeUptime(uptime, formatWhen(tables.uptime.report), perDay, days)] : []),
    ],
    coverage:
      [
        ...(compliance ? [formatCoverage(compliance)] : []),
        ...(uptime ? [formatKnownTime(uptime, perDay, days)] : []),
      ].join("; ") || undefined,
    facts: [
      ...(compliance ? listComplianceFacts(compliance) : []),
      ...(isUptimeKnown ? listUptimeFacts(uptime) : []),
    ].filter(({ figure }) => factsOfZone.includes(figure)),
    charts: await drawnDays(String(id), link),
    sections: [
      { title: "Campaigns", table: tables.campaignsOfZone.get(String(id)) },
      { title: "Plays", table: tables.playsOfZone.get(String(id)) },
      { title: "Outages", table: tables.outagesOfZone.get(String(id)) },
      { title: "Devices", table: tables.devicesOfZone.get(String(id)) },
    ],
  };
}

function formatWhen({ period, dataDays }: Pick<Report, "period" | "dataDays">): string {
  return period ? formatCoveredPeriod(period, dataDays) : "";
}
