import { listDaysBetween } from "../../util/local-date.ts";
import type { Link } from "../address/address.ts";
import { subjectFile } from "../address/folder-links.ts";
import { type EqualNames, findEqualNames, nameCampaign, nameZone } from "../findings/names.ts";
import { complianceFacts, formatCoverage, summarizeCompliance } from "../html/pages/compliance-page.ts";
import { formatKnownTime } from "../html/pages/unknown-uptime.ts";
import { summarizeUptime, uptimeFacts } from "../html/pages/uptime-page.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { readByReports } from "../published/state-of-runs.ts";
import type { Report, ReportValue } from "../report.ts";
import { coveredPeriodText } from "../text/spans.ts";
import { countLost, drawDays } from "./draw-days.ts";
import type { SubjectPage } from "./subject-page.ts";
import { readSubjectTables, recordsOf, type SubjectSelection, type SubjectTables } from "./subject-tables.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** Maximum pages of campaigns, and of zones: nobody opens more in a folder. */
const mostPages = 200;

/** Facts of a zone's page; a campaign's page has all. */
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

/** Lists the campaigns and zones that missed most; zones also by the downtime of their devices. */
export async function listSubjects(
  published: PublishedMart,
  selection: SubjectSelection,
  now: Date,
): Promise<ListedSubject[]> {
  const mart = readByReports(published);
  const names = await findEqualNames(mart);
  const tables = await readSubjectTables(mart, selection, { names, now });
  const campaigns = worstCampaigns(tables);
  const zones = worstZones(tables);
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
      file: subjectFile({ campaign: String(row.campaign_id), kind: String(row.kind) }),
      makePage: (link: Link) => campaignPage(row, link, { names, tables, drawnDays: daysOfCampaign }),
    })),
    ...zones.map((zone) => ({
      file: subjectFile({ zone: String(zone.zone_id) }),
      makePage: (link: Link) => zonePage(zone, link, { names, tables, drawnDays: daysOfZone }),
    })),
  ];
}

interface Sources {
  names: EqualNames;
  tables: SubjectTables;
  drawnDays: ReturnType<typeof drawDays>;
}

function worstCampaigns({ campaigns }: SubjectTables): Row[] {
  return recordsOf(campaigns)
    .sort((a, b) => countLost(b) - countLost(a))
    .slice(0, mostPages);
}

interface Zone {
  zone_id: ReportValue;
  zone_name: ReportValue;
  compliance?: Row;
  uptime?: Row;
}

function worstZones({ zones, uptime, plays }: SubjectTables): Zone[] {
  const found = new Map<ReportValue, Zone>();
  const add = ({ zone_id = null, zone_name = null }: Row, known: Partial<Zone>) =>
    found.set(zone_id, { ...found.get(zone_id), zone_id, zone_name, ...known });
  for (const row of recordsOf(zones)) add(row, { compliance: row });
  for (const row of recordsOf(uptime)) add(row, { uptime: row });
  for (const row of recordsOf(plays)) add(row, {});
  const lost = ({ compliance = {} }: Zone) => countLost(compliance);
  const down = (zone: Zone) => Number(zone.uptime?.down_seconds ?? 0);
  return [...found.values()].sort((a, b) => lost(b) - lost(a) || down(b) - down(a)).slice(0, mostPages);
}

async function campaignPage(
  row: Row,
  link: Link,
  { names, tables, drawnDays }: Sources,
): Promise<SubjectPage> {
  const key = String(row.campaign_key);
  return {
    title: nameCampaign(row, names),
    answers: [summarizeCompliance(row, whenOf(tables.campaigns.report))],
    coverage: formatCoverage(row),
    facts: complianceFacts(row),
    charts: await drawnDays(key, link),
    sections: [{ title: "Zones", table: tables.zonesOfCampaign.get(key) }],
  };
}

async function zonePage(zone: Zone, link: Link, { names, tables, drawnDays }: Sources): Promise<SubjectPage> {
  const { zone_id: id, zone_name, compliance, uptime } = zone;
  const isUptimeKnown = uptime?.availability != null;
  const uptimeDays = tables.uptimeOfZone.get(String(id));
  const perDay = uptimeDays ? recordsOf(uptimeDays) : [];
  const { period } = tables.uptime.report;
  const days = period ? listDaysBetween(period.from, period.to).length : 0;
  return {
    title: nameZone({ zone_id: id, zone_name }, names),
    answers: [
      ...(compliance ? [summarizeCompliance(compliance, whenOf(tables.zones.report))] : []),
      ...(isUptimeKnown ? [summarizeUptime(uptime, whenOf(tables.uptime.report), perDay, days)] : []),
    ],
    coverage:
      [
        ...(compliance ? [formatCoverage(compliance)] : []),
        ...(uptime ? [formatKnownTime(uptime, perDay, days)] : []),
      ].join("; ") || undefined,
    facts: [
      ...(compliance ? complianceFacts(compliance) : []),
      ...(isUptimeKnown ? uptimeFacts(uptime) : []),
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

function whenOf({ period, dataDays }: Pick<Report, "period" | "dataDays">): string {
  return period ? coveredPeriodText(period, dataDays) : "";
}
