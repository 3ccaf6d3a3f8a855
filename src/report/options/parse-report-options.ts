import { contentKinds, type Kind, kinds, largestId } from "../../util/kind.ts";
import { listAttributeSubjects, listGroupings, listShownColumns } from "../columns/report-columns.ts";
import { complianceStates } from "../compliance-states.ts";
import { chooseReportFile, findOwnWord, listByWords } from "../report-file.ts";
import { type ReportName, reportNames } from "../report-name.ts";
import { extraFilterWords, reports } from "../reports.ts";
import { parseCompare } from "./compare-option.ts";
import { type OutputWords, parseOutputFormat } from "./output-format.ts";
import { parsePeriod } from "./period-option.ts";
import { ReportOptionError, refuseUnless, requireWord } from "./report-option-error.ts";
import { type AttributeFilter, type ChosenWords, type ReportRequest, subjects } from "./report-options.ts";

const maxSearchLength = 200;

/** Options as typed. Lists may be repeated and have comma-separated values. */
export interface ReportWords extends OutputWords, ChosenWords {
  report: string;
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
export function parseReportOptions(words: ReportWords): ReportRequest {
  const report = requireWord("venue report", words.report, reportNames);
  const {
    takesTop,
    takesPeriod = true,
    isOfKinds = true,
    isOfCampaigns = false,
    takesCampaign = false,
    defaultBy = [],
    extraFilters = [],
    threshold,
  } = reports[report];
  const by = parseBy(report, words.by === undefined ? defaultBy : splitList("--by", words.by));
  refuseUnless(takesTop, report, "--top", words.top);
  refuseUnless(takesPeriod, report, "--from", words.from);
  refuseUnless(takesPeriod, report, "--to", words.to);
  refuseUnless(isOfKinds, report, "--kind", words.kind);
  const file = chooseReportFile(reports[report].file, by);
  refuseUnless(
    isOfCampaigns || takesCampaign || by.includes("campaign"),
    report,
    "--campaign",
    words.campaign,
  );
  refuseUnless(isOfCampaigns, report, "--only", words.only);
  refuseUnless(listAttributeSubjects(file).length > 0, report, "--where", words.where);
  for (const word of extraFilterWords)
    refuseUnless(extraFilters.includes(word), report, `--${word}`, words[word]);
  refuseUnless(threshold !== undefined, report, "--fail-under", words.failUnder);
  const period = parsePeriod(words);
  const compare = parseCompare(report, by, words);
  return {
    report,
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
          onlyStates: splitList("--only", words.only).map((state) =>
            requireWord("--only", state, complianceStates),
          ),
        }),
    ...(words.failUnder === undefined ? {} : { failUnder: parseShare("--fail-under", words.failUnder) }),
    ...(words.top === undefined ? {} : { top: parseTop(words.top) }),
    ...(words.per === undefined ? {} : { per: parsePer(report, by, words) }),
    ...(words.sort === undefined ? {} : { sort: parseSort({ report, by, compare }, words.sort) }),
    ...(words.search === undefined ? {} : { search: parseSearch(words.search) }),
    format: parseOutputFormat(words),
  };
}

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
function parseSort(requested: Pick<ReportRequest, "report" | "by" | "compare">, text: string) {
  const columns = listShownColumns(
    chooseReportFile(reports[requested.report].file, requested.by),
    requested,
  ).map(({ name }) => name);
  const isDown = text.startsWith("-");
  return { column: requireWord("--sort", isDown ? text.slice(1) : text, columns), isDown };
}

function parseSearch(text: string): string {
  if (text.length <= maxSearchLength) return text;
  throw new ReportOptionError(
    "--search",
    ({ option }) => `${option("--search")} has ${text.length} characters; the maximum is ${maxSearchLength}.`,
  );
}

/** A warehouse or lake numbers loads itself, beyond the service's limit on ids. */
const maxLoadId = Number.MAX_SAFE_INTEGER;

/** Parses ids of things without a name, or with an ambiguous one. */
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
function parseBy(report: ReportName, requested: readonly string[]): string[] {
  const { file } = reports[report];
  const allWords = listByWords(file);
  refuseUnless(allWords.length > 0, report, "--by", requested[0]);
  const reserved = new Set(Object.values(reports).flatMap((other) => listByWords(other.file)));
  const isAttribute = (word: string) => !reserved.has(word) && /^[a-z][a-z0-9_]*$/.test(word);
  const chosen = new Set(
    requested.filter((word) => !isAttribute(word)).map((word) => requireWord("--by", word, allWords)),
  );
  const byWords = listGroupings(chooseReportFile(file, requested));
  const stray = [...chosen].find((word) => !byWords.includes(word));
  if (stray !== undefined) throw strayWordError(findOwnWord(file, requested), stray, byWords);
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

/** E.g. `region=North,South`, or several as in an address: `region=North;brand=Bar`. */
function parseWhere(texts: readonly string[]): AttributeFilter[] {
  return texts
    .flatMap((text) => text.split(/;(?=[a-z][a-z0-9_]*=)/))
    .map((text) => {
      const [, name, values] = /^([a-z][a-z0-9_]*)=(.+)$/s.exec(text.trim()) ?? [];
      if (name !== undefined && values !== undefined) return { name, text: values };
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
    // Rejects empty values before anything is read.
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
function parsePer(report: ReportName, by: readonly string[], { per, top }: ReportWords): string[] {
  const { takesTop, file } = reports[report];
  refuseUnless(takesTop && listGroupings(file).length > 0, report, "--per", per);
  const asked = splitList("--per", per);
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
