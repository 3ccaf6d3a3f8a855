import { type Address, addressOf } from "../../address/address.ts";
import { leadOf } from "../../address/lead-of-row.ts";
import { nameCampaign, nameZone } from "../../findings/equal-names.ts";
import type { ComplianceState } from "../../options/report-options.ts";
import type { ReportValue } from "../../report.ts";
import { percentText } from "../../text/cell-text.ts";
import { coveredPeriodText, sayNoData } from "../../text/data-end.ts";
import { countOf, countText } from "../../text/people-text.ts";
import type { HeatCell, HeatLevel, HeatMap } from "../charts/chart.ts";
import { palette } from "../charts/palette.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";
import { type Steps, shownRows, stepsOf } from "./steps.ts";

type Row = Record<string, ReportValue>;

const levels: readonly HeatLevel[] = [
  { label: "ran in all", colour: palette.paleBlue, ink: palette.ink, mark: "✓" },
  { label: "some missed", colour: palette.paleAmber, ink: palette.ink, mark: "1/4" },
  { label: "half or more missed", colour: palette.strongOrange, ink: palette.inverse, mark: "3/4" },
  { label: "closed", colour: palette.paleGrey, ink: palette.muted, mark: "–" },
  { label: "not settled yet", colour: palette.paleGrey, ink: palette.muted, mark: "…" },
  { label: "not measurable", colour: palette.paleGrey, ink: palette.ink, mark: "?" },
  { label: "played without being scheduled", colour: palette.paleGrey, ink: palette.ink, mark: "+" },
];

/** Did campaigns run: how many of the days that count, where not, and how much of it could be measured. */
export async function describeCompliance(sources: PageSources): Promise<ReportPage> {
  const { asked, period, dataDays, names, read, link } = sources;
  const [total = {}] = await read({});
  const steps = stepsOf(period, dataDays);
  const byCampaign = await read({ by: ["campaign", steps.by] });
  const byZone = await read({ by: ["zone", steps.by] });
  const { ran, missed, missedOffline, counted } = outcomeOf(total);
  return {
    headline: sayNoData(period, dataDays) ?? headline(total, coveredPeriodText(period, dataDays)),
    coverage:
      total.coverage == null
        ? "nothing that was scheduled could be measured yet"
        : `${percentText(Number(total.coverage))} of what was scheduled could be measured`,
    facts: [
      {
        figure: "compliance",
        value: shareText(total.compliance),
        note: `${countText(ran)} of ${countText(counted)} zone days`,
      },
      {
        figure: "missed_days",
        value: countText(missed),
        note: "zone days",
        href: missed === 0 ? undefined : link(onlyDays(sources, "missed")),
      },
      {
        figure: "missed_offline_days",
        value: countText(missedOffline),
        note: "zone days",
        href: missedOffline === 0 ? undefined : link(onlyDays(sources, "missed_offline")),
      },
      { figure: "asset_coverage", value: shareText(total.asset_coverage) },
      ...(total.due_times == null
        ? []
        : [
            {
              figure: "punctuality",
              value: shareText(total.punctuality),
              note: `${countText(Number(total.met_times ?? 0))} of ${countOf(Number(total.due_times), "due time")}`,
            },
          ]),
      {
        figure: "zones_reached",
        value: countText(Number(total.zones_reached ?? 0)),
        note: `of ${countText(Number(total.zones_scheduled ?? 0))} scheduled`,
      },
    ],
    charts: [
      ...heatMap("Campaigns", "campaign", "zone", steps, byCampaign, (row) => ({
        key: String(row.campaign_key),
        label: nameCampaign(row, names),
        href: link(leadOf(asked, period, ["campaign", steps.by], row)),
      })),
      ...heatMap("Zones", "zone", "campaign", steps, byZone, (row) => ({
        key: String(row.zone_id),
        label: nameZone(row, names),
        href: link(leadOf(asked, period, ["zone", steps.by], row)),
      })),
    ],
  };
}

/** Each campaign's days in each zone that were so. */
function onlyDays({ asked, period }: PageSources, state: ComplianceState): Address {
  return addressOf({ ...asked, by: ["campaign", "zone", "date"], onlyStates: [state] }, period);
}

