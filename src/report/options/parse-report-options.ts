import { contentKinds, type Kind, kinds, largestId } from "../../util/kind.ts";
import { listShownColumns } from "../columns/report-columns.ts";
import type { OwnReport } from "../own/own-report.ts";
import { chooseReportFile, findOwnWord, listByWords } from "../report-file.ts";
import { type ReportName, reportNames, viewOf } from "../report-name.ts";
import {
  definitionOf,
  extraFilterWords,
  getReportFile,
  listByWordsOf,
  listGroupingsOf,
  listSubjectsOf,
  reports,
  takesCampaigns,
} from "../reports.ts";
import { parseCompare } from "./compare-option.ts";
import { type OutputWords, parseOutputFormat } from "./output-format.ts";
import { parsePeriod } from "./period-option.ts";
import { ReportOptionError, refuseUnless, requireWord } from "./report-option-error.ts";
import { type AttributeFilter, type ChosenWords, type ReportRequest, subjects } from "./report-options.ts";

const maxSearchLength = 200;

/** Options as typed. Lists may be repeated and have comma-separated values. */
export interface ReportWords extends OutputWords, ChosenWords {
  report: string;
  /** The user's report of this name. */
  own?: OwnReport;
  by?: readonly string[];
  kind?: readonly string[];
  from?: string;
  to?: string;
  compare?: string;
  where?: readonly string[];
  item?: readonly string[];
  artist?: readonly string[];
  device?: readonly string[];
  load?: readonly string[];
  only?: readonly string[];
  sort?: string;
  search?: string;
  failUnder?: string;
  top?: string;
  per?: readonly string[];
}

/** @throws {ReportOptionError} naming the option, the value and what is accepted */
export function parseReportOptions({ own, ...words }: ReportWords): ReportRequest {
  const report: ReportName =
    own === undefined ? requireWord("venue report", words.report, reportNames) : "own";
  const requested = { report, ...(own && { own }) };
  const name = viewOf(requested);
  const {
    takesTop,
    takesPeriod = true,
    isOfKinds = true,
    isOfCampaigns = false,
    takesPlaces = true,
    defaultBy = [],
    extraFilters = [],
    states = [],
    threshold,
    testsDevices = false,
  } = definitionOf(requested);
  const by = parseBy(requested, words.by === undefined ? defaultBy : splitList("--by", words.by));
  refuseUnless(takesTop, name, "--top", words.top);
  refuseUnless(takesPeriod, name, "--from", words.from);
  refuseUnless(takesPeriod, name, "--to", words.to);
  refuseUnless(isOfKinds, name, "--kind", words.kind);
  for (const word of places) refuseUnless(takesPlaces, name, `--${word}`, words[word]);
  refuseUnless(takesCampaigns({ ...requested, by }), name, "--campaign", words.campaign);
  refuseUnless(states.length > 0, name, "--only", words.only);
  refuseUnless(listSubjectsOf({ ...requested, by }).length > 0, name, "--where", words.where);
  for (const word of extraFilterWords)
    refuseUnless(extraFilters.includes(word), name, `--${word}`, words[word]);
  refuseUnless(threshold !== undefined || testsDevices, name, "--fail-under", words.failUnder);
  const period = parsePeriod(words);
  const compare = parseCompare(requested, by, words);
  return {
    ...requested,
    by,
    chosen: parseChosen(words),
    kinds: splitList("--kind", words.kind).map((kind) => parseKind(kind, isOfCampaigns)),
    ...period,
    ...(compare === undefined ? {} : { compare }),
    ...(words.where === undefined ? {} : { where: parseWhere(words.where) }),
    ...(words.item === undefined ? {} : { itemIds: parseIds("--item", words.item) }),
    ...(words.artist === undefined ? {} : { artistIds: parseIds("--artist", words.artist) }),
    ...(words.device === undefined ? {} : { deviceIds: parseIds("--device", words.device) }),
    ...(words.load === undefined ? {} : { loadIds: parseIds("--load", words.load, maxLoadId) }),
    ...(words.only === undefined
      ? {}
      : {
          onlyStates: splitList("--only", words.only).map((state) => requireWord("--only", state, states)),
        }),
    ...(words.failUnder === undefined ? {} : { failUnder: parseShare("--fail-under", words.failUnder) }),
    ...(words.top === undefined ? {} : { top: parseTop(words.top) }),
    ...(words.per === undefined ? {} : { per: parsePer({ ...requested, by }, words) }),
    ...(words.sort === undefined ? {} : { sort: parseSort({ ...requested, by, compare }, words.sort) }),
    ...(words.search === undefined ? {} : { search: parseSearch(words.search) }),
    format: parseOutputFormat(words),
  };
}

const places = ["group", "location", "zone"] as const;

function parseKind(text: string, isOfCampaigns: boolean): Kind {
  if (!isOfCampaigns || text !== "music")
    return requireWord("--kind", text, isOfCampaigns ? contentKinds : kinds);
  throw new ReportOptionError(
    "--kind",
    ({ option }) =>
      `${option("--kind")} music can't be used with compliance: music has no campaigns. It takes ${contentKinds.join(", ")}.`,
  );
}

/** E.g. `plays`, or `-plays` for the largest first. */
function parseSort(requested: Pick<ReportRequest, "report" | "own" | "by" | "compare">, text: string) {
  const isDown = text.startsWith("-");
  const column = isDown ? text.slice(1) : text;
  // Only its statement knows the columns of an own report.
  if (requested.own) return { column, isDown };
  const columns = listShownColumns(
    chooseReportFile(getReportFile(requested.report), requested.by),
    requested,
  ).map(({ name }) => name);
  return { column: requireWord("--sort", column, columns), isDown };
}

