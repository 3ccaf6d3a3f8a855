import { type Address, toAddress } from "../../address/address.ts";
import { createDrillDown } from "../../address/drill-down.ts";
import type { ComplianceState } from "../../compliance-states.ts";
import { describeMissingSources } from "../../findings/missing-sources.ts";
import { nameCampaign, nameZone } from "../../findings/names.ts";
import { buildAggregate, buildStatement } from "../../options/report-statement.ts";
import type { ReportValue } from "../../report.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import { explainMissingData, formatCoveredPeriod } from "../../text/spans.ts";
import type { HeatMap } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { Fact, ReportPage } from "../report-page.ts";
import { drawAttributeRankings } from "./attribute-rankings.ts";
import {
  chooseSteps,
  countMissed,
  countOutcomes,
  drawComplianceMap,
  drawnMeasures,
  type MapCounts,
  maxDrawnRows,
  type Steps,
} from "./compliance-map.ts";
import { drawZoneMap } from "./zone-map.ts";

type Row = Readonly<Record<string, ReportValue>>;

export async function describeCompliance(sources: PageSources): Promise<ReportPage> {
  const { mart, options, request, period, dataDays, names, link } = sources;
  // The totals cover all states, even if `--only` limits the rows.
  const [total = {}] = await mart.all<Row>(
    ...buildStatement("compliance", { ...options, period, by: [], onlyStates: [] }),
  );
  const steps = chooseSteps(period, dataDays);
  const campaigns = await readDrawnRows(sources, steps, "campaign");
  const zones = await readDrawnRows(sources, steps, "zone");
  return {
    headline:
      explainMissingData(period, dataDays) ??
      (Number(total.scheduled_days ?? 0) === 0 ? await describeMissingSources(mart, options) : undefined) ??
      summarizeCompliance(total, formatCoveredPeriod(period, dataDays)),
    coverage: formatCoverage(total),
    facts: listComplianceFacts(total, (state) => link(createStateAddress(sources, state))),
    charts: [
      ...(await drawAttributeRankings(sources, {
        title: "Missed days",
        amountOf: countMissed,
        textOf: (row) => `${formatCount(countMissed(row))} of ${formatCount(countOutcomes(row).counted)}`,
      })),
      ...(await drawZoneMap(sources, {
        title: "Map of compliance",
        figure: "compliance",
        amount: "r.compliant_days",
        total: "(r.compliant_days + r.missed_days + r.missed_offline_days)",
        target: options.failUnder,
        shares: ["nothing missed", "under half missed", "half or more missed", "no day could be judged"],
        textOf: (ran, counted) =>
          `${formatCount(ran)} of ${formatQuantity(counted, "zone day")} ran, ${formatPercent(ran / counted)}`,
      })),
      ...dropSingleRowMaps([
        ...drawComplianceMap({
          title: "Campaigns",
          subject: "campaign",
          other: "zone",
          steps,
          ...campaigns,
          nameOf: (row) => ({
            key: String(row.campaign_key),
            label: nameCampaign(row, names),
          }),
          hrefOf: (row) => link(createDrillDown(request, period, ["campaign", steps.by], row)),
          nameHrefOf: (row) => link(createDrillDown(request, period, ["campaign"], row)),
        }),
        ...drawComplianceMap({
          title: "Zones",
          subject: "zone",
          other: "campaign",
          steps,
          ...zones,
          nameOf: (row) => ({
            key: String(row.zone_id),
            label: nameZone(row, names),
          }),
          hrefOf: (row) => link(createDrillDown(request, period, ["zone", steps.by], row)),
          nameHrefOf: (row) => link(createDrillDown(request, period, ["zone"], row)),
        }),
      ]),
    ],
  };
}

/** Reads the campaigns or zones that missed most, and counts the others. */
async function readDrawnRows(
  { mart, options, period }: PageSources,
  steps: Steps,
  subject: "campaign" | "zone",
): Promise<{ found: Row[]; counts: MapCounts }> {
  const key = subject === "campaign" ? "campaign_key" : "zone_id";
  const order = subject === "campaign" ? "kind, campaign_id" : "zone_id";
  const found = await mart.all<Row>(
    ...buildAggregate(
      "compliance",
      { ...options, period, by: [subject, steps.by], measures: drawnMeasures },
      // Subjects that missed something come first, so the highest rank among them is their count.
      (rows) => `select counted.*
      from (
        select
          ranked.*,
          max(place) over () as subjects,
          max(case when missed > 0 then place end) over () as missing
        from (
          select totalled.*, dense_rank() over (order by missed desc, ${subject}_name, ${key}) as place
          from (
            select r.*, sum(missed_days + missed_offline_days) over (partition by ${key}) as missed
            from ${rows}
          ) as totalled
        ) as ranked
      ) as counted
      where place <= ${maxDrawnRows}
      order by ${order}, ${steps.by}`,
    ),
  );
  const [first] = found;
  return { found, counts: { all: Number(first?.subjects ?? 0), missing: Number(first?.missing ?? 0) } };
}

