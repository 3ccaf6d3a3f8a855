import { isUtf8 } from "node:buffer";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { type Kind, largestId } from "../../util/kind.ts";
import { readPlayStart, writePlayStart } from "../../util/play-start.ts";
import { appendRows } from "../declare-tables.ts";
import { readJsonObject, wellFormedJson } from "../lines/json-object.ts";
import type { LandingLine } from "../lines/line-cursor.ts";
import type { IndexedLine } from "../lines/line-index.ts";
import type { LandingLines } from "./landing-lines.ts";

const rejectCharacters = 1000;

/**
 * Classifies the lines in `wanted_line` in JavaScript, because a bad line can make DuckDB reject the valid line after
 * it. Rewrites valid records into `classified_line`, and puts all other lines into `reject`.
 * @throws {LandingUnreadableError}
 */
export async function classifyLines(
  warehouse: DuckDb,
  lines: LandingLines,
  signal?: AbortSignal,
): Promise<void> {
  let classified: object[] = [];
  let rejects: object[] = [];
  await readWantedLines(warehouse, lines, {
    signal,
    onLine: (line, lineRow) => {
      const { landing, linesBefore } = findLanding(lines, line);
      const outcome = judgeLine(line, landing);
      if ("canonicalLine" in outcome) {
        classified.push({ line_row: lineRow, line: outcome.canonicalLine });
        return;
      }
      rejects.push({
        load_id: landing.loadId,
        line_number: line.lineNumber - linesBefore,
        reason: outcome.reason,
        line: shown(line),
      });
    },
    onPage: async () => {
      await appendRows(warehouse, "classified_line", classified);
      await appendRows(warehouse, "reject", rejects);
      classified = [];
      rejects = [];
    },
  });
}

function findLanding(
  { landings }: LandingLines,
  { lineNumber }: LandingLine,
): LandingLines["landings"][number] {
  const found = landings.findLast(({ linesBefore }) => linesBefore < lineNumber);
  if (!found) throw new Error(`no landing has line ${lineNumber}`);
  return found;
}

/** Returns the line's first characters, without a trailing carriage return; invalid bytes become U+FFFD. */
function shown({ bytes }: LandingLine): string {
  const text = bytes.toString("utf8").replace(/\r$/, "");
  const characters = text.length <= rejectCharacters ? text : [...text].slice(0, rejectCharacters).join("");
  // A DuckDB string may contain NUL, but many of DuckDB's readers stop there.
  return characters.replaceAll("\0", "\uFFFD");
}

/** Reasons for rejects. `fact_reject` lists them, and the report has a sentence for each. */
const rejectReasons = [
  "invalid_json",
  "not_an_object",
  "missing_field",
  "wrong_type",
  "invalid_timestamp",
  "no_utc_offset",
  "timestamp_out_of_range",
  "id_out_of_range",
  "duration_out_of_range",
  "invalid_utf8",
  "line_too_long",
] as const;

type RejectReason = (typeof rejectReasons)[number];

/** Either a record, rewritten so that DuckDB can read it, or a reject. */
type ClassifiedLine = { canonicalLine: string } | { reason: RejectReason };

export interface HistoryLineRules {
  kind: Kind;
  /** Latest plausible start. A later start means that the player's clock is wrong. */
  latestPlayedAt: Date;
}

const earliestPlayedAtMs = Date.UTC(2000, 0, 1);
/** 31 days, because a static poster may be shown for weeks. */
const maxDurationSecs = 2_678_400;

/**
 * Decides whether a history line is a record, based only on the record format, regardless of what DuckDB read.
 * Increase `rulesVersion` in `ledger.ts` when you change which lines are records.
 */
export function judgeLine(line: LandingLine, rules: HistoryLineRules): ClassifiedLine {
  if (line.isTooLong) return { reason: "line_too_long" };
  if (!isUtf8(line.bytes)) return { reason: "invalid_utf8" };
  // If files were concatenated, a line may begin with the byte order mark of a later file.
  const members = readJsonObject(line.bytes.toString("utf8").replace(/^\uFEFF/, ""));
  return typeof members === "string" ? { reason: members } : classifyRecord(members, rules);
}

