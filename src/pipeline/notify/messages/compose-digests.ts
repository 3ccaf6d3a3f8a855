import type { Settings } from "../../../config/settings.ts";
import { toPageUrl } from "../../../report/address/address.ts";
import { formatAge, hoursSince } from "../../../report/findings/data-as-of.ts";
import { formatCount } from "../../../report/text/readable-text.ts";
import type { Incident } from "../../../state/data/incidents.ts";
import type { Mention } from "../../../state/data/outbox.ts";
import type { Announcement } from "../incidents.ts";
import { type Evaluation, maxRows } from "../rules/evaluation.ts";
import type { Rule } from "../rules/read-rules.ts";
import type { Content, DigestSection, DigestTable } from "./digest.ts";
import { changes } from "./digest-lines.ts";

/** Content that one rule sends in this run. */
export interface RuleOutput {
  rule: Rule;
  evaluation: Evaluation;
  /** Absent for a rule that always sends. */
  announcement?: Announcement;
  /** Notes for the recipient, before those of the report. */
  notes?: readonly string[];
}

export interface RecipientMessage extends Content {
  recipient: string;
  mentions: readonly Mention[];
}

interface ComposeOptions {
  settings: Settings;
  now: Date;
  /** True for incidents that the recipient has not heard of, whose end needs no message either. @default never */
  isUnheard?(recipient: string, incident: Incident): boolean;
}

const maxReportNotes = 3;

/** Composes one message per recipient from all rules with content for that recipient. */
export function composeDigests(
  outputs: readonly RuleOutput[],
  { settings, now, isUnheard = () => false }: ComposeOptions,
): RecipientMessage[] {
  const recipients = new Set(outputs.flatMap(({ rule }) => rule.recipients));
  return [...recipients].flatMap((recipient) => {
    const own = outputs
      .filter(({ rule }) => rule.recipients.includes(recipient))
      .map((output) => withChanges(output, { now, isUnheard: (incident) => isUnheard(recipient, incident) }))
      .filter(({ tables }) => tables.length > 0);
    if (own.length === 0) return [];
    const sections = own.map((output) => writeSection(output, settings));
    const isMailed = recipient.startsWith("mailto:");
    return {
      recipient,
      digest: {
        headline: writeHeadline(sections),
        sections,
        age: writeAge(own, now),
        stop: writeStop(settings),
      },
      mentions: own.flatMap(({ mentions }) => mentions),
      attach: own.flatMap(({ rule }) => (isMailed && rule.attach ? rule.name : [])),
    };
  });
}

/** E.g. `New: Spring menu, North Hotel (missed)` or `3 new, 1 over (missed, down)`. */
function writeHeadline(sections: readonly DigestSection[]): string {
  const tables = sections.flatMap((section) => section.tables);
  const counted = Object.entries(changes).map(([change, word]) => {
    const ofChange = tables.filter((table) => table.change === change);
    const count = ofChange.reduce((sum, { rows, omitted }) => sum + rows.length + omitted, 0);
    return { word, count, label: ofChange.find(({ rows }) => rows.length > 0)?.rows[0]?.[0] };
  });
  const found = counted.filter(({ count }) => count > 0);
  const namesOf = (named: readonly DigestSection[]) => named.map(({ rule }) => rule).join(", ");
  const [first, ...others] = found;
  if (first === undefined) {
    const [only, ...more] = sections;
    return only && more.length === 0 ? `${only.title}: ${only.verdict}` : `Reports: ${namesOf(sections)}`;
  }
  const names = namesOf(
    sections.filter((section) => section.tables.some(({ change }) => change !== undefined)),
  );
  if (others.length === 0 && first.count === 1 && first.label !== undefined)
    return `${first.word}: ${first.label} (${names})`;
  const counts = found.map(({ word, count }) => `${formatCount(count)} ${word.toLowerCase()}`);
  return `${counts.join(", ")} (${names})`;
}

/** A rule's output with what one recipient gets of it. */
interface RecipientOutput extends RuleOutput {
  tables: DigestTable[];
  mentions: Mention[];
}

