import { sanitizeText } from "../../../util/text/escaping.ts";
import type { Digest, DigestSection, DigestTable } from "./digest.ts";

/** A line of a message. Its text has no line breaks and no hidden characters, but is not escaped. */
export type DigestLine =
  | { kind: "headline" | "title" | "text" | "change" | "small" | "footer"; text: string }
  | { kind: "row"; text: string; details: string }
  | { kind: "link"; text: string; url: string };

export interface DigestLimits {
  /** Maximum number of rows of each table. */
  rows: number;
  sections: number;
}

/** Maximum characters of a text; names are much shorter. */
const maxLength = 300;
const maxNotes = 5;

export const changes = { new: "New", open: "Still open", over: "Over" } as const;

/** Lays out a digest as lines, which suit a phone better than wide tables. */
export function toLines({ headline, sections, age, stop }: Digest, limits?: DigestLimits): DigestLine[] {
  const shown = sections.slice(0, limits?.sections);
  const omitted = sections.length - shown.length;
  return [
    { kind: "headline", text: clean(headline) },
    ...shown.flatMap((section) => sectionLines(section, headline, limits?.rows)),
    ...smallLines(omitted > 0 ? `and ${omitted} more rules` : ""),
    { kind: "footer", text: clean(age) },
    { kind: "footer", text: clean(stop) },
  ];
}

function sectionLines(
  { rule, title, verdict, tables, link, notes }: DigestSection,
  headline: string,
  rows?: number,
): DigestLine[] {
  // A single view's answer is already the headline.
  const answer = verdict === "" || headline.endsWith(verdict) ? [] : [verdict];
  return [
    { kind: "title", text: clean(title) },
    ...[...answer, ...notes.slice(0, maxNotes)].map((text) => ({ kind: "text" as const, text: clean(text) })),
    ...tables.flatMap((table) => tableLines(table, rows)),
    ...(link === undefined ? [] : [{ kind: "link" as const, text: "Open the report", url: link }]),
    ...smallLines(`Rule: ${rule}`),
  ];
}

function tableLines({ change, columns, rows, omitted }: DigestTable, limit = rows.length): DigestLine[] {
  const rest = omitted + Math.max(rows.length - limit, 0);
  return [
    ...(change ? [{ kind: "change" as const, text: changes[change] }] : []),
    ...rows.slice(0, limit).map(([first = "", ...others]) => ({
      kind: "row" as const,
      text: clean(first) || "–",
      details: others
        .map((value, index) => (value === "" ? "" : `${clean(columns[index + 1] ?? "")}: ${clean(value)}`))
        .filter((detail) => detail !== "")
        .join(" · "),
    })),
    ...smallLines(rest > 0 ? `and ${rest} more` : ""),
  ];
}

function smallLines(text: string): DigestLine[] {
  return text === "" ? [] : [{ kind: "small", text: clean(text) }];
}

function clean(text: string): string {
  const characters = [...sanitizeText(text, " ").trim()];
  return characters.length <= maxLength
    ? characters.join("")
    : `${characters.slice(0, maxLength - 1).join("")}…`;
}
