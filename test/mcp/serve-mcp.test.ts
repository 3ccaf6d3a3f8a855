import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { generatePlays, publishedWorld } from "../report/plays-world.ts";
import { itInAll } from "../support/long-suite.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { startVenue } from "../support/run-venue.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { connectClient } from "./connect-client.ts";

const endless =
  "with recursive t as (select 1 as n union all select n + 1 from t) select count(*) as n from t";

itInAll(
  "starts without data, reads each new version, and lists candidates for an ambiguous name",
  async () => {
    const workingFolder = createTempFolder();
    const dataFolder = join(workingFolder, "here");
    const published = join(dataFolder, "published");
    const args = ["--data-dir", dataFolder];
    const { call, close, stderr } = await connectClient({ environment: {}, args, workingFolder });
    onTestFinished(close);
    const words = { report: "plays", zone: "Bar" };
    expect(await call("report", words)).toMatchObject({
      isError: true,
      text: expect.stringContaining("Run `venue run` first"),
    });

    mkdirSync(published, { recursive: true });
    const first = publishedWorld("v000001", generatePlays());
    await publishFixture(published, first);
    expect((await call("report", words)).content.version).toBe("v000001");

    const zones = first.rows.dim_zone?.map((zone) =>
      zone.zone_id === 12 ? { ...zone, zone_name: "Bar" } : zone,
    );
    await publishFixture(published, {
      ...first,
      version: "v000002",
      rows: { ...first.rows, dim_zone: zones ?? [] },
    });
    const { isError, text } = await call("report", words);
    expect(isError).toBe(true);
    expect(text).toMatch(/^2 zones are called "Bar": 11 \(Bar.*\), 12 \(Bar.*\)\. Choose one by its id\.$/);
    expect((await call("overview")).content.version).toBe("v000002");
    expect((await call("report", { ...words, as_of: "v000001" })).content.version).toBe("v000001");
    expect(stderr()).toBe("");
  },
);

it("links to VENUE_PUBLIC_URL, and speaks the newest form of the protocol", async () => {
  const { client, call, close } = await connectClient({
    environment: { VENUE_DATA_DIR: await shareDemoData(), VENUE_PUBLIC_URL: "https://example.com/venue" },
    workingFolder: createTempFolder(),
    versionNegotiation: { mode: "auto" },
  });
  onTestFinished(close);
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  const { content } = await call("report", { report: "devices" });
  expect(content.page).toBe("https://example.com/venue/devices?as-of=v000001");
});

itInAll("stops an answer that exceeds a limit or is cancelled, and continues with the next", async () => {
  const workingFolder = createTempFolder();
  mkdirSync(join(workingFolder, "reports"));
  writeFileSync(join(workingFolder, "reports", "endless.sql"), endless);
  const { call, close } = await connectClient({
    environment: {
      VENUE_DATA_DIR: await shareDemoData(),
      VENUE_OWN_DIR: workingFolder,
      VENUE_OWN_SECONDS: "1",
      VENUE_MEMORY_LIMIT: "60MB",
      VENUE_THREADS: "1",
    },
    args: ["--max-minutes", "0.05"],
    workingFolder,
  });
  onTestFinished(close);
  const cancelling = new AbortController();
  const cancelled = call("query", { sql: endless }, cancelling);
  const late = call("query", { sql: endless });
  cancelling.abort();
  await expect(cancelled).rejects.toThrow();
  expect(await late).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^The answer was not ready within 0\.05 minutes, .* --max-minutes\.$/),
  });
  expect(await call("report", { report: "endless" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("did not end within 1 second (VENUE_OWN_SECONDS)"),
  });
  const large = { sql: "select list(repeat(item_key::varchar, 1000)) as items from fact_play" };
  expect(await call("query", large)).toMatchObject({
    isError: true,
    text: expect.stringContaining("DuckDB ran out of memory. Raise VENUE_MEMORY_LIMIT"),
  });
  expect((await call("query", { sql: "select 1 as n" })).content.rows).toEqual([[1]]);
});

const initialize = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

function toLines(messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
}