function withChanges(
  output: RuleOutput,
  { now, isUnheard }: { now: Date; isUnheard(incident: Incident): boolean },
): RecipientOutput {
  const { rule, evaluation, announcement } = output;
  if (!announcement) return { ...output, tables: [writeView(evaluation)], mentions: [] };
  const rank = new Map([...evaluation.matching.keys()].map((subject, place) => [subject, place]));
  const urgentFirst = (incidents: readonly Incident[]) =>
    [...incidents].sort((a, b) => (rank.get(a.subject) ?? 0) - (rank.get(b.subject) ?? 0));
  const begun = urgentFirst(announcement.begun);
  const open = urgentFirst(announcement.open);
  const over = announcement.over.filter((incident) => !isUnheard(incident));
  const mention = (incidents: readonly Incident[], change: Mention["change"]) =>
    incidents.map(({ subject }) => ({ rule: rule.name, subject, change }));
  return {
    ...output,
    tables: writeChanges({ begun, open, over }, evaluation, now),
    mentions: [...mention(begun, "new"), ...mention(open, "open")],
  };
}

function writeSection(
  { rule, evaluation, tables, notes = [] }: RecipientOutput,
  settings: Settings,
): DigestSection {
  const root = settings.find("VENUE_PUBLIC_URL");
  return {
    rule: rule.name,
    title: evaluation.title,
    verdict: evaluation.verdict,
    tables,
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
  let left = maxRows;
  const take = (incidents: readonly Incident[]) => {
    const taken = incidents.slice(0, left);
    left -= taken.length;
    return { incidents: taken, omitted: incidents.length - taken.length };
  };
  // Changes come before reminders.
  const [shownBegun, shownOver, shownOpen] = [take(begun), take(over), take(open)];
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

/** Messages may be read days later, so all times are dates. */
function writeAge(outputs: readonly RuleOutput[], now: Date): string {
  const [oldest] = outputs.map(({ evaluation }) => evaluation.dataAsOf ?? "").sort();
  const data = oldest
    ? `The data is complete up to ${toMinutes(oldest)}, ${formatAge(hoursSince(oldest, now))} earlier.`
    : "No source of this data has been collected completely yet.";
  return `Written ${toMinutes(now.toISOString())}. ${data}`;
}

function toMinutes(instant: string): string {
  return instant.replace("T", " ").replace(/:\d\d(\.\d+)?Z$/, " UTC");
}

function writeStop(settings: Settings): string {
  const contact = settings.find("VENUE_MAIL_REPLY_TO") ?? settings.find("VENUE_MAIL_FROM");
  const whom = contact?.address ?? "whoever runs venue-analytics here";
  return `Rules in notify.csv decide who gets these messages. To stop or change them, write to ${whom}.`;
}

/**
 * Removes incidents from a message that waits. Rows are in the order of the mentions.
 * @returns `undefined` if nothing is left
 */
export function withdraw(
  { digest, mentions, attach }: Omit<RecipientMessage, "recipient">,
  isWithdrawn: (mention: Mention) => boolean,
): Omit<RecipientMessage, "recipient"> | undefined {
  const sections = digest.sections.flatMap((section) => {
    const tables = section.tables.flatMap((table) => {
      const own = mentions.filter(({ rule, change }) => rule === section.rule && change === table.change);
      const left = own.filter((mention) => !isWithdrawn(mention));
      if (left.length === own.length) return table;
      const rows = table.rows.filter((_, index) => left.includes(own[index] as Mention));
      return left.length === 0 ? [] : { ...table, rows, omitted: left.length - rows.length };
    });
    return tables.length === 0 ? [] : { ...section, tables };
  });
  if (sections.length === 0) return undefined;
  const names = sections.map(({ rule }) => rule);
  return {
    digest: { ...digest, headline: writeHeadline(sections), sections },
    mentions: mentions.filter((mention) => !isWithdrawn(mention)),
    attach: attach.filter((name) => names.includes(name)),
  };
}
