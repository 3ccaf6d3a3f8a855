import { type AttributeSubject, attributeSubjects } from "../../mart/attribute.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { listAttributeSubjects, listGroupings } from "../columns/report-columns.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { chooseReportFile } from "../report-file.ts";
import { reports } from "../reports.ts";
import { joinWords } from "../text/readable-text.ts";
import { normalizeName } from "./named-subjects.ts";
import { ReportOptionError } from "./report-option-error.ts";
import type { AttributeFilter, ChosenAttribute, ReportRequest } from "./report-options.ts";
import { attributeSlots } from "./report-statement.ts";

/** Value shown for rows without one, and accepted by `--where`. */
const noValue = "(none)";

interface PublishedAttribute {
  subject: AttributeSubject;
  name: string;
}

/** Lists the published attributes of these subjects, in their order, by name. */
export async function listAttributes(
  mart: PublishedMart,
  subjects: readonly AttributeSubject[],
): Promise<PublishedAttribute[]> {
  const selects = attributeSubjects
    .filter((subject) => subjects.includes(subject) && mart.tables.includes(`bridge_${subject}_attribute`))
    .map(
      (subject) =>
        `select distinct '${subject}' as subject, attribute_name as name from bridge_${subject}_attribute`,
    );
  if (selects.length === 0) return [];
  const found = await mart.all<PublishedAttribute>(selects.join(" union all "));
  const rank = ({ subject }: PublishedAttribute) => subjects.indexOf(subject);
  return found.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/**
 * Resolves the attributes in `--by` and `--where`. A name that several subjects share is that of the first
 * subject of the report.
 * @throws {ReportOptionError} naming what is not published, with suggestions
 */
export async function resolveAttributes(
  mart: PublishedMart,
  { report, by, where = [] }: Pick<ReportRequest, "report" | "by" | "where">,
): Promise<ChosenAttribute[]> {
  const file = chooseReportFile(reports[report].file, by);
  const byWords = listGroupings(file);
  const names = by.filter((word) => !byWords.includes(word));
  if (names.length === 0 && where.length === 0) return [];
  const known = await listAttributes(mart, listAttributeSubjects(file));
  const find = (option: string, name: string) => {
    const found = known.find((attribute) => attribute.name === name);
    if (!found) throw unknownAttribute(option, name, option === "--by" ? byWords : [], known);
    return found;
  };
  const chosen = new Map<string, ChosenAttribute>();
  for (const name of names) chosen.set(name, { ...find("--by", name), values: [] });
  for (const filter of where) {
    const attribute = find("--where", filter.name);
    const values = findValues(filter, await listValues(mart, attribute));
    const before = chosen.get(filter.name)?.values ?? [];
    chosen.set(filter.name, { ...attribute, values: [...new Set([...before, ...values])] });
  }
  if (chosen.size > attributeSlots) {
    throw new ReportOptionError(
      "--where",
      `A report takes at most ${attributeSlots} attributes, not ${chosen.size} (${[...chosen.keys()].join(", ")}). Leave one out.`,
    );
  }
  return [...chosen.values()];
}

function unknownAttribute(
  option: string,
  name: string,
  byWords: readonly string[],
  known: readonly PublishedAttribute[],
): ReportOptionError {
  const words = [...byWords, ...new Set(known.map((attribute) => attribute.name))];
  const meant = findClosestWord(name, words);
  const suggestion = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const accepted =
    words.length > 0
      ? `It takes ${words.join(", ")}.`
      : "No attributes are published: add a column to reference/zone_attributes.csv, and run venue build.";
  return new ReportOptionError(
    option,
    (wording) => `${wording.option(option)} does not take ${JSON.stringify(name)}.${suggestion} ${accepted}`,
  );
}

async function listValues(mart: PublishedMart, { subject, name }: PublishedAttribute): Promise<string[]> {
  const rows = await mart.all<{ value: string }>(
    `select distinct attribute_value as value from bridge_${subject}_attribute where attribute_name = ? order by 1`,
    [name],
  );
  return rows.map(({ value }) => value);
}

/** Finds values ignoring case and spaces. A text with commas is a list, unless it is a value. */
function findValues({ name, text }: AttributeFilter, known: readonly string[]): string[] {
  if (known.includes(text)) return [text];
  const find = (word: string) =>
    [...known, noValue].filter((value) => normalizeName(value) === normalizeName(word));
  const whole = find(text);
  if (whole.length > 0) return whole;
  return text.split(",").flatMap((word) => {
    const found = find(word);
    if (found.length > 0) return found;
    const meant = findClosestWord(normalizeName(word), known.map(normalizeName));
    const values = known.filter((value) => normalizeName(value) === meant);
    const next =
      values.length > 0
        ? `Did you mean ${joinWords(values, "or")}?`
        : `Values: ${joinWords([...known, noValue], "and", 10)}.`;
    throw new ReportOptionError("--where", `No ${name} is ${JSON.stringify(word.trim())}. ${next}`);
  });
}
