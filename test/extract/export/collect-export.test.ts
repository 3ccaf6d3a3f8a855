import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished, vi } from "vitest";
import { DownloadFailedError } from "../../../src/extract/download/download-file.ts";
import {
  collectExport,
  ExportGivenUpError,
  ExportRefusedError,
} from "../../../src/extract/export/collect-export.ts";
import { itInAll } from "../../support/long-suite.ts";
import { serveResponses } from "../fake-service.ts";

const source = { kind: "music", groupId: 1 } as const;

it.each([404, 410])("requests another export if the service has lost one (%i)", async (status) => {
  let jobs = 0;
  const service = await serveResponses(({ name }) =>
    name.startsWith("POST") ? { json: { job_id: `j${++jobs}`, status: "processing" } } : { status },
  );
  await expect(collectExport(source, service.begin())).rejects.toThrow(
    "The service failed 3 exports of music of group 1: the service does not know this job.",
  );
  expect(jobs).toBe(3);
});

it("waits for an export whose link comes before its file", async () => {
  let polls = 0;
  const url = await serveFile(
    () => (polls < 20 ? '{"zone_id":7}\n' : '{"zone_id":7}\n{"zone_id":8}\n'),
    () => (polls < 12 ? 404 : 200),
  );
  const service = await serveResponses(({ name }) => {
    if (name.startsWith("POST")) return { json: { job_id: "j" } };
    polls += 1;
    return { json: { status: polls < 20 ? "processing" : "completed", download_url: url } };
  });
  expect((await collectExport(source, service.begin())).landing.bytes).toBe(28);
});

it("treats a job id that fits into no URL as a missing response", async () => {
  const service = await serveResponses(() => ({ json: { job_id: "j\ud800" } }));
  await expect(collectExport(source, service.begin())).rejects.toThrow(
    expect.objectContaining({ code: "EXPORT_UNANSWERED" }),
  );
});

it("reports why responses to export requests were lost, without advice about commands", async () => {
  const service = await serveResponses(() => ({ status: 502 }));
  const collection = service.begin();
  const failed =
    "The service failed at POST ext/data/music/history/export with status 502 (“{}”). Run this again later; if the " +
    "problem persists, contact the operator.";
  const messages = [];
  for (const context of [collection, service.begin()])
    messages.push(await collectExport(source, context).catch((error: Error) => error.message));
  expect(messages).toEqual([
    `The service returned no job for the music export of group 1. ${failed}`,
    `The service failed 2 exports of music of group 1: ${failed}`,
  ]);
});

/** A service of exports that rejects export requests, or polls, as the callback decides. */
async function serveRefusing(refuses: (name: string) => number | undefined) {
  const url = await serveFile(() => '{"zone_id":7}\n');
  let jobs = 0;
  return await serveResponses(({ name }) => {
    const status = refuses(name);
    if (status !== undefined) return { status };
    return {
      json: name.startsWith("POST") ? { job_id: `j${++jobs}` } : { status: "completed", download_url: url },
    };
  });
}

it.each([302, 403, 404, 409])(
  "requests an export once more if it is refused (%i) after a successful one, before giving up",
  async (status) => {
    let refused = 0;
    const service = await serveRefusing((name) =>
      name.startsWith("POST") && refused-- > 0 ? status : undefined,
    );
    await collectExport(source, service.begin());
    refused = 1;
    const passing = service.begin();
    await expect(collectExport(source, passing)).rejects.toThrow(ExportRefusedError);
    expect((await collectExport(source, passing)).landing.isComplete).toBe(true);
    refused = 9;
    const lasting = service.begin();
    await expect(collectExport(source, lasting)).rejects.toThrow(ExportRefusedError);
    await expect(collectExport(source, lasting)).rejects.toThrow(ExportGivenUpError);
    await expect(collectExport(source, service.begin())).rejects.toThrow(ExportGivenUpError);
    expect(service.requested.filter((name) => name.startsWith("POST"))).toHaveLength(6);
  },
);

it.each([302, 403, 409])("requests another export once if polls are refused (%i)", async (status) => {
  let refused = 0;
  const service = await serveRefusing((name) =>
    name.startsWith("GET") && refused-- > 0 ? status : undefined,
  );
  await collectExport(source, service.begin());
  refused = 1;
  expect((await collectExport(source, service.begin())).landing.isComplete).toBe(true);
  refused = 9;
  await expect(collectExport(source, service.begin())).rejects.toThrow(ExportGivenUpError);
  expect(service.requested.filter((name) => name.startsWith("POST"))).toHaveLength(5);
});

/** Corrects the clock by hours after an export's first poll; the last poll reports it complete. */
async function serveDuringClockChange(hours: number, polls: number) {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"] });
  const url = await serveFile(() => '{"zone_id":7}\n');
  let count = 0;
  return await serveResponses(({ name }) => {
    if (name.startsWith("POST")) return { json: { job_id: "j" } };
    count += 1;
    if (count === 1) vi.setSystemTime(Date.now() + hours * 3_600_000);
    return { json: count < polls ? { status: "processing" } : { status: "completed", download_url: url } };
  });
}

