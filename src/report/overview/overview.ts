import { countOf } from "../../util/text/words.ts";
import { catalog } from "../catalog/catalog.ts";
import type { CollectedSource } from "../catalog/report-entry.ts";
import { formatAge, hoursSince, isStale } from "../findings/data-as-of.ts";
import { describeMissingSources } from "../findings/missing-sources.ts";
import { findEqualNames } from "../findings/names.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import type { FreshnessLimits } from "../findings/stale-sources.ts";
import { parseReportOptions } from "../options/parse-report-options.ts";
import { resolveChosen } from "../options/resolve-entities.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { withOutdatedErrors } from "../published/run-state.ts";
import type { ReportName } from "../report-name.ts";
import { readRecords } from "../rows/read-records.ts";
import { assessCampaigns } from "./assess-campaigns.ts";
import { assessData } from "./assess-data.ts";
import { assessDevices, assessUptime } from "./assess-devices.ts";
import { assessPlays } from "./assess-plays.ts";
import { type Assessment, type Finding, type OverviewSources, statuses } from "./assessment.ts";

export interface Overview {
  assessments: readonly Assessment[];
  worst: readonly Finding[];
}

/** @param limits from `VENUE_FRESHNESS` */
export async function buildOverview(
  published: PublishedMart,
  now: Date,
  limits: FreshnessLimits,
): Promise<Overview> {
  const mart = withOutdatedErrors(published);
  const known = new Map<ReportName, ReturnType<typeof readBasis>>();
  const basisOf = (report: ReportName) => {
    const basis = known.get(report) ?? readBasis(mart, report, now);
    known.set(report, basis);
    return basis;
  };
  const read: OverviewSources["read"] = async (report, { from, to, ...changes } = {}) => {
    const { options, days } = await basisOf(report);
    const period = from !== undefined && to !== undefined ? { from, to } : days.period;
    return await readRecords(mart, { ...options, ...changes }, period);
  };
  const sources: OverviewSources = {
    ...{ mart, now, read },
    names: await findEqualNames(mart),
    complianceDays: await read("compliance", { by: ["date"], measures: ["compliance", "coverage"] }),
    daysOf: async (report) => (await basisOf(report)).days,
    asOf: async (report) => (await basisOf(report)).days.dataAsOf,
  };
  const assessments: Assessment[] = [];
  for (const { assess, report, from } of assessors)
    assessments.push(await limitToData(await assess(sources), { report, from }, sources));
  // Not limited by `limitToData`, because this answer already lists missing and stale sources.
  assessments.push(await assessData(sources, limits));
  return { assessments: assessments, worst: pickWorst(assessments) };
}

/** Returns a sentence with the number of questions that need attention. */
export function summarizeAssessments(assessments: readonly Assessment[]): string {
  const statuses = assessments.map(({ status }) => status);
  const unknown = statuses.filter((status) => status === "not known yet").length;
  const worse = statuses.filter((status) => status !== "good").length - unknown;
  const all = countOf(statuses.length, "question");
  const parts = [
    ...(worse > 0 ? [`${worse} of ${all} ${worse === 1 ? "needs" : "need"} attention`] : []),
    ...(unknown > 0 ? [`${unknown} of ${all} can't be answered yet`] : []),
  ];
  return parts.length === 0 ? "Nothing needs attention." : `${parts.join(", and ")}.`;
}

async function readBasis(mart: PublishedMart, report: ReportName, now: Date) {
  const options = await resolveChosen(mart, parseReportOptions({ report }));
  return { options, days: await getReportedDays(mart, options, now) };
}

interface AssessmentSources {
  report: keyof typeof catalog;
  from: readonly CollectedSource[];
}

const assessors: readonly (AssessmentSources & {
  assess: (sources: OverviewSources) => Promise<Assessment>;
})[] = [
  { assess: assessPlays, report: "plays", from: ["history"] },
  { assess: assessCampaigns, report: "compliance", from: ["history", "campaigns"] },
  { assess: assessUptime, report: "uptime", from: ["devices"] },
  { assess: assessDevices, report: "devices", from: ["devices", "history"] },
];

/** Lists sources that are stale or were never collected, and downgrades a good status because of them. */
async function limitToData(
  assessment: Assessment,
  { report, from }: AssessmentSources,
  { mart, now, asOf }: OverviewSources,
): Promise<Assessment> {
  const missing = await describeMissingSources(mart, { entry: { ...catalog[report], collected: from } });
  const instant = await asOf(report);
  const stale =
    instant !== null && isStale(instant, now)
      ? `The data is ${formatAge(hoursSince(instant, now))} old.`
      : undefined;
  const limits = [missing, stale].filter((text) => text !== undefined && !assessment.answer.includes(text));
  const limited = stale ? "not known yet" : missing ? "needs attention" : "good";
  return {
    ...assessment,
    status: assessment.status === "good" ? limited : assessment.status,
    answer: [assessment.answer, ...limits].join(" "),
  };
}

/** Returns up to three findings: first the worst of each question, then the second worst of each. */
function pickWorst(assessments: readonly Assessment[]): Finding[] {
  const ranked = [...assessments].sort((a, b) => statuses.indexOf(b.status) - statuses.indexOf(a.status));
  const most = Math.max(0, ...ranked.map(({ worst }) => worst.length));
  const byRank = Array.from({ length: most }, (_, place) =>
    ranked.flatMap(({ worst }) => worst[place] ?? []),
  );
  return byRank.flat().slice(0, 3);
}
