import { buildStatement } from "../../options/report-statement.ts";
import type { ReportValue } from "../../report.ts";
import { formatInstant } from "../../text/cell-text.ts";
import type { SpanKind, TimelineChart, TimelineSpan } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";

type Row = Readonly<Record<string, ReportValue>>;

export async function readDeviceSpans({
  mart,
  options,
  period,
}: Pick<PageSources, "mart" | "options" | "period">): Promise<TimelineChart["rows"]> {
  if (options.deviceIds?.length !== 1) return [];
  const inputs = { ...options, period };
  const seen = await mart.all<Row>(...buildStatement("device_spans", inputs));
  const played = await mart.all<Row>(...buildStatement("device_playing", inputs));
  const selectStates = (...states: string[]) => seen.filter(({ state }) => states.includes(String(state)));
  return [
    { label: "state", spans: selectStates("up", "down", "unknown").map(toSpan) },
    { label: "checked", spans: selectStates("check").map(toSpan) },
    { label: "silent", spans: selectStates("silent").map(toSpan) },
    { label: "played", spans: played.map((row) => toSpan({ ...row, state: "played" })) },
  ].filter(({ spans }) => spans.length > 0);
}

function toSpan({ state, started_at, ended_at }: Row): TimelineSpan {
  return {
    from: formatInstant(String(started_at)),
    to: formatInstant(String(ended_at)),
    kind: state as SpanKind,
  };
}
