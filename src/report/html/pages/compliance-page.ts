import { type Address, addressOf } from "../../address/address.ts";
import { leadOf } from "../../address/lead-of-row.ts";
import { sayMissingSources } from "../../findings/missing-sources.ts";
import { nameCampaign, nameZone } from "../../findings/names.ts";
import type { ComplianceState } from "../../options/report-options.ts";
import { reportStatement } from "../../options/report-statement.ts";
import type { ReportValue } from "../../report.ts";
import { percentText } from "../../text/cell-text.ts";
import { countOf, countText } from "../../text/people-text.ts";
import { coveredPeriodText, sayNoData } from "../../text/spans.ts";
import type { HeatMap } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { Fact, ReportPage } from "../report-page.ts";
import { complianceMap, outcomeOf, stepsOf } from "./compliance-map.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** Did campaigns run: how many of the days that count, where not, and how much of it could be measured. */
export async function describeCompliance(sources: PageSources): Promise<ReportPage> {
  const { mart, options, asked, period, dataDays, names, link } = sources;
  // As the report asks for it, to know what its notes say.
  const [total = {}] = await mart.all<Row>(
    ...reportStatement("compliance", { ...options, period, by: [], onlyStates: [] }),
  );
  const steps = stepsOf(period, dataDays);
  // A ranking cuts the table, not what is drawn.
  const { top: _top, ...whole } = options;
  const byStep = await mart.all<Row>(
    ...reportStatement("compliance_by_step", { ...whole, period, by: [steps.by] }),
  );
  return {
    headline:
      sayNoData(period, dataDays) ??
      (Number(total.scheduled_days ?? 0) === 0 ? await sayMissingSources(mart, options) : undefined) ??
      sayCompliance(total, coveredPeriodText(period, dataDays)),
    coverage: sayMeasured(total),
    facts: complianceFacts(total, (state) => link(onlyDays(sources, state))),
    charts: withoutTotals([
      ...complianceMap({
        title: "Campaigns",
        subject: "campaign",
        other: "zone",
        steps,
        found: byStep.filter((row) => row.zone_id === null),
        nameOf: (row) => ({
          key: String(row.campaign_key),
          label: nameCampaign(row, names),
        }),
        hrefOf: (row) => link(leadOf(asked, period, ["campaign", steps.by], row)),
        nameHrefOf: (row) => link(leadOf(asked, period, ["campaign"], row)),
      }),
      ...complianceMap({
        title: "Zones",
        subject: "zone",
        other: "campaign",
        steps,
        found: byStep.filter((row) => row.zone_id !== null),
        nameOf: (row) => ({
          key: String(row.zone_id),
          label: nameZone(row, names),
        }),
        hrefOf: (row) => link(leadOf(asked, period, ["zone", steps.by], row)),
        nameHrefOf: (row) => link(leadOf(asked, period, ["zone"], row)),
      }),
    ]),
  };
}

/** A map of one line says the same as the other, or less. */
function withoutTotals(maps: readonly HeatMap[]): HeatMap[] {
  const [first] = maps;
  const whole = maps.filter(({ rows }) => rows.length > 1);
  return whole.length > 0 || first === undefined ? whole : [first];
}

/** @param hrefOf where the days in a state are listed */
export function complianceFacts(
  total: Row,
  hrefOf: (state: ComplianceState) => string | undefined = () => undefined,
): Fact[] {
  const { ran, missed, missedOffline, counted } = outcomeOf(total);
  const withDowntime = Number(total.missed_down_days ?? 0);
  return [
    {
      figure: "compliance",
      value: shareText(total.compliance),
      note: `${countText(ran)} of ${countText(counted)} zone days`,
    },
    {
      figure: "missed_days",
      value: countText(missed),
      note: withDowntime > 0 ? `zone days, ${countText(withDowntime)} with downtime` : "zone days",
      href: missed === 0 ? undefined : hrefOf("missed"),
    },
    {
      figure: "missed_offline_days",
      value: countText(missedOffline),
      note: "zone days",
      href: missedOffline === 0 ? undefined : hrefOf("missed_offline"),
    },
    { figure: "asset_coverage", value: shareText(total.asset_coverage) },
    ...(total.due_times == null
      ? []
      : [
          {
            figure: "punctuality",
            ...(Number(total.due_times) === 0
              ? { value: "none due" }
              : {
                  value: shareText(total.punctuality),
                  note: `${countText(Number(total.met_times ?? 0))} of ${countOf(Number(total.due_times), "due time")}`,
                }),
          },
        ]),
    {
      figure: "zones_reached",
      value: countText(Number(total.zones_reached ?? 0)),
      note: `of ${countText(Number(total.zones_scheduled ?? 0))} scheduled`,
    },
  ].map((fact) => (counted === 0 && judgedFigures.has(fact.figure) ? { ...fact, value: "not known" } : fact));
}

/** Counts of judged days: without one, a zero would read as "none". */
const judgedFigures: ReadonlySet<string> = new Set(["missed_days", "missed_offline_days", "zones_reached"]);

/** How much could be measured, for the line that is always in sight. */
export function sayMeasured({ coverage }: Row): string {
  return coverage == null
    ? "nothing that was scheduled could be measured yet"
    : `${percentText(Number(coverage))} of what was scheduled could be measured`;
}

/** Each campaign's days in each zone that were so: of all rows, in an order that those days have, too. */
function onlyDays({ asked, period }: PageSources, state: ComplianceState): Address {
  const { sort: _sort, search: _search, ...whole } = asked;
  return addressOf({ ...whole, by: ["campaign", "zone", "date"], onlyStates: [state] }, period);
}

/** How much of what was scheduled ran, in a sentence. */
export function sayCompliance(total: Row, when: string): string {
  const { ran, missed, missedOffline, counted } = outcomeOf(total);
  if (Number(total.scheduled_days ?? 0) === 0) return `No campaign was scheduled ${when}.`;
  if (counted === 0)
    return Number(total.scheduled_days) === 1
      ? `The one scheduled zone day ${when} can't be judged yet.`
      : `None of the ${countText(Number(total.scheduled_days))} scheduled zone days ${when} can be judged yet.`;
  const share = percentText(Number(total.compliance ?? ran / counted));
  const first = `${countText(ran)} of ${countOf(counted, "scheduled zone day")} ran, ${share}`;
  if (missed + missedOffline === 0) return `${first}.`;
  return `${first}; ${sayMissed(missed, missedOffline, Number(total.missed_down_days ?? 0))}.`;
}

/** @param withDowntime of the days missed, those with known downtime of a device */
function sayMissed(missed: number, missedOffline: number, withDowntime: number): string {
  const offline = `${countText(missedOffline)} ${were(missedOffline)} missed while the device was down`;
  if (missed === 0) return offline;
  const none = "with no known device downtime";
  const some = "with some device downtime";
  if (missedOffline > 0) {
    const other = `${offline} and ${countText(missed)}`;
    if (withDowntime === 0) return `${other} ${none}`;
    return withDowntime === missed
      ? `${other} ${some}`
      : `${other} otherwise, ${countText(withDowntime)} of these ${some}`;
  }
  const other = `${countText(missed)} ${were(missed)} missed`;
  if (withDowntime === 0) return `${other} ${none}`;
  if (withDowntime === missed) return `${other}, ${missed === 1 ? "" : "all "}${some}`;
  return `${other}, ${countText(withDowntime)} of them ${some}`;
}

function were(count: number): string {
  return count === 1 ? "was" : "were";
}

function shareText(value: ReportValue | undefined): string {
  return value == null ? "not known" : percentText(Number(value));
}
