import { versionForm } from "../../mart/published-versions.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { CustomReport } from "../custom/custom-report.ts";
import { isSingle, reportWords } from "../options/option-list.ts";
import { parseReportOptions } from "../options/parse-report-options.ts";
import type { ReportRequest } from "../options/request-options.ts";
import { type Address, toAddress } from "./address.ts";
import { attributeField, joinAttributeFields } from "./attribute-fields.ts";

/** Arguments of an address, without its page. */
export interface ViewParameters {
  words: ReadonlyMap<string, readonly string[]>;
  /** A version, e.g. `v000007`. */
  asOf?: string;
  /** True if a shorter address is equivalent, for example because a form also sent its empty fields. */
  hasRedundantWords: boolean;
}

/** Reads the arguments of an address. @throws {VenueError} `ADDRESS` for an argument that is not in `accepted` */
export function readParameters(query: URLSearchParams, accepted: readonly string[]): ViewParameters {
  const words = new Map<string, string[]>();
  let asOf: string | undefined;
  let hasRedundantWords = false;
  for (const [name, value] of query) {
    const isOfAttribute = name.startsWith(attributeField) && accepted.includes("where");
    if (value === "" || words.has(name) || isOfAttribute || formFields.includes(name))
      hasRedundantWords = true;
    if (name === "as-of") asOf = parseVersion(value) ?? asOf;
    else if (!isOfAttribute && !accepted.includes(name)) {
      const list = [...accepted, "as-of"].join(", ");
      throw addressError(`Unknown parameter ${name.slice(0, 40)}. This page takes ${list}.`);
    } else if (value !== "") words.set(name, [...(words.get(name) ?? []), value]);
  }
  return { words, hasRedundantWords, ...(asOf !== undefined && { asOf }) };
}

/** Form fields that together form one argument of an address. */
const comparedDateFields = ["compare-from", "compare-to"] as const;
/** Form field that replaces the dates, e.g. `7d`. */
const periodField = "period";
const formFields: readonly string[] = [...comparedDateFields, periodField];

/** Parses the requested report and validates it like flags. @throws {ReportOptionError} */
export function parseViewOptions(
  report: string,
  { words }: ViewParameters,
  custom?: CustomReport,
): ReportRequest {
  const given: Record<string, readonly string[] | string> = {};
  for (const word of reportWords) {
    const values = words.get(word);
    if (!values) continue;
    given[word] = isSingle(word) ? (getSingleValue({ words }, word) ?? "") : values;
  }
  const period = getSingleValue({ words }, periodField);
  if (period !== undefined) {
    delete given.to;
    given.from = period.trim();
  }
  const where = [...(words.get("where") ?? []), ...joinAttributeFields(words)];
  if (where.length > 0) given.where = where;
  const [from = "", to = ""] = comparedDateFields.map((name) => words.get(name)?.[0]);
  if (from !== "" || to !== "") given.compare = `${from}..${to}`;
  return parseReportOptions({ report, ...given, ...(custom && { custom }) });
}

/** Returns the single value of an argument. @throws {VenueError} `ADDRESS` if there are several */
export function getSingleValue({ words }: Pick<ViewParameters, "words">, name: string): string | undefined {
  const [value, ...others] = words.get(name) ?? [];
  if (others.length > 0) throw addressError(`The parameter ${name} is given ${others.length + 1} times.`);
  return value;
}

export const reportParameters: readonly string[] = [...reportWords, ...formFields];

/** Returns the page's address in the given version; without one, its address in the current version. */
export function pinVersion({ view, words }: Address, asOf: string | undefined): Address {
  return { view, words: { ...words, ...(asOf !== undefined && { "as-of": asOf }) } };
}

export function toShortAddress(options: ReportRequest, { asOf }: ViewParameters): Address {
  return pinVersion(toAddress(options), asOf);
}

/** Returns the version in an address, even if other arguments are invalid. */
export function findVersion(query: URLSearchParams): { asOf?: string } {
  const asOf = query.get("as-of");
  return asOf !== null && versionForm.test(asOf) ? { asOf } : {};
}

function parseVersion(text: string): string | undefined {
  if (text === "") return undefined;
  if (versionForm.test(text)) return text;
  throw addressError(`as-of is ${JSON.stringify(text.slice(0, 40))}. It takes a version, such as v000007.`);
}

function addressError(message: string): VenueError {
  return new VenueError("ADDRESS", "usage", message);
}
