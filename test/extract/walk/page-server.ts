import { readFileSync } from "node:fs";
import { collectWalk, type WalkResult } from "../../../src/extract/walk/collect-walk.ts";
import { serveResponses } from "../fake-service.ts";

export interface PageRequest {
  zoneId: number;
  /** The service's own page size if missing. */
  limit: number;
  offset: number;
  /** Number of earlier requests. */
  count: number;
}

export type PageAnswer =
  | { data: readonly unknown[]; total: number; pageSize?: number; pageCount?: number }
  | number;

/** The n-th play of a made-up zone; by default, plays begin every 200 s. */
export function play(number: number, startSecs = number * 200): Record<string, unknown> {
  const play_start = new Date(Date.parse("2026-10-01T00:00:00Z") + startSecs * 1000).toISOString();
  return {
    location_id: 1,
    location_name: "Harbor Market",
    zone_id: 7,
    zone_name: "Floor",
    duration_secs: 180,
    play_start: play_start.replace("Z", "+00:00"),
    song_id: number,
    song_name: `Song ${number}`,
    artist_id: 1,
    artist_name: "The Velvet Comets",
  };
}

/** Consecutive plays from a number on, oldest first. */
export function plays(count: number, from = 0): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => play(from + index));
}

/** A real server whose pages the test supplies, and walks of it. */
export async function servePages(answer: (request: PageRequest) => PageAnswer) {
  let walks = 0;
  const now = () => new Date(Date.parse("2026-11-01T00:00:00Z") + ++walks * 1000);
  const service = await serveResponses(({ url: { searchParams } }) => {
    const limit = Number(searchParams.get("limit") ?? 1000);
    const page = answer({
      zoneId: Number(searchParams.get("zone_id")),
      limit,
      offset: Number(searchParams.get("offset") ?? 0),
      count: service.requested.length - 1,
    });
    if (typeof page === "number") return { status: page };
    const { data: records, total, pageSize: page_size = limit, pageCount: page_count = 1 } = page;
    const zone_id = Number(searchParams.get("zone_id"));
    // Plays get the requested zone's id.
    const data = records.map((record) =>
      Object(record).zone_id === 7 ? { ...Object(record), zone_id } : record,
    );
    return { json: { total_count: total, page_size, page: 1, page_count, data } };
  }, now);
  const { requested, baseUrl, folder, state, begin } = service;
  const found = new Set<number>();
  return {
    state,
    baseUrl,
    /** Numbers of the plays found by all walks. */
    found,
    begin,
    async walk(context = begin(), zoneId = 7): Promise<WalkResult & { pages: number }> {
      const before = requested.length;
      const walked = await collectWalk({ kind: "music", zoneId }, context);
      const lines = readFileSync(folder.resolve(walked.landing.path), "utf8").split("\n").slice(0, -1);
      for (const line of lines) found.add(JSON.parse(line).song_id);
      return { ...walked, pages: requested.length - before };
    },
  };
}