it.each([5, -1])("measures an export's duration despite clock changes: %i h", async (hours) => {
  const service = await serveDuringClockChange(hours, 2);
  const context = service.begin();
  await collectExport(source, context);
  const { kind, groupId } = source;
  const [durationMs] = context.state.exportJobs.record(context.service, kind, groupId).durationsMs;
  expect(durationMs).toBeGreaterThan(0);
  expect(durationMs).toBeLessThan(60_000);
});

it("keeps waiting for an export while the clock moves forward by hours", async () => {
  const service = await serveDuringClockChange(2, 3);
  expect((await collectExport(source, service.begin())).landing.isComplete).toBe(true);
});

it("polls an export less and less often while the clock moves back by hours", async () => {
  const service = await serveDuringClockChange(-2, 4);
  const context = service.begin();
  const waits: number[] = [];
  const sleep = async (durationMs: number) => {
    waits.push(durationMs);
    await setTimeout(400);
  };
  await collectExport(source, { ...context, clock: { ...context.clock, sleep } });
  expect(waits.at(-1)).toBeGreaterThan(1_000);
});

it("does not wait longer in each sync for exports whose first polls come late and find them done", async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"] });
  const url = await serveFile(() => '{"zone_id":7}\n');
  let jobs = 0;
  const service = await serveResponses(({ name }) => {
    if (name.startsWith("POST")) return { json: { job_id: `j${++jobs}` } };
    // The request waited for others.
    vi.setSystemTime(Date.now() + 4_000);
    return { json: { status: "completed", download_url: url } };
  });
  const waits: number[] = [];
  for (let sync = 0; sync < 12; sync += 1) {
    const context = service.begin();
    const sleep = async (durationMs: number) => {
      waits.push(durationMs);
      vi.setSystemTime(Date.now() + durationMs);
    };
    await collectExport(source, { ...context, clock: { ...context.clock, sleep } });
  }
  expect(waits).toHaveLength(12);
  expect(Math.max(...waits)).toBeLessThan(1_500);
});

/** An export left by a run `hours` ago, complete for the next run at its `polls`-th poll. */
async function collectLeftExport(hours: number, polls: number) {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"] });
  const url = await serveFile(() => '{"zone_id":7}\n');
  const stop = new AbortController();
  let count = -1;
  const service = await serveResponses(({ name }) => {
    if (name.startsWith("POST")) return { json: { job_id: "j" } };
    if (!stop.signal.aborted) stop.abort(new Error("stopped"));
    count += 1;
    return { json: count < polls ? { status: "processing" } : { status: "completed", download_url: url } };
  });
  await expect(collectExport(source, service.begin(stop))).rejects.toThrow("stopped");
  count = 0;
  vi.setSystemTime(Date.now() + hours * 3_600_000);
  await collectExport(source, service.begin());
  return service.state.exportJobs.record(service.baseUrl, source.kind, source.groupId).durationsMs;
}

it("does not record the duration of an export that finished while no run was waiting", async () => {
  expect(await collectLeftExport(5, 1)).toEqual([]);
});

it("records the duration of an export that one run left and the next waited for", async () => {
  const [durationMs = 0] = await collectLeftExport(5, 2);
  expect(durationMs / 3_600_000).toBeCloseTo(5, 1);
});

/** Syncs an hour apart, each with the next of these jobs; jobs with one letter are one export. */
async function collectJobs(...given: readonly { id: string; file: string }[]) {
  let now = Date.parse("2026-11-20T05:00:00Z");
  let sync = 0;
  const url = await serveFile(() => given[sync]?.file ?? "");
  const service = await serveResponses(
    ({ name }) => ({
      json: name.startsWith("POST")
        ? { job_id: given[sync]?.id }
        : { status: "completed", download_url: url },
    }),
    () => new Date(now),
  );
  const told = [];
  for (; sync < given.length; sync += 1) {
    const { landing, note, why } = await collectExport(source, service.begin());
    told.push([landing.requestedAt.getUTCHours(), note ?? why ?? ""]);
    now += 3_600_000;
  }
  return told;
}

const [yesterdays, todays] = ['{"zone_id":7}\n', '{"zone_id":7}\n{"zone_id":8}\n'];
const repeatedExportNote = "the service returned the export of 2026-11-20T06:00:00.000Z again";

it("dates an export that the service returns again by its first request", async () => {
  const [old, one, two] = [
    { id: "a", file: yesterdays },
    { id: "b", file: todays },
    { id: "c", file: `${todays}${yesterdays}` },
  ];
  expect(await collectJobs(old, one, one, one, two, one)).toEqual([
    [5, ""],
    [6, ""],
    [6, repeatedExportNote],
    [6, repeatedExportNote],
    [9, ""],
    [6, `${repeatedExportNote}, which is older than the latest one`],
  ]);
});

itInAll("treats a reused job id as a new job if its file grew or is empty", async () => {
  const empty = { id: "a", file: "" };
  const one = { id: "a", file: yesterdays };
  const two = { id: "a", file: todays };
  expect(await collectJobs(empty, empty, one, two)).toEqual([
    [5, ""],
    [6, ""],
    [7, ""],
    [8, ""],
  ]);
});

