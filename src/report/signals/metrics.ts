import { softwareVersion } from "../../util/files/package-files.ts";
import { undeliveredDays } from "../published/run-state.ts";
import type { Signals } from "./signals.ts";

/** Media type of OpenMetrics, which Prometheus prefers. */
export const metricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number | null | undefined;
}

/** Formats signals as OpenMetrics, for Prometheus and node_exporter's textfile collector. */
export function formatMetrics(signals: Signals): string {
  const lines = listMetrics(signals).flatMap(({ name, help, samples }) => {
    const known = samples.filter(({ value }) => value != null && !Number.isNaN(value));
    if (known.length === 0) return [];
    return [
      `# TYPE ${name} gauge`,
      `# HELP ${name} ${help}`,
      ...known.map(({ labels = {}, value }) => `${name}${formatLabels(labels)} ${value}`),
    ];
  });
  return `${[...lines, "# EOF"].join("\n")}\n`;
}

interface Metric {
  name: string;
  help: string;
  samples: readonly Sample[];
}

function listMetrics(signals: Signals): Metric[] {
  const { runs, sources = [], rejects = [] } = signals;
  const perRun = (toValue: (run: Signals["runs"][number]) => number | null | undefined) =>
    runs.map((run) => ({ labels: { command: run.word }, value: toValue(run) }));
  return [
    {
      name: "venue_info",
      help: "Versions of the program and of the published data.",
      samples: [{ labels: { program: softwareVersion(), published: signals.version ?? "none" }, value: 1 }],
    },
    {
      name: "venue_run_end_timestamp_seconds",
      help: "End of the last run of a command.",
      samples: perRun(({ ended_at }) => toSeconds(ended_at)),
    },
    {
      name: "venue_run_success_timestamp_seconds",
      help: "End of the last run of a command that succeeded.",
      samples: perRun(({ succeeded_at }) => toSeconds(succeeded_at)),
    },
    {
      name: "venue_run_exit_code",
      help: "Exit code of the last run of a command; 0 is success.",
      samples: perRun(({ exit_code }) => exit_code),
    },
    {
      name: "venue_run_duration_seconds",
      help: "Duration of the last run of a command.",
      samples: perRun(({ started_at, ended_at }) => (Date.parse(ended_at) - Date.parse(started_at)) / 1000),
    },
    {
      name: "venue_run_requests",
      help: "Requests that the last run of a command sent.",
      samples: runs.flatMap((run) => countRequests(run)),
    },
    {
      name: "venue_requests_last_minute",
      help: "Requests that all programs of this user sent in the last minute.",
      samples: signals.requests.map(({ api, sentLastMinute }) => ({
        labels: { api },
        value: sentLastMinute,
      })),
    },
    {
      name: "venue_requests_allowed_per_minute",
      help: "Requests to the main API that VENUE_RATE_PER_SECOND allows.",
      samples: [{ value: signals.allowedPerMinute }],
    },
    {
      name: "venue_data_timestamp_seconds",
      help: "Instant up to which all collected histories are complete.",
      samples: [{ value: toSeconds(signals.dataAsOf) }],
    },
    {
      name: "venue_source_timestamp_seconds",
      help: "Oldest of the latest complete responses of a type of source.",
      samples: sources.map(({ source, asOf }) => ({ labels: { source }, value: toSeconds(asOf) })),
    },
    {
      name: "venue_source_unanswered",
      help: "Sources of a type that never returned a complete response.",
      samples: sources.map(({ source, unanswered }) => ({ labels: { source }, value: unanswered })),
    },
    {
      name: "venue_rejected_lines",
      help: "Rejected lines in the newest load of each source.",
      samples: rejects.map(({ reason, lines }) => ({ labels: { reason }, value: lines })),
    },
    {
      name: "venue_devices",
      help: "Listed devices.",
      samples: [{ value: signals.devices }],
    },
    {
      name: "venue_devices_down",
      help: "Devices that were down at their last check.",
      samples: [{ value: signals.devicesDown }],
    },
    {
      name: "venue_device_down",
      help: "A device that was down at its last check; at most 100.",
      samples: (signals.downDevices ?? []).map(({ device, zone, zoneName }) => ({
        labels: { device: String(device), zone: String(zone), zone_name: zoneName },
        value: 1,
      })),
    },
    {
      name: "venue_compliance_missed",
      help: "Scheduled zone days of campaigns that were missed in the default period of reports.",
      samples: [{ value: signals.missedDays }],
    },
    {
      name: "venue_campaign_missed",
      help: "Missed zone days of a campaign in that period, for the 100 campaigns with most.",
      samples: (signals.missedCampaigns ?? []).map(({ kind, campaign, name, days }) => ({
        labels: { kind, campaign: String(campaign), campaign_name: name },
        value: days,
      })),
    },
    {
      name: "venue_compliance_pending",
      help: "Scheduled zone days of campaigns in that period that are not settled yet.",
      samples: [{ value: signals.pendingDays }],
    },
    {
      name: "venue_messages_waiting",
      help: "Messages to be sent.",
      samples: [{ value: signals.messages.waiting }],
    },
    {
      name: "venue_messages_undelivered",
      help: `Messages that were given up in the last ${undeliveredDays} days.`,
      samples: [{ value: signals.messages.undelivered.length }],
    },
    {
      name: "venue_size_bytes",
      help: "Size of a part of the data folder.",
      samples: signals.sizes.map(({ part, bytes }) => ({ labels: { part }, value: bytes })),
    },
    {
      name: "venue_free_bytes",
      help: "Free space on the data folder's disk.",
      samples: [{ value: signals.freeBytes }],
    },
  ];
}

/** Reads the requests from the summary of a run or sync; older runs do not contain them. */
function countRequests({ word, summary }: Signals["runs"][number]): Sample[] {
  interface Counts {
    requests?: number;
    status_requests?: number;
    sync?: Counts;
  }
  const whole = JSON.parse(summary ?? "{}") as Counts;
  const { requests, status_requests } = whole.sync ?? whole;
  return [
    { labels: { command: word, api: "main" }, value: requests },
    { labels: { command: word, api: "status" }, value: status_requests },
  ];
}

function toSeconds(instant: string | null | undefined): number | undefined {
  return instant == null ? undefined : Date.parse(instant) / 1000;
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}