/** Checks the values in a fixed order, so that each rejected line has exactly one reason. */
function classifyRecord(members: ReadonlyMap<string, string>, rules: HistoryLineRules): ClassifiedLine {
  const isMusic = rules.kind === "music";
  const get = (field: string) => {
    const json = members.get(field);
    return json === "null" ? undefined : json;
  };
  const zoneJson = get("zone_id");
  const itemJson = get(isMusic ? "song_id" : "asset_id");
  const durationJson = get("duration_secs");
  const startJson = get("play_start");
  if (
    zoneJson === undefined ||
    itemJson === undefined ||
    durationJson === undefined ||
    startJson === undefined
  ) {
    return { reason: "missing_field" };
  }
  const locationJson = get("location_id");
  const artistJson = isMusic ? get("artist_id") : undefined;
  const zoneId = readExactInteger(zoneJson);
  const itemId = readExactInteger(itemJson);
  const durationSecs = readExactInteger(durationJson);
  const locationId = locationJson === undefined ? null : readExactInteger(locationJson);
  const artistId = artistJson === undefined ? null : readExactInteger(artistJson);
  if (
    zoneId === undefined ||
    itemId === undefined ||
    durationSecs === undefined ||
    locationId === undefined ||
    artistId === undefined ||
    !startJson.startsWith('"')
  ) {
    return { reason: "wrong_type" };
  }
  const start = readPlayStart(JSON.parse(startJson));
  if ("reason" in start) return start;
  if (start.playedAtMs < earliestPlayedAtMs || start.playedAtMs > rules.latestPlayedAt.getTime())
    return { reason: "timestamp_out_of_range" };
  const ids = [zoneId, itemId, locationId ?? 0, artistId ?? 0];
  if (ids.some((id) => id < 0 || id > largestId)) return { reason: "id_out_of_range" };
  if (durationSecs < 0 || durationSecs > maxDurationSecs) return { reason: "duration_out_of_range" };

  const name = (field: string) => wellFormedJson(get(field) ?? "null");
  return {
    canonicalLine: `{"zone_id":${zoneId},"item_id":${itemId},"duration_secs":${durationSecs},"location_id":${locationId},"artist_id":${artistId},"play_start":"${writePlayStart(start.playedAtMs, start.offsetMinutes)}","zone_name":${name("zone_name")},"location_name":${name("location_name")},"item_name":${name(isMusic ? "song_name" : "asset_name")},"artist_name":${isMusic ? name("artist_name") : null}}`,
  };
}

/**
 * Returns the integer in a JSON value: a number without a fraction or exponent (`77`, `77.0`, not `1e3`), or a string
 * of digits. Returns `undefined` for other values. Integers beyond 2^53 are approximate.
 * @param json the unparsed value
 */
function readExactInteger(json: string): number | undefined {
  const digits = json.startsWith('"')
    ? /^-?\d+$/.exec(JSON.parse(json))?.[0]
    : /^(-?\d+)(?:\.0+)?$/.exec(json)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const pageLines = 20_000;

interface ReadWantedOptions {
  /** Called with each line in order; a line is valid until the next call. */
  onLine: (line: IndexedLine, lineRow: number) => void;
  /** Called after every 20,000 lines and after the last. */
  onPage: () => Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Reads the lines in `wanted_line` from their landings, in pages. @throws {LandingUnreadableError} */
export async function readWantedLines(
  warehouse: DuckDb,
  { path, index }: LandingLines,
  { onLine, onPage, signal }: ReadWantedOptions,
): Promise<void> {
  for (let last = -1; ; ) {
    signal?.throwIfAborted();
    const page = await warehouse.all<{ lineRow: number; fileRow: number }>(
      `with page as materialized (
        select line_row from temp.wanted_line where line_row > ? order by line_row limit ?
      )
      select p.line_row as "lineRow", coalesce(f.file_row, p.line_row) as "fileRow"
      from page as p
      left join temp.fresh_line as f on f.rowid = p.line_row
        and f.rowid between (select min(line_row) from page) and (select max(line_row) from page)
      order by p.line_row`,
      [last, pageLines],
    );
    const lineRows = new Map(page.map(({ lineRow, fileRow }) => [fileRow, lineRow]));
    await index.read(path, [...lineRows.keys()], (line) => onLine(line, lineRows.get(line.row) ?? 0));
    await onPage();
    if (page.length < pageLines) return;
    last = page.at(-1)?.lineRow ?? 0;
  }
}
