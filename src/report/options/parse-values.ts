import { contentKinds, type Kind, kinds, largestId } from "../../util/kind.ts";
import { dimensions } from "../catalog/dimensions.ts";
import {
  chooseRows,
  findVariant,
  listDimensions,
  listGroupings,
  type ReportEntry,
} from "../catalog/report-entry.ts";
import { listShownColumns } from "../columns/list-columns.ts";
import { ReportOptionError, refuseUnless, requireWord } from "./option-error.ts";
import type { AttributeFilter, ReportRequest } from "./request-options.ts";

/** Splits values at commas and removes duplicates. @throws {ReportOptionError} for an empty value */
export function splitList(option: string, values: readonly string[] = []): string[] {
  const parts = values.flatMap((value) => value.split(",")).map((part) => part.trim());
  if (parts.includes("")) {
    throw new ReportOptionError(
      option,
      (wording) => `${wording.option(option)} has an empty value. Separate values with single commas.`,
    );
  }
  return [...new Set(parts)];
}

/** Keeps well-formed names that are not dimensions: they may be attributes, which `resolveChosen` finds. */
export function parseBy(entry: ReportEntry, typed: readonly string[]): string[] {
  const requested = [...new Set(typed.map((word) => word.toLowerCase()))];
  const allWords = listDimensions(entry);
  refuseUnless(allWords.length > 0, entry.name, "--by", requested[0]);
  const isAttribute = (word: string) => !Object.hasOwn(dimensions, word) && /^[a-z][a-z0-9_]*$/.test(word);
  const chosen = new Set(
    requested.filter((word) => !isAttribute(word)).map((word) => requireWord("--by", word, allWords)),
  );
  const dimensionNames = listGroupings(entry, requested);
  const stray = [...chosen].find((word) => !dimensionNames.includes(word));
  if (stray !== undefined) throw strayDimensionError(findVariant(entry, requested), stray, dimensionNames);
  return [...requested.filter(isAttribute), ...dimensionNames.filter((word) => chosen.has(word))];
}

export function strayDimensionError(
  own: string | undefined,
  stray: string,
  dimensionNames: readonly string[],
): ReportOptionError {
  const others = dimensionNames.filter((word) => word !== own);
  return new ReportOptionError(
    "--by",
    ({ option }) =>
      `${option("--by")} ${own} can't be combined with ${stray}. It combines with ${others.join(", ")}.`,
  );
}

export function parseKind(
  text: string,
  { isExplained = false, name }: Pick<ReportEntry, "isExplained" | "name">,
): Kind {
  if (!isExplained || text !== "music")
    return requireWord("--kind", text, isExplained ? contentKinds : kinds);
  throw new ReportOptionError(
    "--kind",
    ({ option }) =>
      `${option("--kind")} music can't be used with ${name}: music has no campaigns. It takes ${contentKinds.join(", ")}.`,
  );
}

/** Parses ids of entities whose names are missing or ambiguous. */
export function parseIds(option: string, values: readonly string[], maxId = largestId): number[] {
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

/**
 * Parses attribute filters such as `region=North,South`, with names in any case. One text may contain several,
 * separated by semicolons as in an address: `region=North;brand=Bar`.
 * @throws {ReportOptionError} for the first invalid text
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
          `${option("--where")} (${text}) is not an attribute with values. Write it as in region=North,South.`,
      );
    });
}

/** E.g. `region=North,South;brand=Bar`. */
export function formatWhere(filters: readonly AttributeFilter[]): string {
  return filters.map(({ name, text }) => `${name}=${text}`).join(";");
}

/** @throws {ReportOptionError} unless the rows are grouped by these dimensions, and `--top` limits them */
export function parsePer(typed: readonly string[], by: readonly string[], top: string | undefined): string[] {
  const asked = splitList("--per", typed).map((word) => word.toLowerCase());
  const other = asked.find((word) => !by.includes(word));
  if (other !== undefined) {
    throw new ReportOptionError(
      "--per",
      ({ option }) =>
        `${option("--per")} does not take ${JSON.stringify(other)}. It takes dimensions of ${option("--by")}${by.length > 0 ? `: ${by.join(", ")}` : ", which has none"}.`,
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

/** @param most the largest accepted number. @default any */
export function parseCount(flag: string, text: string, most?: number): number {
  const count = Number(text);
  if (/^\d{1,9}$/.test(text) && count > 0 && count <= (most ?? count)) return count;
  const range = most === undefined ? "1 or more" : `from 1 to ${most}`;
  throw new ReportOptionError(
    flag,
    ({ option }) => `${option(flag)} (${text}) must be a whole number, ${range}.`,
  );
}

/** E.g. `plays`, or `-plays` for the largest first. */
export function parseSort(
  text: string,
  entry: ReportEntry,
  requested: Pick<ReportRequest, "custom" | "by" | "compare">,
): NonNullable<ReportRequest["sort"]> {
  const isDown = text.startsWith("-");
  const column = isDown ? text.slice(1) : text;
  // The columns of a custom report are known only from its statement.
  if (requested.custom) return { column, isDown };
  // An attribute is looked up later, so it may still belong to campaigns: see `chooseEntry`.
  const { byCampaignAttributes: other } = entry;
  const rows = [chooseRows(entry, requested.by), ...(other && requested.by.length > 0 ? [other] : [])];
  const columns = rows.flatMap((one) => listShownColumns(one, requested).map(({ name }) => name));
  return { column: requireWord("--sort", column, columns), isDown };
}

const maxSearchLength = 200;

export function parseSearch(text: string): string {
  if (text.length <= maxSearchLength) return text;
  throw new ReportOptionError(
    "--search",
    ({ option }) => `${option("--search")} has ${text.length} characters; the maximum is ${maxSearchLength}.`,
  );
}

export function parseShare(option: string, text: string): number {
  const [, number, percent] = /^(\d*\.?\d+) *(%?)$/.exec(text) ?? [];
  const share = Number(number) / (percent ? 100 : 1);
  if (share <= 1) return share;
  throw new ReportOptionError(
    option,
    `${option} (${text}) is not a ratio. Write a number from 0 to 1, such as 0.95, or 95%.`,
  );
}
