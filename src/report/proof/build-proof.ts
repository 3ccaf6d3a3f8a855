import { softwareVersion } from "../../util/files/package-files.ts";
import type { Kind } from "../../util/kind.ts";
import { VenueError } from "../../util/venue-error.ts";
import { agreedMeasures } from "../catalog/availability.ts";
import { pickColumns, toRecord } from "../columns/list-columns.ts";
import { noteOutages, noteTooFewChecks } from "../findings/device-checks.ts";
import { findMissingSources } from "../findings/missing-sources.ts";
import { listPlannedNotices, notePlannedNotices } from "../findings/planned-notices.ts";
import { getReportedDays, type ReportedDays } from "../findings/reported-days.ts";
import { buildStatement, describeFilters } from "../options/build-statement.ts";
import { ReportOptionError, requireWord } from "../options/option-error.ts";
import { parseReportOptions } from "../options/parse-report-options.ts";
import { parseShare } from "../options/parse-values.ts";
import type { ChosenAttribute, ReportOptions, ReportRequest } from "../options/request-options.ts";
import { resolveChosen } from "../options/resolve-entities.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { withOutdatedErrors } from "../published/run-state.ts";
import type { Period } from "../result-types.ts";
import { formatInstant } from "../text/cell-text.ts";
import type { Brand } from "./brand.ts";
import {
  createRows,
  listProofColumns,
  listProofTables,
  type ProofRow,
  type ProofRows,
} from "./proof-tables.ts";

/** A measure of `uptime`, and the ratio to reach in each month. */
interface Agreement {
  measure: string;
  agreed: number | null;
}

/** The parameters of a proof's rows, with names resolved. */
export interface ProofScope extends Partial<Pick<ReportOptions, "groupIds" | "locationIds" | "zoneIds">> {
  campaignKeys: readonly number[];
  kinds: readonly Kind[];
  attributes: readonly ChosenAttribute[];
  period: Period;
  /** For an availability statement, with what it covers, e.g. `region North`, and what limits its figures. */
  agreement?: Agreement & { about: string; limits: readonly string[] };
}

/** The data of a proof, and when it was made. Instants are `YYYY-MM-DDTHH:MM:SSZ`. */
interface ProofSource {
  version: string;
  dataAsOf: string | null;
  /** First local date with campaign days. */
  completeFrom: string | null;
  /** Last local date that the data covers completely in every zone. */
  completeTo: string | null;
  /** Sources that were never collected completely, e.g. `signage history of group 7; devices`. */
  missingSources: string | null;
  madeAt: string;
  /** Version of the program that wrote it. */
  program: string;
}

/** Everything that a proof shows. It contains no other campaigns: plays that they can claim are only counted. */
export interface ProofDocument {
  scope: ProofScope;
  source: ProofSource;
  rows: ProofRows;
  brand: Brand;
}

/** Encodes the data that a file stores for programs in addition to its rows: see `ProofFrame`. */
export function encodeFrame(
  { scope, source }: ProofDocument,
  parts?: readonly (readonly string[])[],
): string {
  return Buffer.from(JSON.stringify({ scope, source, parts })).toString("base64");
}

/** Options as typed. */
export interface TypedProofOptions extends Partial<Record<"group" | "location" | "zone", readonly string[]>> {
  /** True for an availability statement; only these accept an agreed value and places. */
  uptime?: boolean;
  agreed?: string;
  measure?: string;
  campaign?: readonly string[];
  where?: readonly string[];
  kind?: readonly string[];
  from?: string;
  to?: string;
}

/** A request for a proof of play or, with an agreement, for an availability statement. */
export interface ProofRequest extends ReportRequest {
  agreement?: Agreement;
}

const uptimeProblem = "--uptime is about zones: it can't be combined with --campaign or --kind. Remove them.";

/** @throws {ReportOptionError} with the option, the value and what is accepted */
export function parseProofOptions({ uptime, agreed, measure, ...words }: TypedProofOptions): ProofRequest {
  if (uptime) {
    if (words.campaign ?? words.kind) throw new ReportOptionError("--uptime", uptimeProblem);
    const agreement = {
      measure: requireWord("--measure", measure ?? "availability", agreedMeasures),
      agreed: agreed === undefined ? null : parseShare("--agreed", agreed),
    };
    return { ...parseReportOptions({ report: "uptime", ...words }), agreement };
  }
  const { group, location, zone } = words;
  for (const [name, value] of Object.entries({ agreed, measure, group, location, zone }))
    if (value !== undefined) throw new ReportOptionError(`--${name}`, `--${name} needs --uptime.`);
  if (words.campaign === undefined && words.where === undefined) {
    throw new ReportOptionError(
      "--campaign",
      ({ option }) =>
        `A proof needs campaigns: add ${option("--campaign")} with ids or names, or ${option("--where")} with an attribute, such as advertiser=Acme.`,
    );
  }
  return parseReportOptions({ report: "compliance", ...words });
}