function parseSearch(text: string): string {
  if (text.length <= maxSearchLength) return text;
  throw new ReportOptionError(
    "--search",
    ({ option }) => `${option("--search")} has ${text.length} characters; the maximum is ${maxSearchLength}.`,
  );
}

/** Load ids can exceed the service's largest id, because the warehouse or lake assigns them. */
const maxLoadId = Number.MAX_SAFE_INTEGER;

/** Parses ids, for things whose name is missing or ambiguous. */
function parseIds(option: string, values: readonly string[], maxId = largestId): number[] {
  return splitList(option, values).map((text) => {
    const id = Number(text);
    if (/^\d+$/.test(text) && id <= maxId) return id;
    throw new ReportOptionError(
      option,
      (wording) =>
        `${wording.option(option)} does not take ${JSON.stringify(text)}. It takes whole numbers from 0 to ${maxId}, separated by commas.`,
    );
  });
}

/** Keeps well-formed words that are not the report's: they may be attributes, which `resolveChosen` finds. */
function parseBy(asked: Pick<ReportRequest, "report" | "own">, typed: readonly string[]): string[] {
  const requested = [...new Set(typed.map((word) => word.toLowerCase()))];
  const allWords = listByWordsOf(asked);
  refuseUnless(allWords.length > 0, viewOf(asked), "--by", requested[0]);
  const reserved = new Set(reportNames.flatMap((name) => listByWords(reports[name].file)));
  const isAttribute = (word: string) => !reserved.has(word) && /^[a-z][a-z0-9_]*$/.test(word);
  const chosen = new Set(
    requested.filter((word) => !isAttribute(word)).map((word) => requireWord("--by", word, allWords)),
  );
  const byWords = listGroupingsOf({ ...asked, by: requested });
  const stray = [...chosen].find((word) => !byWords.includes(word));
  if (stray !== undefined)
    throw strayWordError(findOwnWord(getReportFile(asked.report), requested), stray, byWords);
  return [...requested.filter(isAttribute), ...byWords.filter((word) => chosen.has(word))];
}

function strayWordError(
  own: string | undefined,
  stray: string,
  byWords: readonly string[],
): ReportOptionError {
  const others = byWords.filter((word) => word !== own);
  return new ReportOptionError(
    "--by",
    ({ option }) =>
      `${option("--by")} ${own} can't be combined with ${stray}. It combines with ${others.join(", ")}.`,
  );
}

/**
 * Parses attribute filters such as `region=North,South`, with names in any case. One text may hold several,
 * separated by semicolons as in an address: `region=North;brand=Bar`.
 * @throws {ReportOptionError} naming the first invalid text
 */
export function parseWhere(texts: readonly string[]): AttributeFilter[] {
  return texts
    .flatMap((text) => text.split(/;(?=[a-z][a-z0-9_]*=)/))
    .map((text) => {
      const [, name, values] = /^([a-z][a-z0-9_]*)=(.+)$/is.exec(text.trim()) ?? [];
      if (name !== undefined && values !== undefined) return { name: name.toLowerCase(), text: values };
      throw new ReportOptionError(
        "--where",
        ({ option }) =>
          `${option("--where")} (${text}) is not an attribute and its values. Write it as in region=North,South.`,
      );
    });
}

function splitList(option: string, values: readonly string[] = []): string[] {
  const parts = values.flatMap((value) => value.split(",")).map((part) => part.trim());
  if (parts.includes("")) {
    throw new ReportOptionError(
      option,
      (wording) => `${wording.option(option)} has an empty value. Separate values with single commas.`,
    );
  }
  return [...new Set(parts)];
}

function parseChosen(words: ChosenWords): ChosenWords {
  const given = subjects.flatMap((subject) => {
    const named = words[subject];
    // Called only to reject empty values before any data is read.
    if (named !== undefined) splitList(`--${subject}`, named);
    return named === undefined ? [] : [[subject, named] as const];
  });
  return Object.fromEntries(given);
}

function parseShare(option: string, text: string): number {
  const share = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || share > 1) {
    throw new ReportOptionError(
      option,
      `${option} (${text}) is not a share. Write a number from 0 to 1, such as 0.95.`,
    );
  }
  return share;
}

/** @throws {ReportOptionError} unless the rows are grouped by its words, and `--top` limits them */
function parsePer(
  requested: Pick<ReportRequest, "report" | "own" | "by">,
  { per, top }: Pick<ReportWords, "per" | "top">,
): string[] {
  const { by } = requested;
  const { takesTop } = definitionOf(requested);
  refuseUnless(takesTop && listGroupingsOf(requested).length > 0, viewOf(requested), "--per", per);
  const asked = splitList("--per", per).map((word) => word.toLowerCase());
  const other = asked.find((word) => !by.includes(word));
  if (other !== undefined) {
    throw new ReportOptionError(
      "--per",
      ({ option }) =>
        `${option("--per")} does not take ${JSON.stringify(other)}. It takes words of ${option("--by")}${by.length > 0 ? `: ${by.join(", ")}` : ", which has none"}.`,
    );
  }
  if (top === undefined) {
    throw new ReportOptionError(
      "--per",
      ({ option }) =>
        `${option("--per")} needs ${option("--top")}. Add the number of rows for each ${asked.join(", ")}.`,
    );
  }
  return by.filter((word) => asked.includes(word));
}

function parseTop(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) {
    throw new ReportOptionError(
      "--top",
      ({ option }) => `${option("--top")} (${text}) must be a whole number, 1 or more.`,
    );
  }
  return Number(text);
}
