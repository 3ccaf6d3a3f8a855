import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { VenueClient } from "../../src/api/client.ts";
import { VenueError } from "../../src/util/venue-error.ts";
import { Random } from "../load/history/random-lines.ts";
import { share } from "../support/long-suite.ts";
import { mutate } from "../support/mutate.ts";
import { reportTrials } from "../support/trial-report.ts";
import { collect, createTestClient, plainScript, startService } from "./support/scripted-service.ts";

const asset = { asset_id: 5, name: "Spring", duration: 15, start_date: "2026-11-01", end_date: null };
const play = { zone_id: 3, zone_name: "Bar", location_id: 1, location_name: "Harbor", duration_secs: 15 };

function devicesOf(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ zone_id: index, device_id: 10 + index, status: "online", platform: "linux", version: "1.2" },
    ...{ last_online_date: "2026-11-01T10:00:00+01:00", location: { location_id: 4, name: "Harbor" } },
  }));
}

/** Documented answers, each with the call that requests it. */
const answers: [name: string, answer: unknown, ask: (client: VenueClient) => Promise<unknown>][] = [
  ["devices", devicesOf(3), (client) => collect(client.devices.status({ groupId: 7 }))],
  // Longer than the buffer.
  ["many devices", devicesOf(8000), (client) => collect(client.devices.status({ groupId: 7 }))],
  [
    "campaigns",
    [1, 2].map((id) => ({
      ...{ campaign_id: String(id), name: "c", is_enabled: true, start_date: "2026-11-01" },
      ...{ rrule: "FREQ=DAILY", assets: [asset] },
    })),
    (client) => collect(client.signage.campaignsOfGroup({ groupId: 7 })),
  ],
  ["assets", [asset, asset], (client) => collect(client.messaging.assetsOfGroup({ groupId: 7 }))],
  [
    "music history",
    {
      ...{ total_count: 2, page_size: 10, page: 1, page_count: 1 },
      data: [5, 6].map((song_id) => ({ ...play, play_start: "2026-11-01T10:00:00+01:00", song_id })),
    },
    (client) => client.history.page({ kind: "music", zoneId: 3, limit: 10, offset: 20 }),
  ],
  [
    "a new export",
    { job_id: "j1", status: "processing" },
    (client) => client.exports.create({ kind: "music", groupId: 7 }),
  ],
  [
    "an export",
    { job_id: "j1", status: "completed", download_url: "https://files.test/1?sig=a" },
    (client) => client.exports.get({ jobId: "j1" }),
  ],
];

const fewTimes = share(50, 1000, 17_000);

it.each(answers)("a mutated response to %s is read literally or rejected", async (name, answer, ask) => {
  const times = name === "many devices" ? Math.ceil(fewTimes / 50) : fewTimes;
  const random = new Random(name.length + 20261123);
  const body: { bytes: Buffer; encoding: string } = {
    bytes: Buffer.from(JSON.stringify(answer)),
    encoding: "identity",
  };
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) plainScript(request, response, count);
    else {
      const headers = { "content-type": "application/json", "content-encoding": body.encoding };
      response.writeHead(200, headers).end(body.bytes);
    }
  });
  const { baseUrl } = service;
  const client = createTestClient({ baseUrl, ratePerSecond: 1e6, retry: { attempts: 1, firstDelayMs: 1 } });
  expect(JSON.parse(JSON.stringify(await ask(client)))).toEqual(answer);
  const happened: Record<string, number> = {};
  for (let round = 0; round < times; round += 1) {
    const plain = Buffer.from(JSON.stringify(answer));
    const kind = random.pick(["plain", "plain", "packed", "broken pack"]);
    const mutated = kind === "broken pack" ? plain : mutate(plain, random);
    const packed = kind === "plain" ? mutated : gzipSync(mutated);
    body.bytes = kind === "broken pack" ? mutate(packed, random) : packed;
    body.encoding = kind === "plain" ? "identity" : "gzip";
    let outcome: string;
    try {
      const read = await ask(client);
      outcome = "read";
      const text = new TextDecoder().decode(mutated);
      const found = findDifferences(JSON.parse(text), listReadValues(name, read));
      expect(
        found.filter((one) => !text.includes(`:${one.read}`)),
        text,
      ).toEqual([]);
    } catch (error) {
      if (!(error instanceof VenueError)) throw new Error(`round ${round}: ${mutated}`, { cause: error });
      outcome = error.code;
    }
    happened[outcome] = (happened[outcome] ?? 0) + 1;
  }
  reportTrials(`mutated answers: ${name}`, times, happened);
});

/** The state of an export depends on all its fields and on missing ones, so only the job id is compared. */
function listReadValues(name: string, read: unknown): unknown {
  const plain = JSON.parse(JSON.stringify(read));
  return name.endsWith("export") ? { job_id: plain.job_id } : plain;
}

const numberFields = ["duration", "location_id", "last_online_ago"];

/**
 * Differences between the values read and what JavaScript reads. Numbers may be written as text and vice versa,
 * lists as objects. Missing fields may have a default; a value that a field cannot hold is treated as missing
 * or as its JSON.
 */
function findDifferences(given: unknown, read: unknown): { given: unknown; read: unknown }[] {
  const found: { given: unknown; read: unknown }[] = [];
  // A list instead of recursion: values may be nested thousands deep.
  const waiting = [{ field: "", given, read }];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const { field, given, read } = pair;
    if (given === undefined || given === read || read === JSON.stringify(given)) continue;
    if (isObject(given) && isObject(read)) {
      const listed = (Array.isArray(read) ? Object.values(given) : given) as Record<string, unknown>;
      for (const [key, value] of Object.entries(read))
        waiting.push({ field: key, given: listed[key], read: value });
    } else if (read === null ? !holdsNothing(field, given) : isObject(given) || isObject(read))
      found.push({ given, read });
    else if (read !== null && String(given).trim() !== String(read) && Number(given) !== read)
      found.push({ given, read });
  }
  return found;
}

/** Returns whether the field treats this value as missing. */
function holdsNothing(field: string, given: unknown): boolean {
  if (given === null || given === false) return true;
  if (field === "location") return !isObject(given) || Array.isArray(given);
  if (field === "assets") return given === "" || (isObject(given) && Object.keys(given).length === 0);
  if (typeof given === "number")
    return field === "location_id"
      ? !Number.isSafeInteger(given)
      : Number.isInteger(given) && !Number.isSafeInteger(given);
  if (numberFields.includes(field)) return isObject(given) || !/^\s*-?\d+(\.\d+)?\s*$/.test(String(given));
  return isObject(given) && Object.keys(given).length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
