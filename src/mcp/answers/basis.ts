import { z } from "zod";
import type { Settings } from "../../config/settings.ts";
import { type Address, formatAddress, toPageUrl } from "../../report/address/address.ts";
import { pinVersion } from "../../report/address/view-parameters.ts";
import { catalog } from "../../report/catalog/catalog.ts";
import { formatAge, hoursSince } from "../../report/findings/data-as-of.ts";
import { describeMissingSources } from "../../report/findings/missing-sources.ts";
import { getReportedDays } from "../../report/findings/reported-days.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import { resolveChosen } from "../../report/options/resolve-entities.ts";
import type { DataDays } from "../../report/text/spans.ts";
import type { ToolContext } from "../define-tool.ts";

/** Output fields of every answer: age, coverage and address of its data. */
export const basisOutput = {
  version: z.string().describe("published version that the answer was read from"),
  data_as_of: z.string().nullable().describe("instant up to which the data is complete; null if unknown"),
  age_hours: z.number().nullable().describe("age of the data in whole hours"),
  coverage: z.string().describe("days, zones and sources that the data covers"),
  page: z.string().describe("address of the page that shows this, or the overview if no page does"),
};

export type Basis = z.infer<z.ZodObject<typeof basisOutput>>;

interface BasisSources {
  dataAsOf: string | null;
  coverage: string;
  address: Address;
}

export function createBasis(
  { mart, now, settings }: ToolContext,
  { dataAsOf, coverage, address }: BasisSources,
): Basis {
  return {
    version: mart.version,
    data_as_of: dataAsOf,
    age_hours: dataAsOf === null ? null : hoursSince(dataAsOf, now),
    coverage,
    page: formatPage(settings, pinVersion(address, mart.version)),
  };
}

/** Returns the basis of an answer that is not about a report. */
export async function createWholeBasis(
  context: ToolContext,
  address: Address = { view: "", words: {} },
): Promise<Basis> {
  const { mart } = context;
  return createBasis(context, {
    dataAsOf: mart.dataAsOf,
    coverage: await describeCoverage(context),
    address,
  });
}

/** Describes the days with complete plays and the sources that were never collected completely. */
export async function describeCoverage({ mart, now }: ToolContext): Promise<string> {
  const options = await resolveChosen(mart, parseReportOptions({ report: "plays" }));
  const { dataDays } = await getReportedDays(mart, options, now);
  const missing = await describeMissingSources(mart, { entry: catalog.quality });
  return `Plays: ${describeDataDays(dataDays)}. ${missing ?? "Every source was collected completely."}`;
}

export function describeDataDays(days: DataDays | undefined): string {
  if (!days || days.from === "" || days.wholeTo < days.from) return "no day has complete data yet";
  return `data from ${days.from}, complete to ${days.wholeTo}`;
}

/** Formats the basis as the last lines of a text. */
export function formatBasis({ version, data_as_of: asOf, age_hours: age, coverage, page }: Basis): string {
  const data = asOf === null || age === null ? "unknown" : `${asOf} (${formatAge(age)} old)`;
  return [`Data as of ${data}, version ${version}.`, `Coverage: ${coverage}`, `Page: ${page}`].join("\n");
}

/** Returns a page's URL under `VENUE_PUBLIC_URL` or, if that is unset, its path in `venue serve`. */
export function formatPage(settings: Settings, address: Address): string {
  const root = settings.find("VENUE_PUBLIC_URL");
  const path = formatAddress(address);
  return root === undefined ? `/${path}` : toPageUrl(root, path);
}