/** Serves one file, which may change. */
async function serveFile(file: () => string | Buffer, status = () => 200): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status()).end(file()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
}

/** Each export returns the next of these files, the last one from then on. */
async function serveFiles(...files: (string | Buffer)[]) {
  let jobs = 0;
  const url = await serveFile(() => files[Math.min(jobs, files.length) - 1] ?? "");
  return await serveResponses(({ name }) => ({
    json: name.startsWith("POST") ? { job_id: `j${++jobs}` } : { status: "completed", download_url: url },
  }));
}

it.each([
  ["no bytes", ""],
  ["a line break", "\n"],
  ["a byte order mark", "\ufeff"],
  ["blank lines", "\r\n \r\n"],
  ["empty gzip", gzipSync("")],
])(
  "an export of %s after one with plays is incomplete until the next one agrees",
  async (_label, nothing) => {
    const service = await serveFiles('{"zone_id":7}\n', nothing);
    const complete = [];
    for (let sync = 1; sync <= 3; sync++)
      complete.push((await collectExport(source, service.begin())).landing.isComplete);
    expect(complete).toEqual([true, false, true]);
  },
);

it.each([
  ["that is refused", 403, ""],
  ["of an array in one line", 200, '[{"zone_id":7}]\n'],
  ["of an error page", 200, "<Error><Code>NoSuchKey</Code></Error>"],
])("gives up a download %s in the second sync, in later ones at once", async (_label, status, file) => {
  let jobs = 0;
  let isWell = false;
  const url = await serveFile(
    () => (isWell ? '{"zone_id":7}\n' : file),
    () => (isWell ? 200 : status),
  );
  const service = await serveResponses(({ name }) => ({
    json: name.startsWith("POST") ? { job_id: `j${++jobs}` } : { status: "completed", download_url: url },
  }));
  const collect = () => collectExport(source, service.begin());
  await expect(collect()).rejects.toThrow(DownloadFailedError);
  await expect(collect()).rejects.toThrow(ExportGivenUpError);
  expect(jobs).toBe(1);
  await expect(collect()).rejects.toThrow(ExportGivenUpError);
  expect(jobs).toBe(2);
  isWell = true;
  expect((await collect()).landing.isComplete).toBe(true);
  isWell = false;
  await expect(collect()).rejects.toThrow(DownloadFailedError);
});

/** Result of syncs this many hours apart whose exports are requested but never obtained. */
async function collectFailing(hours: number, poll: { status: number } | { json: unknown }) {
  let now = Date.parse("2026-11-20T05:00:00Z");
  const service = await serveResponses(
    ({ name }) => (name.startsWith("POST") ? { json: { job_id: "j" } } : poll),
    () => new Date(now),
  );
  const outcomes = [];
  for (let sync = 1; sync <= 3; sync += 1) {
    const context = service.begin();
    const quick = { ...context, clock: { ...context.clock, sleep: async () => {} } };
    outcomes.push(await collectExport(source, quick).catch((error: Error) => error.name));
    now += hours * 3_600_000;
  }
  return outcomes;
}

it.each([1, 24])("gives up a download that fails in each sync, %i hours apart", async (hours) => {
  const url = await serveFile(
    () => "",
    () => 403,
  );
  expect(await collectFailing(hours, { json: { status: "completed", download_url: url } })).toEqual([
    "DownloadFailedError",
    "ExportGivenUpError",
    "ExportGivenUpError",
  ]);
});

it.each([
  ["that fail", 1, { status: 500 }, "ServiceFailedError"],
  ["that fail", 24, { status: 500 }, "ServiceFailedError"],
  ["that can't be read", 1, { json: {} }, "UnexpectedResponseError"],
  ["that can't be read", 24, { json: {} }, "UnexpectedResponseError"],
])("gives up polls %s in each sync, %i hours apart", async (_label, hours, poll, name) => {
  expect(await collectFailing(hours, poll)).toEqual([name, "ExportGivenUpError", "ExportGivenUpError"]);
});

it("continues a download that makes progress, however often it fails", async () => {
  let sync = 0;
  const file = Buffer.from('{"zone_id":7}\n'.repeat(5_000));
  const server = createServer(({ headers: { range } }, response) => {
    const from = Number(/\d+/.exec(range ?? "")?.[0] ?? 0);
    const sent = file.subarray(from, sync * 20_000);
    const part = { "content-range": `bytes ${from}-${file.length - 1}/${file.length}` };
    response.writeHead(range ? 206 : 200, { "content-length": file.length - from, ...(range ? part : {}) });
    response.write(sent);
    setTimeout(20).then(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
  const service = await serveResponses(({ name }) => ({
    json: name.startsWith("POST") ? { job_id: "j" } : { status: "completed", download_url: url },
  }));
  for (sync = 1; sync <= 3; sync++)
    await expect(collectExport(source, service.begin())).rejects.toThrow(DownloadFailedError);
});
