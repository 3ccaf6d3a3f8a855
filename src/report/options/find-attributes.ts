import type { AttributeEntity } from "../../mart/attribute.ts";
import { findClosestWord } from "../../util/text/words.ts";
import {
  chooseRows,
  findVariant,
  listDimensions,
  listGroupings,
  takesCampaignAttributes,
} from "../catalog/report-entry.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { joinWords } from "../text/readable-text.ts";
import { listAttributes, listValues, matchValues, noValue } from "./known-attributes.ts";
import { normalizeName } from "./named-entities.ts";
import { ReportOptionError, type Wording } from "./option-error.ts";
import type { AttributeFilter, ChosenAttribute, ReportRequest } from "./request-options.ts";

/**
 * Resolves the attributes in `--by` and `--where`. If several kinds of entity have an attribute of this name, the kind
 * that the report lists first is used.
 * @throws {ReportOptionError} for attributes and values that are not published, with suggestions
 */
export async function resolveAttributes(
  mart: PublishedMart,
  { entry, by, where = [] }: Pick<ReportRequest, "entry" | "by" | "where">,
): Promise<ChosenAttribute[]> {
  const dimensionNames = listGroupings(entry, by);
  const names = by.filter((word) => !dimensionNames.includes(word));
  if (names.length === 0 && where.length === 0) return [];
  const known = await listAttributes(mart, chooseRows(entry, by).attributes);
  const find = async (option: "--by" | "--where", name: string) => {
    const found = known.find((attribute) => attribute.name === name);
    if (found) return found;
    // Plays have campaign attributes if they are grouped by campaign or divided among campaigns.
    const subjects = chooseRows(entry, [...by, "campaign"]).attributes;
    const ofCampaigns = await listAttributes(mart, subjects);
    const ofCampaign = ofCampaigns.find((attribute) => attribute.name === name);
    const isTaken = option === "--by" && takesCampaignAttributes(entry, by, mart.isShared);
    if (ofCampaign && isTaken) return ofCampaign;
    if (ofCampaign && option === "--where" && names.includes(name)) throw shareFilterError(name);
    if (ofCampaign) throw campaignAttributeError(option, name, findVariant(entry, by));
    const words = option === "--by" ? listDimensions(entry) : [];
    throw unknownAttributeError(option, name, {
      words: [...words, ...[...known, ...(isTaken ? ofCampaigns : [])].map((attribute) => attribute.name)],
      subjects,
    });
  };
  const chosen = new Map<string, ChosenAttribute>();
  for (const name of names) chosen.set(name, { ...(await find("--by", name)), values: [] });
  for (const filter of where) {
    const attribute = await find("--where", filter.name);
    const values = findValues(filter, await listValues(mart, attribute));
    const before = chosen.get(filter.name)?.values ?? [];
    chosen.set(filter.name, { ...attribute, values: [...new Set([...before, ...values])] });
  }
  return [...chosen.values()];
}

/** An attribute that is not published, and not similar to a published one. */
export class UnknownAttributeError extends ReportOptionError {
  override readonly name = "UnknownAttributeError";
  readonly attribute: string;
  /** Kinds of entity that could have the attribute. */
  readonly subjects: readonly AttributeEntity[];

  constructor(
    option: string,
    attribute: string,
    subjects: readonly AttributeEntity[],
    sentences: (wording: Wording) => string,
  ) {
    super(option, sentences);
    this.attribute = attribute;
    this.subjects = subjects;
  }
}

/** @param words accepted values, with the attributes last */
export function unknownAttributeError(
  option: string,
  name: string,
  { words, subjects }: { words: readonly string[]; subjects: readonly AttributeEntity[] },
): ReportOptionError {
  const meant = findClosestWord(name, words);
  const suggestion = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const accepted =
    words.length > 0
      ? `It takes ${[...new Set(words)].join(", ")}.`
      : "No attributes are published: builds read them from reference files.";
  const sentences = (wording: Wording) =>
    `${wording.option(option)} does not take ${JSON.stringify(name)}.${suggestion} ${accepted}`;
  return meant === undefined
    ? new UnknownAttributeError(option, name, subjects, sentences)
    : new ReportOptionError(option, sentences);
}

function shareFilterError(name: string): ReportOptionError {
  return new ReportOptionError(
    "--where",
    ({ option }) =>
      `Shares of plays cover all campaigns, so ${option("--where")} can't filter by ${name}. Find its values with ${option("--search")}.`,
  );
}

/** @param variant the dimension that determines which others it can be combined with */
function campaignAttributeError(
  option: string,
  name: string,
  variant: string | undefined,
): ReportOptionError {
  return new ReportOptionError(option, (wording) =>
    option === "--by" && variant !== undefined
      ? `${wording.option("--by")} ${variant} can't be combined with ${name}, which belongs to campaigns.`
      : `${name} belongs to campaigns: add campaign to ${wording.option("--by")}.`,
  );
}

/** Returns the published values that match a filter. @throws {ReportOptionError} with suggestions */
export function findValues({ name, text }: AttributeFilter, known: readonly string[]): string[] {
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