it("writes only the protocol to stdout, and ends with SIGTERM", async () => {
  const { child, finished } = startVenue(["mcp"], {
    environment: { VENUE_DATA_DIR: await shareDemoData() },
    workingFolder: createTempFolder(),
    keepsInputOpen: true,
  });
  child.stdin?.write('not JSON\n{"neither": "a message"}\n');
  child.stdin?.write(toLines([initialize, { method: "notifications/initialized" }]));
  await once(child.stdout as NodeJS.ReadableStream, "data");
  const call = { method: "tools/call", params: { name: "query", arguments: { sql: "select 42 as n" } } };
  child.stdin?.write(toLines([{ id: 2, ...call }]));
  await once(child.stdout as NodeJS.ReadableStream, "data");
  child.stdin?.write(
    toLines([{ id: 3, method: "tools/call", params: { name: "query", arguments: { sql: endless } } }]),
  );
  child.kill("SIGTERM");
  const { code, stdout, stderr } = await finished;
  const messages = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
    ["2.0", 1],
    ["2.0", 2],
  ]);
  expect(messages[0].result.protocolVersion).toBe("2025-06-18");
  expect(messages[1].result.structuredContent.rows).toEqual([[42]]);
  expect(code).toBe(143);
  expect(stderr).toMatch(/^warning: A message could not be read .*\nTerminated\.\n$/);
});

/** Sends lines to `venue mcp`, and returns its messages once it has sent this many. */
async function exchange(lines: string, count: number) {
  const { child, finished } = startVenue(["mcp"], {
    environment: { VENUE_DATA_DIR: await shareDemoData() },
    workingFolder: createTempFolder(),
    keepsInputOpen: true,
  });
  let sent = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    sent += chunk;
    if (sent.split("\n").length > count) child.stdin?.end();
  });
  child.stdin?.write(lines);
  const { stdout } = await finished;
  const messages = stdout.trimEnd().split("\n");
  return new Map(messages.map((line) => JSON.parse(line)).map(({ id, ...answer }) => [id, answer]));
}

itInAll("takes numbers as text, and null and empty values as not given", async () => {
  const call = (name: string, words?: unknown) => ({
    method: "tools/call",
    params: { name, arguments: words },
  });
  const report = { report: "plays", by: "zone" };
  const requests = [
    { method: "tools/list", params: null },
    { method: "tools/list", params: { cursor: null, _meta: null } },
    call("overview", null),
    call("overview", ""),
    call("overview"),
    call("report", { ...report, limit: "10", offset: "1", top: "3" }),
    call("report", { ...report, limit: null, offset: "", top: null, zone: null, campaign: "", as_of: "" }),
    call("explain_cell", { campaign: 13, zone: "81007", date: "2026-11-03", kind: "", limit: "1" }),
  ].map((request, index) => ({ id: index + 2, ...request }));
  const lines = toLines([initialize, { method: "notifications/initialized" }, ...requests]);
  const answers = await exchange(lines, requests.length + 1);
  for (const { id, ...request } of requests) {
    const { result } = answers.get(id) ?? {};
    expect([request, result?.isError ?? false, result !== undefined]).toEqual([request, false, true]);
  }
  expect(answers.get(7).result.structuredContent.rows).toHaveLength(2);
  expect(answers.get(8).result.structuredContent.rows.length).toBeGreaterThan(3);
  const properties = answers.get(2).result.tools[2].inputSchema.properties;
  expect(properties.limit).toMatchObject({ type: "integer", minimum: 1, maximum: 1000 });
});

it("answers everything that has an id", async () => {
  const ping = { method: "ping" };
  const invalid = [
    { id: 2, method: "tools/call", params: "overview" },
    { id: "three", params: {} },
    { id: 4, method: 5 },
    { id: 5, method: "ping", params: [] },
    { id: 6.5, ...ping },
    { id: 7, method: "unknown" },
    { id: 8, method: "tools/call", params: {} },
  ];
  const batch = JSON.stringify([
    { jsonrpc: "2.0", id: 9, ...ping },
    { jsonrpc: "2.0", id: 10, ...ping },
  ]);
  const lines = `${toLines([initialize, ...invalid])}{"id":11,"method":"ping"}\r\n${batch}\n`;
  const answers = await exchange(lines, invalid.length + 4);
  for (const { id } of [...invalid, { id: 11 }])
    expect([id, answers.get(id)]).toEqual([id, expect.objectContaining({ error: expect.anything() })]);
  expect([answers.get(9), answers.get(10)]).toMatchObject([{ result: {} }, { result: {} }]);
});

it("ends when stdin is closed, even during an answer", async () => {
  const { finished } = startVenue(["mcp"], {
    environment: { VENUE_DATA_DIR: await shareDemoData() },
    workingFolder: createTempFolder(),
    input: toLines([
      initialize,
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "query", arguments: { sql: endless } } },
    ]),
  });
  expect(await finished).toMatchObject({ code: 0, signal: null, stderr: "" });
});