function headline(total: Row, when: string): string {
  const { ran, missed, missedOffline, counted } = outcomeOf(total);
  if (Number(total.scheduled_days ?? 0) === 0) return `No campaign was scheduled ${when}.`;
  if (counted === 0)
    return Number(total.scheduled_days) === 1
      ? `The one scheduled zone day ${when} can't be judged yet.`
      : `None of the ${countText(Number(total.scheduled_days))} scheduled zone days ${when} can be judged yet.`;
  const share = percentText(Number(total.compliance ?? ran / counted));
  const first = `${countText(ran)} of ${countOf(counted, "scheduled zone day")} ran, ${share}`;
  if (missed + missedOffline === 0) return `${first}.`;
  const why = [
    ...(missedOffline > 0
      ? [`${countText(missedOffline)} ${were(missedOffline)} missed while the device was down`]
      : []),
    ...(missed > 0 ? [`${countText(missed)} although it was not known to be down`] : []),
  ];
  const rest =
    missedOffline > 0
      ? why.join(", ")
      : `${countText(missed)} ${were(missed)} missed although the device was not known to be down`;
  return `${first}; ${rest}.`;
}

function were(count: number): string {
  return count === 1 ? "was" : "were";
}

function outcomeOf(row: Row) {
  const [ran, missed, missedOffline] = [row.compliant_days, row.missed_days, row.missed_offline_days].map(
    (value) => Number(value ?? 0),
  ) as [number, number, number];
  return { ran, missed, missedOffline, counted: ran + missed + missedOffline };
}

function heatMap(
  title: string,
  subject: string,
  other: string,
  { by, text, dates, data, parts }: Steps,
  found: readonly Row[],
  nameOf: (row: Row) => { key: string; label: string; href: string | undefined },
): HeatMap[] {
  const counts = by === "date" ? other : `${other} day`;
  const subjects = new Map<string, { label: string; missed: number; days: Row[] }>();
  for (const row of found) {
    const { key, label } = nameOf(row);
    const known = subjects.get(key) ?? { label, missed: 0, days: [] };
    const { missed, missedOffline } = outcomeOf(row);
    known.missed += missed + missedOffline;
    known.days.push(row);
    subjects.set(key, known);
  }
  if (subjects.size === 0) return [];
  const ordered = [...subjects.values()].sort((a, b) => b.missed - a.missed || (a.label < b.label ? -1 : 1));
  const shown = ordered.slice(0, shownRows);
  const missing = ordered.filter(({ missed }) => missed > 0).length;
  const left =
    ordered.length > shown.length ? ` The first ${shownRows} of ${countText(ordered.length)} are drawn.` : "";
  return [
    {
      kind: "heat-map",
      title: `${title} ${text}`,
      summary: `${countText(missing)} of ${countOf(ordered.length, subject)} missed something; those that missed most come first.${left}${parts === undefined ? "" : ` ${parts}`}`,
      subject,
      rows: shown.map(({ label }) => label),
      dates,
      data,
      levels,
      cells: shown.flatMap(({ days }, row) =>
        days.flatMap((day) =>
          cellOf(day, { row, day: dates.indexOf(String(day[by])), counts, href: nameOf(day).href }),
        ),
      ),
    },
  ];
}

function cellOf(
  values: Row,
  { row, day, counts, href }: { row: number; day: number; counts: string; href: string | undefined },
): HeatCell[] {
  const { ran, missed, missedOffline, counted } = outcomeOf(values);
  const lost = missed + missedOffline;
  const place = { row, day, href };
  if (day < 0) return [];
  if (lost > 0) {
    const level = lost * 2 < counted ? 1 : 2;
    const said = `${lost} of ${countOf(counted, counts)} missed${missedOffline > 0 ? `, ${missedOffline} while down` : ""}`;
    return [{ ...place, level, text: lostText(lost, counted), said }];
  }
  if (ran > 0) return [{ ...place, level: 0, text: "✓", said: `ran in all of ${countOf(ran, counts)}` }];
  const others = [
    { count: values.not_measurable_days, level: 5, text: "?", said: "not measurable" },
    { count: values.pending_days, level: 4, text: "…", said: "not settled yet" },
    { count: values.closed_days, level: 3, text: "–", said: "closed" },
    { count: values.unscheduled_days, level: 6, text: "+", said: "played without being scheduled" },
  ];
  const state = others.find(({ count }) => Number(count ?? 0) > 0);
  return state ? [{ ...place, level: state.level, text: state.text, said: state.said }] : [];
}

/** E.g. `1/4`; of more than a cell holds how many alone. */
function lostText(lost: number, counted: number): string {
  const text = `${lost}/${counted}`;
  if (text.length <= 4) return text;
  return lost > 999 ? ">1k" : String(lost);
}

function shareText(value: ReportValue | undefined): string {
  return value == null ? "not known" : percentText(Number(value));
}
