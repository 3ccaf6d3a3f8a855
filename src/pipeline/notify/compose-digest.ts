import type { Settings } from "../../config/settings.ts";
import { toPageUrl } from "../../report/address/address.ts";
import { formatAge, hoursSince } from "../../report/findings/data-as-of.ts";
import { formatCount, formatDuration, formatQuantity } from "../../report/text/readable-text.ts";
import type { Change, Incident } from "../../state/data/incidents.ts";
import { type Evaluation, maxRows } from "./rules/evaluate-rule.ts";
import type { Rule } from "./rules/read-rules.ts";
import type { Subject } from "./rules/view-entities.ts";

/** The content of a message: all findings of the rules for one recipient. */
export interface Digest {
  /** First line of the message, and the subject of a mail. */
  headline: string;
  sections: readonly DigestSection[];
  /** Age of the data, as a sentence. */
  age: string;
  /** A sentence that names the person who can stop the messages. */
  stop: string;
}

/** The part of a digest about one rule of `notify.csv`. */
export interface DigestSection {
  /** Name of the rule. */
  rule: string;
  /** E.g. `Compliance by campaign and zone`. */
  title: string;
  /** The view's answer in a sentence. */
  answer: string;
  tables: readonly DigestTable[];
  /** Address of the view's page; absent without `VENUE_PUBLIC_URL`. */
  link?: string;
  notes: readonly string[];
  /** `YYYY-MM-DDTHH:MM:SSZ`; null if unknown. */
  data_as_of: string | null;
}

export interface DigestTable {
  /** Absent if the rule sends its whole view. */
  change?: Change;
  /** The number of rows and what they are, e.g. `2 devices down`; absent like `change`. */
  summary?: string;
  /** Column labels. */
  columns: readonly string[];
  /** Formatted values. */
  rows: readonly (readonly string[])[];
  /** Number of rows left out. */
  omitted: number;
}

interface ComposeOptions {
  settings: Settings;
  now: Date;
}

export const changeWords: Readonly<Record<Change, string>> = { new: "New", open: "Still open", over: "Over" };

const maxNotes = 3;

/** @param mentioned the incidents to mention, unless the rule sends its whole view */
export function composeSection(
  { name, address, condition }: Pick<Rule, "name" | "address" | "condition">,
  evaluation: Evaluation,
  mentioned: readonly Incident[],
  { settings, now }: ComposeOptions,
): DigestSection {
  const { title, answer, notes, columns, matching, rowCount, dataAsOf } = evaluation;
  const root = settings.find("VENUE_PUBLIC_URL");
  const rows = [...matching.values()].map(({ cells }) => cells);
  return {
    rule: name,
    title,
    answer: answer,
    tables:
      condition === "always"
        ? [{ columns, rows, omitted: rowCount - rows.length }]
        : composeChanges(mentioned, evaluation, now),
    ...(root !== undefined && { link: toPageUrl(root, address) }),
    notes: notes.filter((note) => !answer.includes(note)).slice(0, maxNotes),
    data_as_of: dataAsOf,
  };
}

/** Composes tables with at most 20 rows in total, most urgent first. Changes take precedence over reminders. */
function composeChanges(
  mentioned: readonly Incident[],
  { columns, matching, subject, hasSpans }: Evaluation,
  now: Date,
): DigestTable[] {
  const labels = {
    new: columns,
    over: ["", "Lasted", ...(hasSpans ? [] : ["Noticed at"])],
    open: [...columns, "Open for"],
  };
  const rank = [...matching.keys()];
  let left = maxRows;
  return (["new", "over", "open"] as const).flatMap((change) => {
    const incidents = mentioned
      .filter((incident) => incident.change === change)
      .sort((a, b) => rank.indexOf(a.entity) - rank.indexOf(b.entity));
    const rows = incidents.slice(0, left).map(({ entity, label, openedAt, closedAt }) => {
      const cells = matching.get(entity)?.cells ?? [label];
      if (change === "new") return cells;
      const lasted = formatDuration((new Date(closedAt ?? now).getTime() - Date.parse(openedAt)) / 1000);
      const noticed = change === "open" || hasSpans ? [] : [toMinutes(openedAt)];
      return [...cells, lasted, ...noticed];
    });
    left -= rows.length;
    const omitted = incidents.length - rows.length;
    const summary = summarize(change, incidents.length, subject);
    return incidents.length === 0 ? [] : [{ change, summary, columns: labels[change], rows, omitted }];
  });
}

/** E.g. `2 devices down`, `1 device no longer down` or `3 still missed`. */
function summarize(change: Change, count: number, { noun, state }: Subject): string {
  const counted = noun === undefined ? formatCount(count) : formatQuantity(count, noun);
  if (state === undefined) return `${counted} ${changeWords[change].toLowerCase()}`;
  return [counted, ...{ new: [], open: ["still"], over: ["no longer"] }[change], state].join(" ");
}

export function composeDigest(sections: readonly DigestSection[], { settings, now }: ComposeOptions): Digest {
  const [oldest] = sections.map(({ data_as_of: asOf }) => asOf ?? "").sort();
  // Messages may be read days later, so times include the date.
  const data = oldest
    ? `The data is complete up to ${toMinutes(oldest)}, ${formatAge(hoursSince(oldest, now))} earlier.`
    : "No source of this data has been collected completely yet.";
  const whom = settings.find("VENUE_MAIL_FROM")?.address ?? "whoever runs venue-analytics here";
  return {
    headline: composeHeadline(sections),
    sections,
    age: `Written ${toMinutes(now.toISOString())}. ${data}`,
    stop: `Rules in notify.csv decide who gets these messages. To stop or change them, write to ${whom}.`,
  };
}

/** E.g. `2 devices down: North Hotel (device 80), Gym (device 50)`, with all changes. */
function composeHeadline(sections: readonly DigestSection[]): string {
  const [view] = sections;
  const changed = sections.flatMap(({ tables }) => tables.filter(({ change }) => change !== undefined));
  if (changed.length > 0)
    return changed.map((table) => nameRows(table, changed.length > 2 ? 1 : 3)).join("; ");
  return view && sections.length === 1
    ? `${view.title}: ${view.answer}`
    : `Reports: ${sections.map(({ rule }) => rule).join(", ")}`;
}

/** Messages that an earlier software version composed have no summaries. */
function nameRows(
  { change = "new", summary = changeWords[change], rows, omitted }: DigestTable,
  most: number,
): string {
  const named = rows.slice(0, most).map(([name]) => name);
  const others = rows.length + omitted - named.length;
  if (named.length === 0) return summary;
  return `${summary}: ${named.join(", ")}${others > 0 ? ` and ${formatCount(others)} more` : ""}`;
}

function toMinutes(instant: string): string {
  return instant.replace("T", " ").replace(/:\d\d(\.\d+)?Z$/, " UTC");
}
