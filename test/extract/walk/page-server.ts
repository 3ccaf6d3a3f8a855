import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createVenueClient } from "../../../src/api/client.ts";
import { DataFolder } from "../../../src/config/data-folder.ts";
import { collectWalk, type Walked } from "../../../src/extract/walk/collect-walk.ts";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { createContext } from "../extract-fixture.ts";

/** What a page is asked for. */
export interface PageRequest {
  zoneId: number;
  /** As many as the service likes where none is asked for. */
  limit: number;
  offset: number;
  /** Requests before this one. */
  count: number;
}

/** What is answered: a page, or a status. */
export type PageAnswer =
  | { data: readonly unknown[]; total: number; pageSize?: number; pageCount?: number }
  | number;

/** A play of a made-up zone: the n-th one, begun every 200 s where nothing else is said. */
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

/** Plays from one number on, the oldest first. */
export function plays(count: number, from = 0): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => play(from + index));
}

/** A real server that answers pages of history in whatever way a test wants, and walks of it. */
export async function servePages(answer: (request: PageRequest) => PageAnswer) {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    const url = new URL(request.url ?? "", "http://localhost");
    if (url.pathname.endsWith("/api-clients/token"))
      return send(response, { access_token: "a-token", expires_in: 86_400 });
    const limit = Number(url.searchParams.get("limit") ?? 1000);
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const zoneId = Number(url.searchParams.get("zone_id"));
    const page = answer({ zoneId, limit, offset, count: count++ });
    if (typeof page === "number") return send(response, { error: "refused" }, page);
    const { data, total, pageSize, pageCount = 1 } = page;
    send(response, {
      total_count: total,
      page_size: pageSize ?? limit,
      page: 1,
      page_count: pageCount,
      data,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v5`;
  const home = createTempFolder();
  const folder = new DataFolder(join(home, "data")).prepare();
  const state = openDataState(folder.stateFile);
  const client = createVenueClient({
    baseUrl,
    credentials: { clientId: "a-client", clientSecret: "a-secret" },
    ratePerSecond: 2000,
    stateFile: join(home, "client.db"),
    retry: { firstDelayMs: 1 },
  });
  onTestFinished(async () => {
    await client.close();
    state.close();
    server.closeAllConnections();
    server.close();
  });
  const found = new Set<number>();
  let walks = 0;
  const now = () => new Date(Date.parse("2026-11-01T00:00:00Z") + walks * 1000);
  const begin = (stop = new AbortController()) => {
    walks += 1;
    const collectionId = state.collections.open({ service: baseUrl, scope: `test ${walks}` }, now());
    return createContext({ client, service: baseUrl, folder, state, collectionId, now: now() }, stop);
  };
  return {
    state,
    baseUrl,
    /** Numbers of the plays that all walks brought. */
    found,
    begin,
    async walk(context = begin(), zoneId = 7): Promise<Walked & { pages: number }> {
      const before = count;
      const walked = await collectWalk({ kind: "music", zoneId }, context);
      const lines = readFileSync(folder.resolve(walked.landing.path), "utf8").split("\n").slice(0, -1);
      for (const line of lines) found.add(JSON.parse(line).song_id);
      return { ...walked, pages: count - before };
    },
  };
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
