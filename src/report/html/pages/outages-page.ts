import { formatPrecision } from "../../findings/device-checks.ts";
import { explainMissingHistory } from "../../findings/reported-days.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import type { PageSources } from "../page-sources.ts";
import { drawOutages } from "../read/draw-outages.ts";
import { describeKnownTime, explainUnknownUptime, readUptime } from "../read/explain-nothing.ts";
import type { PageDeclaration, TotalledPage } from "../report-page.ts";

export function declareOutages(): PageDeclaration {
  return {
    total: ({ sum }) =>
      sum({
        outages: "count(*)",
        devices: "count(distinct device_id)",
        down_seconds: "coalesce(sum(down_seconds), 0)",
        is_open: "count(case when is_open then 1 end)",
        planned: "count(case when planned then 1 end)",
      }),
    explain: async (page) =>
      page.count("outages") > 0 ? undefined : await explainUnknownUptime(page, "outages"),
    headline: async (page) => {
      const { count, when } = page;
      if (count("outages") === 0) return `No known outages of 15 minutes or more ${when}.`;
      const { total: uptime } = await readUptime(page);
      return `${formatQuantity(count("outages"), "outage")} of ${formatQuantity(count("devices"), "device")} ${when}, ${formatDuration(count("down_seconds"))} in total${formatPrecision(uptime)}; ${describeOngoing(page)}.`;
    },
    coverage: describeKnownTime,
    facts: [
      { figure: "outages", note: ({ count }) => `of ${formatQuantity(count("devices"), "device")}` },
      { figure: "down_seconds" },
      { figure: "is_open" },
      { figure: "planned", note: () => "overlapping announced maintenance" },
    ],
    charts: [drawOutages],
  };
}

export function declareSilences({ options: { by } }: PageSources): PageDeclaration {
  const isSummed = by.length > 0;
  return {
    async total({ sum }) {
      const zones = await sum(
        {
          quiet_seconds: "coalesce(sum(quiet_seconds), 0)",
          open_seconds: "coalesce(sum(open_seconds), 0)",
          silent_seconds: "coalesce(sum(silent_seconds), 0)",
          quiet_unknown_seconds: "coalesce(sum(quiet_unknown_seconds), 0)",
          quiet_zones: "count(case when quiet_seconds > 0 then 1 end)",
        },
        { by: ["zone"] },
      );
      const share = Number(zones.quiet_seconds) / (Number(zones.open_seconds) || Number.NaN);
      const spans = isSummed
        ? {}
        : await sum({ silences: "count(*)", is_open: "count(case when is_open then 1 end)" });
      return { ...zones, quiet_share: Number.isNaN(share) ? null : share, ...spans };
    },
    explain: async ({ mart, count, when }) => {
      if (count("open_seconds") > 0) return undefined;
      return (await explainMissingHistory(mart)) ?? `No zone has known opening hours ${when}.`;
    },
    headline(page) {
      const { count, when } = page;
      if (count("quiet_seconds") === 0) return `No silences of over 10 minutes ${when}.`;
      const zones = formatQuantity(count("quiet_zones"), "zone");
      const length = formatDuration(count("quiet_seconds"));
      return isSummed
        ? `${zones} ${count("quiet_zones") === 1 ? "was" : "were"} quiet while open ${when}, for ${length} in total.`
        : `${formatQuantity(count("silences"), "silence")} in ${zones} ${when}, ${length} in total; ${describeOngoing(page)}.`;
    },
    coverage: ({ count }) => `${formatDuration(count("open_seconds"))} of opening hours`,
    facts: [
      { figure: "quiet_seconds" },
      ...(isSummed ? [{ figure: "quiet_share" }] : []),
      { figure: "silent_seconds" },
      { figure: "quiet_unknown_seconds" },
      ...(isSummed ? [] : [{ figure: "is_open" }]),
    ],
    charts: [],
  };
}

function describeOngoing({ count }: TotalledPage): string {
  const open = count("is_open");
  if (open === 0) return "none is ongoing";
  return `${formatCount(open)} ${open === 1 ? "is" : "are"} ongoing`;
}
