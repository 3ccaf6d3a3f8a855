import { findClosestWord } from "../../util/text/words.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { listGroupingsOf, listSubjectsOf } from "../reports.ts";
import { joinWords } from "../text/readable-text.ts";
import {
  listAttributes,
  listValues,
  matchValues,
  noValue,
  type PublishedAttribute,
} from "./known-attributes.ts";
import { normalizeName } from "./named-subjects.ts";
import { ReportOptionError } from "./report-option-error.ts";
import type { AttributeFilter, ChosenAttribute, ReportRequest } from "./report-options.ts";
import { attributeSlots } from "./report-statement.ts";

/**
 * Resolves the attributes in `--by` and `--where`. If several subjects have an attribute of this name, the
 * one that the report lists first is used.
 * @throws {ReportOptionError} naming what is not published, with suggestions
 */
export async function resolveAttributes(
  mart: PublishedMart,
  { by, where = [], ...asked }: Pick<ReportRequest, "report" | "own" | "by" | "where">,
): Promise<ChosenAttribute[]> {
  const byWords = listGroupingsOf({ ...asked, by });
  const names = by.filter((word) => !byWords.includes(word));
  if (names.length === 0 && where.length === 0) return [];
  const known = await listAttributes(mart, listSubjectsOf({ ...asked, by }));
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

function findValues({ name, text }: AttributeFilter, known: readonly string[]): string[] {
  return matchValues(text, [...known, noValue]).flatMap(({ word, found }) => {
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
