import { softwareVersion } from "../../util/files/package-files.ts";
import type { Kind } from "../../util/kind.ts";
import { VenueError } from "../../util/venue-error.ts";
import { proofLists } from "../catalog/proof.ts";
import { pickColumns, toRecord } from "../columns/report-columns.ts";
import { findMissingSources } from "../findings/missing-sources.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { resolveChosen } from "../options/find-chosen.ts";
import { parseReportOptions } from "../options/parse-report-options.ts";
import { ReportOptionError } from "../options/report-option-error.ts";
import type { ChosenAttribute, ReportOptions, ReportRequest } from "../options/report-options.ts";
import { buildStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { withOutdatedErrors } from "../published/run-state.ts";
import type { Period } from "../report.ts";
import { formatInstant } from "../text/cell-text.ts";
import type { Brand } from "./brand.ts";
import { listProofColumns, type ProofRow, type ProofRows, proofTableNames } from "./proof-tables.ts";

/** What a proof covers, with names resolved: the parameters of its rows. */
export interface ProofScope {
  campaignKeys: readonly number[];
  kinds: readonly Kind[];
  attributes: readonly ChosenAttribute[];
  period: Period;
}

/** The published version that a proof was made from. Instants are `YYYY-MM-DDTHH:MM:SSZ`. */
export interface ProofSource {
  version: string;
  builtAt: string | null;
  dataAsOf: string | null;
  /** First local date with campaign days. */
  completeFrom: string | null;
  /** Last local date that the data covers completely in every zone. */
  completeTo: string | null;
  /** Sources that were never collected completely, e.g. `signage history of group 7; devices`. */
  missingSources: string | null;
  slotMinutes: number;
}

/** Everything that a proof shows. It holds no other campaigns: plays that they can claim are only counted. */
export interface ProofDocument {
  scope: ProofScope;
  source: ProofSource;
  rows: ProofRows;
  brand: Brand;
  /** Version of the program that wrote it. */
  program: string;
}

/** Options as typed. */
export interface ProofWords {
  campaign?: readonly string[];
  where?: readonly string[];
  kind?: readonly string[];
  from?: string;
  to?: string;
}

/** @throws {ReportOptionError} naming the option, the value and what is accepted */
export function parseProofOptions(words: ProofWords): ReportRequest {
  if (words.campaign === undefined && words.where === undefined) {
    throw new ReportOptionError(
      "--campaign",
      ({ option }) =>
        `A proof needs its campaigns: ${option("--campaign")} with ids or names, or ${option("--where")} with an attribute, such as advertiser=Acme.`,
    );
  }
  return parseReportOptions({ report: "compliance", ...words });
}

/**
 * Builds a proof from one published version, and reads nothing else.
 * @param now reference for "the last complete day", if the request has no dates; the document does not contain it
 * @throws {ReportOptionError} when the options name something that is not published
 * @throws {VenueError} `PROOF_TOO_LARGE`
 */
export async function buildProof(
  published: PublishedMart,
  request: ReportRequest,
  brand: Brand,
  now: Date,
): Promise<ProofDocument> {
  const mart = withOutdatedErrors(published);
  const options = await resolveChosen(mart, request);
  const { campaignKeys, kinds, attributes } = options;
  const { period, source } = await readProofSource(mart, options, now);
  const scope = { campaignKeys, kinds, attributes, period };
  return {
    scope,
    source,
    rows: await readProofRows(mart, scope),
    brand,
    program: softwareVersion(),
  };
}

/** Returns what a proof states about the published version, and the period that it covers. */
export async function readProofSource(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<{ period: Period; source: ProofSource }> {
  const { period, dataAsOf, dataDays } = await getReportedDays(mart, options, now);
  const [info] = await mart.all<{ built_at: string | null; slot_minutes: number }>(
    "select built_at, slot_minutes from mart_info",
  );
  return {
    period,
    source: {
      version: mart.version,
      builtAt: info?.built_at ? formatInstant(String(info.built_at)) : null,
      dataAsOf,
      completeFrom: dataDays?.from || null,
      completeTo: dataDays?.wholeTo ?? null,
      missingSources: (await findMissingSources(mart, options)) ?? null,
      slotMinutes: Number(info?.slot_minutes ?? 60),
    },
  };
}

/** Most rows of a proof. Each is in the document, and must fit on one sheet. */
const maxRows = 500_000;

/** Reads the rows of a proof, in a fixed order. @throws {VenueError} `PROOF_TOO_LARGE` */
export async function readProofRows(mart: PublishedMart, scope: ProofScope): Promise<ProofRows> {
  const rows: Partial<Record<(typeof proofTableNames)[number], ProofRow[]>> = {};
  let count = 0;
  for (const table of proofTableNames) {
    const columns = listProofColumns(table);
    const stream = await mart.stream(...buildStatement(proofLists[table], scope));
    const read: ProofRow[] = [];
    for await (const row of pickColumns(stream, columns).rows) {
      count += 1;
      if (count > maxRows) throw tooLargeError();
      // Workbooks can't hold an empty text.
      read.push(
        toRecord(
          columns,
          row.map((value) => (value === "" ? null : value)),
        ),
      );
    }
    rows[table] = read;
  }
  return rows as ProofRows;
}

function tooLargeError(): VenueError {
  return new VenueError(
    "PROOF_TOO_LARGE",
    "usage",
    `The proof would have over ${maxRows.toLocaleString("en-US")} rows, more than a reader can open. Choose a shorter period or fewer campaigns.`,
  );
}
