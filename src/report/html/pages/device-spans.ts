import { reportStatement } from "../../options/report-statement.ts";
import type { ReportValue } from "../../report.ts";
import { instantText } from "../../text/cell-text.ts";
import type { SpanKind, TimelineChart, TimelineSpan } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";

type Row = Readonly<Record<string, ReportValue>>;

const kindOfState: Readonly<Record<string, SpanKind>> = { down: "out" };

export async function deviceSpans({
  mart,
  options,
  period,
}: Pick<PageSources, "mart" | "options" | "period">): Promise<TimelineChart["rows"]> {
  if (options.deviceIds?.length !== 1) return [];
  const asked = { ...options, period };
  const seen = await mart.all<Row>(...reportStatement("device_spans", asked));
  const played = await mart.all<Row>(...reportStatement("device_playing", asked));
  const ofStates = (...states: string[]) => seen.filter(({ state }) => states.includes(String(state)));
  return [
    { label: "state", spans: ofStates("up", "down", "unknown").map(toSpan) },
    { label: "checked", spans: ofStates("check").map(toSpan) },
    { label: "silent", spans: ofStates("silent").map(toSpan) },
    { label: "played", spans: played.map((row) => toSpan({ ...row, state: "played" })) },
  ].filter(({ spans }) => spans.length > 0);
}

function toSpan({ state, started_at, ended_at }: Row): TimelineSpan {
  return {
    from: instantText(String(started_at)),
    to: instantText(String(ended_at)),
    kind: kindOfState[String(state)] ?? (state as SpanKind),
  };
}
