import type { Settings } from "../../../config/settings.ts";
import { toPageUrl } from "../../../report/address/address.ts";
import { formatAge, hoursSince } from "../../../report/findings/data-as-of.ts";
import { formatCount } from "../../../report/text/readable-text.ts";
import type { Incident } from "../../../state/data/incidents.ts";
import type { Announcement } from "../incidents.ts";
import { type Evaluation, maxRows } from "../rules/evaluation.ts";
import type { Rule } from "../rules/read-rules.ts";
import type { Attachment, Digest, DigestSection, DigestTable } from "./digest.ts";

/** Content that one rule sends in this run. */
export interface RuleOutput {
  rule: Rule;
  evaluation: Evaluation;
  /** Absent for a rule that always sends. */
  announcement?: Announcement;
  attachment?: Attachment;
  /** Notes for the recipient, e.g. that an attachment is too large. */
  notes: readonly string[];
}

export interface RecipientDigest {
  recipient: string;
  digest: Digest;
  attachments: Attachment[];
}

const maxReportNotes = 3;

/** Composes one digest per recipient from all rules with content for that recipient. */
export function composeDigests(
  outputs: readonly RuleOutput[],
  { settings, now }: { settings: Settings; now: Date },
): RecipientDigest[] {
  const recipients = new Set(outputs.flatMap(({ rule }) => rule.recipients));
  return [...recipients].map((recipient) => {
    const own = outputs.filter(({ rule }) => rule.recipients.includes(recipient));
    return {
      recipient,
      digest: {
        headline: writeHeadline(own),
        sections: own.map((output) => writeSection(output, { settings, now })),
        age: writeAge(own, now),
        stop: writeStop(settings),
      },
      attachments: own.flatMap(({ attachment }) => attachment ?? []),
    };
  });
}

/** E.g. `New: Spring menu, North Hotel (missed)` or `3 new, 1 over (missed, down)`. */
function writeHeadline(outputs: readonly RuleOutput[]): string {
  const changes = { New: "begun", "Still open": "open", Over: "over" } as const;
  const counted = Object.entries(changes).map(([word, key]) => {
    const incidents = outputs.flatMap(({ announcement }) => announcement?.[key] ?? []);
    return { word, incidents };
  });
  const found = counted.filter(({ incidents }) => incidents.length > 0);
  const namesOf = (named: readonly RuleOutput[]) => named.map(({ rule }) => rule.name).join(", ");
  const [first, ...others] = found;
  if (first === undefined) {
    const [only, ...more] = outputs;
    return only && more.length === 0
      ? `${only.evaluation.title}: ${only.evaluation.verdict}`
      : `Reports: ${namesOf(outputs)}`;
  }
  const names = namesOf(outputs.filter(({ announcement }) => announcement !== undefined));
  const [incident] = first.incidents;
  if (others.length === 0 && first.incidents.length === 1 && incident)
    return `${first.word}: ${incident.label} (${names})`;
  const counts = found.map(({ word, incidents }) => `${formatCount(incidents.length)} ${word.toLowerCase()}`);
  return `${counts.join(", ")} (${names})`;
}

function writeSection(
  { rule, evaluation, announcement, notes }: RuleOutput,
  { settings, now }: { settings: Settings; now: Date },
): DigestSection {
  const root = settings.find("VENUE_PUBLIC_URL");
  return {
    rule: rule.name,
    title: evaluation.title,
    verdict: evaluation.verdict,
    tables: announcement ? writeChanges(announcement, evaluation, now) : [writeView(evaluation)],
    ...(root !== undefined && { link: toPageUrl(root, rule.address) }),
    notes: [
      ...notes,
      ...evaluation.notes.filter((note) => !evaluation.verdict.includes(note)).slice(0, maxReportNotes),
    ],
  };
}

function writeView({ columns, matching, rowCount }: Evaluation): DigestTable {
  const rows = [...matching.values()].slice(0, maxRows).map(({ cells }) => cells);
  return { columns, rows, omitted: rowCount - rows.length };
}

function writeChanges({ begun, open, over }: Announcement, evaluation: Evaluation, now: Date): DigestTable[] {
  const rank = new Map([...evaluation.matching.keys()].map((subject, place) => [subject, place]));
  const urgentFirst = (incidents: readonly Incident[]) =>
    [...incidents].sort((a, b) => (rank.get(a.subject) ?? 0) - (rank.get(b.subject) ?? 0));
  let left = maxRows;
  const take = (incidents: readonly Incident[]) => {
    const taken = incidents.slice(0, left);
    left -= taken.length;
    return { incidents: taken, omitted: incidents.length - taken.length };
  };
  // Changes come before reminders.
  const [shownBegun, shownOver, shownOpen] = [take(urgentFirst(begun)), take(over), take(urgentFirst(open))];
  const cellsOf = ({ subject, label }: Incident) => evaluation.matching.get(subject)?.cells ?? [label];
  const started: DigestTable = {
    change: "new",
    columns: evaluation.columns,
    rows: shownBegun.incidents.map(cellsOf),
    omitted: shownBegun.omitted,
  };
  const ongoing: DigestTable = {
    change: "open",
    columns: [...evaluation.columns, "Open for"],
    rows: shownOpen.incidents.map((incident) => [
      ...cellsOf(incident),
      formatAge(hoursSince(incident.openedAt, now)),
    ]),
    omitted: shownOpen.omitted,
  };
  const ended: DigestTable = {
    change: "over",
    columns: ["", "Lasted", "Because"],
    rows: shownOver.incidents.map(({ label, openedAt, closedAt, closedBecause }) => [
      label,
      formatAge(hoursSince(openedAt, new Date(closedAt ?? now))),
      closedBecause === "over" ? "" : (closedBecause ?? ""),
    ]),
    omitted: shownOver.omitted,
  };
  return [started, ongoing, ended].filter(({ rows, omitted }) => rows.length + omitted > 0);
}

function writeAge(outputs: readonly RuleOutput[], now: Date): string {
  const [oldest] = outputs.map(({ evaluation }) => evaluation.dataAsOf ?? "").sort();
  if (!oldest) return "No source of this data has been collected completely yet.";
  return `The data is complete up to ${oldest.replace("T", " ").replace(/:\d\d(\.\d+)?Z$/, " UTC")}, ${formatAge(hoursSince(oldest, now))} ago.`;
}

function writeStop(settings: Settings): string {
  const contact = settings.find("VENUE_MAIL_REPLY_TO") ?? settings.find("VENUE_MAIL_FROM");
  const whom = contact?.address ?? "whoever runs venue-analytics here";
  return `Rules in notify.csv decide who gets these messages. To stop or change them, write to ${whom}.`;
}
