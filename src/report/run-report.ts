import type { ReportEntry } from "./catalog/report-entry.ts";
import { noteMissingValues } from "./findings/attribute-notes.ts";
import { describeMissingSources } from "./findings/missing-sources.ts";
import { disambiguateNames, findEqualNames } from "./findings/names.ts";
import { getReportedDays } from "./findings/reported-days.ts";
import { findLocations, withLocation } from "./findings/zone-locations.ts";
import type { ReportOptions, ReportRequest } from "./options/request-options.ts";
import { resolveChosen } from "./options/resolve-entities.ts";
import type { PublishedMart } from "./published/published-mart.ts";
import { withOutdatedErrors } from "./published/run-state.ts";
import type { AnsweredReport, RequestContext } from "./request-context.ts";
import { buildReport } from "./rows/build-report.ts";
import { findStep } from "./text/spans.ts";

/**
 * Runs a report. Its rows stream from `published`, which must stay open until they are read.
 * @throws {ReportOptionError} when something requested is not published
 * @param now reference for "the last complete day" and ages
 */
export async function runReport(
  published: PublishedMart,
  request: ReportRequest,
  now: Date,
): Promise<AnsweredReport> {
  const context = await createContext(published, request, now);
  const { mart, options, days, names } = context;
  const { threshold } = options.entry;
  // These are read before the rows, because another statement would end the rows' stream.
  const missing = await describeMissingSources(mart, options);
  const gaps = await noteMissingValues(mart, options, days);
  const locations = await findLocations(mart, options.format);
  const rows = await buildReport(context);
  const report = withLocation(rows, locations);
  return {
    ...report,
    context,
    notes: [...report.notes, ...gaps, ...(missing === undefined ? [] : [missing])],
    isSorted: options.sort !== undefined,
    columns: disambiguateNames(report.columns, names),
    name: options.report,
    ...(options.custom && { customName: options.custom.name }),
    ...(threshold === undefined ? {} : { ratio: threshold }),
  };
}

async function createContext(
  published: PublishedMart,
  request: ReportRequest,
  now: Date,
): Promise<RequestContext> {
  const mart = withOutdatedErrors(published);
  const options = await withParsedReads(mart, await resolveChosen(mart, request));
  const days = await getReportedDays(mart, options, now);
  const { entry, sort = getPageOrder(entry, options), search, top, compare } = options;
  // All rows are read if a page shows the worst rows first, or if the report limits its rows anyway.
  const isRead = top !== undefined || compare !== undefined || entry.threshold !== undefined;
  const limit = isRead ? undefined : options.limit;
  return {
    ...{ mart, request: { ...request, entry }, options, now, days, order: { sort, search, limit } },
    names: await findEqualNames(mart),
  };
}

async function withParsedReads(mart: PublishedMart, options: ReportOptions): Promise<ReportOptions> {
  const { custom } = options;
  if (custom === undefined) return options;
  const { listTableNames } = await import("../mart/custom/custom-select.ts");
  const { createCustomEntry } = await import("./custom/custom-entry.ts");
  const { customRelations } = await import("./custom/custom-report.ts");
  const tables = await mart.parse(custom.sql).then(listTableNames, () => undefined);
  if (tables === undefined) return options;
  const reads = customRelations.filter((relation) => tables.includes(relation));
  const parsed = { ...custom, reads, tables };
  return { ...options, custom: parsed, entry: createCustomEntry(parsed) };
}

/** Returns the default order of a page; in files, rows keep their order. */
function getPageOrder({ pageOrder }: ReportEntry, { by, per, format }: ReportOptions): ReportOptions["sort"] {
  const isOverTime = findStep(by) !== undefined || by.includes("hour") || by.includes("weekday");
  return format !== "html" || pageOrder === undefined || isOverTime || per !== undefined
    ? undefined
    : { column: pageOrder, isDown: true };
}
