import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { fewThreads } from "./long-suite.ts";
import { createTempFolder } from "./temp-folder.ts";

/** Order of the records on pages, and of the lines in exports. */
export type ListedOrder = "newest" | "oldest" | "unsorted";

export interface ListedService {
  /** Music of zone 7 of group 1. Tests add to it. */
  records: { song_id: number; play_start: string }[];
  /** Number of music pages requested. */
  pages: number;
  /** A client that collects into its own folder, with `now()` as its clock. */
  setup(now: () => Date): {
    environment: Record<string, string>;
    workingFolder: string;
    dataFolder: string;
    emulator: { now: () => Date };
  };
}

const pageSize = 50;

/** A real server with one zone whose music the test supplies; exports and pages contain the same records. */
export async function serveListed(order: ListedOrder): Promise<ListedService> {
  const files = new Map<string, Buffer>();
  const listed = () => {
    const all = service.records.map((record) => ({ ...common, ...record }));
    if (order === "unsorted")
      return all.sort((left, right) => scattered(left.song_id) - scattered(right.song_id));
    const direction = order === "newest" ? -1 : 1;
    return all.sort(
      (left, right) => direction * (Date.parse(left.play_start) - Date.parse(right.play_start)),
    );
  };
  const server = createServer((request, response) => {
    request.resume();
    const { pathname, searchParams, origin } = new URL(request.url ?? "", `http://${request.headers.host}`);
    const [, kind] = /\/data\/(\w+)\/history/.exec(pathname) ?? [];
    const lines = kind === "music" ? listed() : [];
    if (pathname.endsWith("/token")) sendJson(response, { access_token: "t" });
    else if (pathname.endsWith("/devices/status"))
      sendJson(response, [{ zone_id: 7, device_id: 1, status: "online" }]);
    else if (pathname.endsWith("/history/export")) {
      const id = `${kind}-${files.size}`;
      files.set(id, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
      sendJson(response, { job_id: id, status: "processing" });
    } else if (pathname.includes("/history/exports/")) {
      const download_url = `${origin}/files/${pathname.split("/").at(-1)}`;
      sendJson(response, { status: "completed", download_url, expires_at: "2036-01-01T00:00:00+00:00" });
    } else if (pathname.startsWith("/files/"))
      sendFile(response, files.get(pathname.slice(7)), request.headers.range);
    else {
      if (kind === "music") service.pages += 1;
      const [offset, limit] = ["offset", "limit"].map((name) => Number(searchParams.get(name) ?? 0));
      const size = Math.min(limit || pageSize, pageSize);
      const data = lines.slice(offset, (offset ?? 0) + size);
      sendJson(response, { total_count: lines.length, page_size: size, page: 1, page_count: 1, data });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const service: ListedService = {
    records: [],
    pages: 0,
    setup(now) {
      const workingFolder = createTempFolder();
      return {
        workingFolder,
        dataFolder: join(workingFolder, "data"),
        emulator: { now },
        environment: {
          VENUE_BASE_URL: `http://127.0.0.1:${port}/v5`,
          VENUE_CLIENT_ID: "client-7",
          VENUE_CLIENT_SECRET: "s3cret",
          VENUE_GROUP_IDS: "1",
          VENUE_RATE_PER_SECOND: "1000",
          VENUE_HOME: join(workingFolder, "home"),
          ...fewThreads,
        },
      };
    },
  };
  return service;
}

const common = {
  ...{ location_id: 1, location_name: "Harbor Market", zone_id: 7, zone_name: "Floor", duration_secs: 180 },
  ...{ song_name: "A song", artist_id: 1, artist_name: "The Velvet Comets" },
};

function scattered(number: number): number {
  return (number * 7919) % 10_007;
}

function sendJson(response: ServerResponse, json: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
}

function sendFile(response: ServerResponse, file: Buffer = Buffer.alloc(0), range?: string): void {
  const from = Number(/bytes=(\d+)-/.exec(range ?? "")?.[1] ?? 0);
  if (range === undefined) response.writeHead(200, { "content-length": file.length }).end(file);
  else if (from >= file.length) response.writeHead(416, { "content-range": `bytes */${file.length}` }).end();
  else {
    const part = file.subarray(from);
    const contentRange = `bytes ${from}-${file.length - 1}/${file.length}`;
    response.writeHead(206, { "content-range": contentRange, "content-length": part.length }).end(part);
  }
}
