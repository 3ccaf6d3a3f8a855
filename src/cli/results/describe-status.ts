import { undeliveredDays } from "../../report/published/run-state.ts";
import type { Signals } from "../../report/signals/signals.ts";
import { formatMoment, formatPeriod, formatSize } from "../../report/text/readable-text.ts";
import type { UnfinishedWork } from "../../state/data/runs.ts";
import { countOf, formatDuration } from "../../util/text/words.ts";

/** Maximum number of undelivered messages to print. */
const maxMessages = 3;

interface StatusOptions {
  now: Date;
  maxAgeHours: number;
}

/** Describes signals on one screen, for operators. */
export function describeStatus(
  signals: Signals,
  unfinished: readonly UnfinishedWork[],
  { now, maxAgeHours }: StatusOptions,
) {
  const { runs, dataAsOf = null, version } = signals;
  const age = (instant: string) => formatDuration(Math.max(0, (now.getTime() - Date.parse(instant)) / 1000));
  const isStale = dataAsOf === null || now.getTime() - Date.parse(dataAsOf) > maxAgeHours * 3_600_000;
  const data =
    version === undefined
      ? "nothing is published yet"
      : dataAsOf === null
        ? `no history is complete yet (version ${version})`
        : `${formatMoment(dataAsOf)}, ${age(dataAsOf)} old (version ${version})`;
  const sources = (signals.sources ?? []).map(({ source, asOf, unanswered }) => {
    const never = unanswered === 0 ? "" : `; ${unanswered} never answered`;
    return `  ${source.padEnd(12)}${asOf === null ? "never" : `${formatMoment(asOf)}, ${age(asOf)} old${never}`}`;
  });
  const used = signals.sizes.filter(({ bytes }) => bytes > 0);
  const parts = used.map(({ part, bytes }) => `${part} ${formatSize(bytes)}`).join(", ");
  const lines = [
    `Data as of:   ${data}${isStale ? ` – stale: the limit is ${formatDuration(maxAgeHours * 3600)}` : ""}`,
    ...(sources.length > 0 ? ["Sources:", ...sources] : []),
    ...(signals.stale ?? []).map(
      ({ topic, asOf, limitHours }) =>
        `  ${topic} is ${age(asOf)} old; VENUE_FRESHNESS allows ${formatDuration(limitHours * 3600)}`,
    ),
    ...describeCollectors(signals, age),
    runs.length > 0 ? "Last runs:" : "Last runs:    none",
    ...runs.map(describeRun),
    ...(unfinished.length > 0 ? ["Not finished by the last runs:"] : []),
    ...unfinished.map(({ subject, value, note }) => `  ${subject} ${value}: ${note}`),
    ...describePublished(signals),
    ...describeMessages(signals),
    `Disk:         ${formatSize(used.reduce((sum, { bytes }) => sum + bytes, 0))} used${parts && ` (${parts})`}, ${formatSize(signals.freeBytes)} free`,
  ];
  return { text: lines.join("\n"), summary: summarize(signals, unfinished, isStale), isStale };
}

function describeRun({
  word,
  status,
  ended_at,
  started_at,
  exit_code,
  note,
}: Signals["runs"][number]): string {
  const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
  const outcome = exit_code === null ? status : `${status}, exit code ${exit_code}`;
  const reason = status === "succeeded" || !note ? "" : `: ${note.split("\n", 1)[0]}`;
  return `  ${word.padEnd(12)}${formatMoment(ended_at)}, after ${formatDuration(seconds)}, ${outcome}${reason}`;
}

function describeCollectors({ collectors }: Signals, age: (instant: string) => string): string[] {
  if (collectors.length === 0) return [];
  const width = Math.max(12, ...collectors.map(({ name }) => name.length + 2));
  return [
    "Collectors, by their last landing:",
    ...collectors.map(({ name, host, lastLandingAt }) => {
      const last =
        lastLandingAt === null
          ? "no landing yet"
          : `${formatMoment(lastLandingAt)}, ${age(lastLandingAt)} old`;
      return `  ${name.padEnd(width)}${last}, on ${host}`;
    }),
  ];
}

function describePublished(signals: Signals): string[] {
  const { devices, devicesDown = 0, missedDays = 0, pendingDays = 0, period, rejects = [] } = signals;
  if (devices === undefined || period === undefined) return [];
  const rejected = rejects.map(({ reason, lines }) => `${lines} ${reason}`).join(", ");
  return [
    `Devices:      ${devicesDown} of ${countOf(devices, "device")} down`,
    `Campaigns:    ${countOf(missedDays, "zone day")} missed, ${pendingDays} not settled yet, ${formatPeriod(period)}`,
    ...(rejected === "" ? [] : [`Rejected:     ${rejected}`]),
  ];
}

function describeMessages({ messages: { waiting, undelivered } }: Signals): string[] {
  if (waiting + undelivered.length === 0) return [];
  return [
    `Messages:     ${waiting} waiting, ${undelivered.length} undelivered in the last ${undeliveredDays} days`,
    ...undelivered
      .slice(0, maxMessages)
      .map(
        ({ recipient, endedAt, problem }) =>
          `  ${recipient} given up ${formatMoment(endedAt.toISOString())}: ${problem.split("\n", 1)[0]}`,
      ),
    ...(undelivered.length > maxMessages ? ["  All: venue report quality"] : []),
  ];
}

function summarize(signals: Signals, unfinished: readonly UnfinishedWork[], isStale: boolean) {
  return {
    is_stale: isStale,
    version: signals.version ?? null,
    data_as_of: signals.dataAsOf ?? null,
    sources: (signals.sources ?? []).map(({ source, asOf, unanswered }) => ({
      source,
      as_of: asOf,
      unanswered,
    })),
    stale: (signals.stale ?? []).map(({ topic, asOf, limitHours }) => ({
      topic,
      as_of: asOf,
      limit_hours: limitHours,
    })),
    collectors: signals.collectors.map(({ name, host, lastLandingAt }) => ({
      ...{ name, host, last_landing_at: lastLandingAt },
    })),
    runs: signals.runs.map(({ summary: _summary, word: _word, ...run }) => run),
    unfinished,
    devices: signals.devices ?? null,
    devices_down: signals.devicesDown ?? null,
    missed_days: signals.missedDays ?? null,
    pending_days: signals.pendingDays ?? null,
    rejects: signals.rejects ?? [],
    messages_waiting: signals.messages.waiting,
    messages_undelivered: signals.messages.undelivered.map(({ recipient, createdAt, endedAt, problem }) => ({
      recipient,
      created_at: createdAt,
      given_up_at: endedAt,
      problem,
    })),
    bytes: Object.fromEntries(signals.sizes.map(({ part, bytes }) => [part, bytes])),
    free_bytes: signals.freeBytes,
  };
}