/**
 * Builds a proof from one published version, and reads nothing else.
 * @param now when it is made, and the reference for "the last complete day", if the request has no dates
 * @throws {ReportOptionError} when something requested is not published
 * @throws {VenueError} `PROOF_TOO_LARGE`
 */
export async function buildProof(
  published: PublishedMart,
  request: ProofRequest,
  brand: Brand,
  now: Date,
): Promise<ProofDocument> {
  const mart = withOutdatedErrors(published);
  const options = await resolveChosen(mart, request);
  const { campaignKeys, kinds, attributes, groupIds, locationIds, zoneIds } = options;
  const days = await getReportedDays(mart, options, now);
  const { dataAsOf, dataDays } = days;
  const { agreement } = request;
  const period = agreement ? endComplete(days) : days.period;
  const scope: ProofScope = {
    ...{ campaignKeys, kinds, attributes, period },
    ...(agreement && {
      agreement: {
        about: (await describeFilters(mart, options)).join(", ") || "all zones",
        ...agreement,
        limits: await listLimits(mart, options, { ...days, period }),
      },
      ...{ groupIds, locationIds, zoneIds },
    }),
  };
  return {
    scope,
    source: {
      version: mart.version,
      dataAsOf,
      completeFrom: dataDays?.from || null,
      completeTo: dataDays?.wholeTo ?? null,
      missingSources: (await findMissingSources(mart, options)) ?? null,
      madeAt: formatInstant(now.toISOString()),
      program: softwareVersion(),
    },
    rows: await readProofRows(mart, scope),
    brand,
  };
}

/** Returns the complete days of a period, with which alone an agreed value is compared. */
function endComplete({ period, dataDays }: ReportedDays): Period {
  const { wholeTo = "" } = dataDays ?? {};
  return period.from <= wholeTo && wholeTo < period.to ? { ...period, to: wholeTo } : period;
}

/** Returns what limits the figures of an availability statement. */
async function listLimits(
  mart: PublishedMart,
  options: ReportOptions,
  days: ReportedDays,
): Promise<string[]> {
  const { period } = days;
  return [
    ...(await noteTooFewChecks(mart, options, period)),
    ...(await noteOutages(mart, { ...options, ...period }, days)),
    ...notePlannedNotices(await listPlannedNotices(mart, options, period)),
    ...(options.attributes.length > 0
      ? ["Outages are those of all zones that had the attribute on any day of the period."]
      : []),
  ];
}

/** Maximum rows of a proof: all are in the document, and must fit on one sheet. */
const maxRows = 500_000;

/** Reads the rows of a proof, in a fixed order. @throws {VenueError} `PROOF_TOO_LARGE` */
export async function readProofRows(mart: PublishedMart, scope: ProofScope): Promise<ProofRows> {
  const rows = createRows();
  let count = 0;
  for (const [table, { rows: list, by = [], measures }] of listProofTables(scope)) {
    const columns = listProofColumns(table);
    const stream = await mart.stream(
      ...buildStatement(list, { ...scope, by, ...(measures && { measures }) }),
    );
    const read: ProofRow[] = [];
    for await (const row of pickColumns(stream, columns).rows) {
      count += 1;
      if (count > maxRows) throw tooLargeError();
      // Workbooks can't contain empty texts.
      const values = row.map((value) => (value === "" ? null : value));
      read.push(toRecord(columns, values));
    }
    rows[table] = read;
  }
  return { ...rows, bookings: rows.bookings.filter((line) => isWithin(line, scope)) };
}

/** Returns true for a line of booked plays with a day in the period. */
function isWithin({ valid_from: from, valid_to: to }: ProofRow, { period }: ProofScope): boolean {
  return String(from ?? "") <= period.to && String(to ?? "9999") >= period.from;
}

function tooLargeError(): VenueError {
  return new VenueError(
    "PROOF_TOO_LARGE",
    "usage",
    `The proof would have over ${maxRows.toLocaleString("en-US")} rows, more than a reader can open. Choose a shorter period or fewer campaigns.`,
  );
}