/** Drops maps with a single line, which show nothing that the other map lacks. */
function dropSingleRowMaps(maps: readonly HeatMap[]): HeatMap[] {
  const [first] = maps;
  const whole = maps.filter(({ rows }) => rows.length > 1);
  return whole.length > 0 || first === undefined ? whole : [first];
}

export function listComplianceFacts(
  total: Row,
  hrefOf: (state: ComplianceState) => string | undefined = () => undefined,
): Fact[] {
  const { ran, missed, missedOffline, counted } = countOutcomes(total);
  const withDowntime = Number(total.missed_down_days ?? 0);
  return [
    {
      figure: "compliance",
      value: formatShare(total.compliance),
      note: `${formatCount(ran)} of ${formatCount(counted)} zone days`,
    },
    {
      figure: "missed_days",
      value: formatCount(missed),
      note: withDowntime > 0 ? `zone days, ${formatCount(withDowntime)} with downtime` : "zone days",
      href: missed === 0 ? undefined : hrefOf("missed"),
    },
    {
      figure: "missed_offline_days",
      value: formatCount(missedOffline),
      note: "zone days",
      href: missedOffline === 0 ? undefined : hrefOf("missed_offline"),
    },
    { figure: "asset_coverage", value: formatShare(total.asset_coverage) },
    ...(total.due_times == null
      ? []
      : [
          {
            figure: "punctuality",
            ...(Number(total.due_times) === 0
              ? { value: "none due" }
              : {
                  value: formatShare(total.punctuality),
                  note: `${formatCount(Number(total.met_times ?? 0))} of ${formatQuantity(Number(total.due_times), "due time")}`,
                }),
          },
        ]),
    {
      figure: "zones_reached",
      value: formatCount(Number(total.zones_reached ?? 0)),
      note: `of ${formatCount(Number(total.zones_scheduled ?? 0))} scheduled`,
    },
  ].map((fact) => (counted === 0 && judgedFigures.has(fact.figure) ? { ...fact, value: "unknown" } : fact));
}

/** Counts of judged days. If no day was judged, they show as unknown, because a zero would read as "none". */
const judgedFigures: ReadonlySet<string> = new Set(["missed_days", "missed_offline_days", "zones_reached"]);

export function formatCoverage({ coverage }: Row): string {
  return coverage == null
    ? "no scheduled day could be measured yet"
    : `${formatPercent(Number(coverage))} of scheduled days could be measured`;
}

/**
 * Returns the address of the list of all campaign days in a state, without the report's sort order and
 * search.
 */
function createStateAddress({ request, period }: PageSources, state: ComplianceState): Address {
  const { sort: _sort, search: _search, ...whole } = request;
  return toAddress({ ...whole, by: ["campaign", "zone", "date"], onlyStates: [state] }, period);
}

export function summarizeCompliance(total: Row, when: string): string {
  const { ran, missed, missedOffline, counted } = countOutcomes(total);
  if (Number(total.scheduled_days ?? 0) === 0) return `No campaign was scheduled ${when}.`;
  if (counted === 0)
    return Number(total.scheduled_days) === 1
      ? `The one scheduled zone day ${when} can't be judged yet.`
      : `None of the ${formatCount(Number(total.scheduled_days))} scheduled zone days ${when} can be judged yet.`;
  const share = formatPercent(Number(total.compliance ?? ran / counted));
  const first = `${formatCount(ran)} of ${formatQuantity(counted, "scheduled zone day")} ran, ${share}`;
  if (missed + missedOffline === 0) return `${first}.`;
  return `${first}; ${summarizeMissed(missed, missedOffline, Number(total.missed_down_days ?? 0))}.`;
}

/** @param withDowntime missed days with known device downtime */
function summarizeMissed(missed: number, missedOffline: number, withDowntime: number): string {
  const offline = `${formatCount(missedOffline)} ${wasOrWere(missedOffline)} missed while the device was down`;
  if (missed === 0) return offline;
  const none = "with no known device downtime";
  const some = "with some device downtime";
  if (missedOffline > 0) {
    const other = `${offline} and ${formatCount(missed)}`;
    if (withDowntime === 0) return `${other} ${none}`;
    return withDowntime === missed
      ? `${other} ${some}`
      : `${other} otherwise, ${formatCount(withDowntime)} of these ${some}`;
  }
  const other = `${formatCount(missed)} ${wasOrWere(missed)} missed`;
  if (withDowntime === 0) return `${other} ${none}`;
  if (withDowntime === missed) return `${other}, ${missed === 1 ? "" : "all "}${some}`;
  return `${other}, ${formatCount(withDowntime)} of them ${some}`;
}

function wasOrWere(count: number): string {
  return count === 1 ? "was" : "were";
}

function formatShare(value: ReportValue | undefined): string {
  return value == null ? "unknown" : formatPercent(Number(value));
}
