import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { reportWords } from "../../src/report/options/option-list.ts";
import { reportNames } from "../../src/report/report-name.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { type ConnectedClient, connectClient, readAllRows } from "./connect-client.ts";

let server: ConnectedClient;
let requests = 0;
/** Replaces the service, to which no request may be sent. */
const service = createServer((_request, response) => {
  requests += 1;
  response.end();
});

beforeAll(async () => {
  await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  server = await connectClient({
    environment: {
      VENUE_DATA_DIR: await shareDemoData(),
      VENUE_NOW: "2026-11-21T18:30:00Z",
      VENUE_BASE_URL: `${origin}/v5`,
      VENUE_STATUS_URL: origin,
      VENUE_CLIENT_ID: "client",
      VENUE_CLIENT_SECRET: "secret",
    },
    workingFolder: tmpdir(),
  });
});

afterAll(async () => {
  await server.close();
  service.close();
  expect(requests).toBe(0);
  expect(server.stderr()).toBe("");
});

it("offers six read-only tools with input and output schemas", async () => {
  const { tools } = await server.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "overview",
    "list_reports",
    "report",
    "explain_cell",
    "query",
    "dictionary",
  ]);
  for (const { annotations, inputSchema, outputSchema } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(inputSchema.additionalProperties).toBe(false);
    expect(outputSchema?.required).toEqual(
      expect.arrayContaining(["version", "data_as_of", "age_hours", "coverage", "page"]),
    );
  }
  const words = Object.keys(tools.find(({ name }) => name === "report")?.inputSchema.properties ?? {});
  expect(words).toEqual(expect.arrayContaining(["report", ...reportWords]));
});

const cell = { campaign: "Late Night", zone: 81007, date: "2026-11-03" };

it.each([
  ["overview", {}, "/?as-of=v000001"],
  ["list_reports", {}, "/?as-of=v000001"],
  [
    "report",
    { report: "uptime", by: ["zone"], zone: 81007 },
    "/uptime?by=zone&from=2026-10-24&to=2026-11-20&zone=81007&as-of=v000001",
  ],
  ["explain_cell", cell, "/cell?zone=81007&kind=signage&campaign=13&as-of=v000001&date=2026-11-03"],
  ["query", { sql: "select count(*) as plays from fact_play" }, "/?as-of=v000001"],
  ["dictionary", { word: "plays" }, "/?as-of=v000001"],
])("%s states version, age, coverage and page", async (name, words, page) => {
  const { isError, text, content } = await server.call(name, words);
  expect([isError, text]).toEqual([false, expect.stringContaining(`Page: ${page}`)]);
  expect(content).toMatchObject({
    version: "v000001",
    data_as_of: "2026-11-21T12:00:00Z",
    age_hours: 6,
    coverage: expect.stringContaining("complete to 2026-11-20"),
    page,
  });
  expect(text).toContain("Data as of 2026-11-21T12:00:00Z (6 hours old), version v000001.");
  expect(text).toContain(`Coverage: ${content.coverage}`);
});

it("report returns the answer, the main figures, definitions and only the requested columns", async () => {
  const { text, content } = await server.call("report", {
    report: "compliance",
    by: "campaign",
    campaign: 13,
    columns: "campaign_name,compliance",
  });
  expect(content.rows).toEqual([["Late Night", expect.closeTo(75 / 96, 5)]]);
  expect(content.columns[1]).toMatchObject({
    name: "compliance",
    label: "Compliance",
    type: "share",
    definition: expect.stringMatching(/^Days that ran ÷/),
  });
  expect(content.figures[0]).toMatchObject({ name: "compliance", value: "78.1 %" });
  expect(content.answer).toContain("78.1 %");
  expect(text).toContain(content.answer);
  expect(text).toContain("- compliance (Compliance): Days that ran ÷");
});

it("explain_cell finds the state and its evidence", async () => {
  const { content } = await server.call("explain_cell", cell);
  expect(content.title).toBe("Explanation: missed");
  expect(content.rows.map(([section]: string[]) => section)).toEqual(
    expect.arrayContaining(["cell", "listing", "rule", "assets", "states"]),
  );
});

it("overview returns the status of each question, its rule and its page", async () => {
  const { content } = await server.call("overview");
  expect(content.answers).toHaveLength(5);
  expect(content.answers[1]).toMatchObject({
    question: "Did campaigns run?",
    status: "needs attention",
    page: "/compliance?by=campaign&from=2026-10-24&to=2026-11-20&as-of=v000001",
  });
  expect(content.answers[1].rule).toMatch(/^Good: /);
  expect(content.worst.map(({ text }: { text: string }) => text).join(" ")).toMatch(
    /^Pico Deli has been down .*Late Night/,
  );
});

it("list_reports lists our reports, the user's, and attributes", async () => {
  const { content } = await server.call("list_reports");
  expect(content.reports.map(({ name }: { name: string }) => name)).toEqual([
    ...reportNames,
    "repeated-songs",
  ]);
  expect(content.reports[1]).toMatchObject({
    name: "compliance",
    states: expect.arrayContaining(["missed"]),
  });
  const attributes = content.attributes.map(
    ({ subject, name }: { subject: string; name: string }) => `${subject} ${name}`,
  );
  expect(attributes).toEqual(["zone brand", "zone manager", "zone region", "campaign advertiser"]);
  const own = await server.call("report", { report: "repeated-songs", zone: 81009, limit: 1 });
  expect(own.content.columns.map(({ name }: { name: string }) => name)).toContain("repeats");
});

it("dictionary lists tables, a table's columns with types, and the meanings of a figure", async () => {
  const all = (await server.call("dictionary")).content;
  expect(all.tables.length).toBeGreaterThan(40);
  const { tables } = (await server.call("dictionary", { word: "dim_zone_attribute" })).content;
  expect(tables[0].columns.map(({ name, type }: Record<string, string>) => `${name} ${type}`)).toEqual([
    "zone_id BIGINT",
    "brand VARCHAR",
    "manager VARCHAR",
    "region VARCHAR",
  ]);
  const { figures } = (await server.call("dictionary", { word: "Availability" })).content;
  const availability = { label: "Availability", in: expect.arrayContaining(["report uptime"]) };
  expect(figures).toContainEqual(expect.objectContaining(availability));
});

it.each([
  ["an unknown report", "report", { report: "play" }, /^report does not take "play"\. Did you mean plays\?/],
  [
    "an unknown name",
    "report",
    { report: "plays", zone: "Bar" },
    /^No zone is called "Bar"\. Did you mean 81003 \(Fulton Bar\)/,
  ],
  [
    "a name like no other",
    "report",
    { report: "plays", zone: "xyzzy" },
    /To list them, call report with report "plays" and by "zone"\.$/,
  ],
  [
    "an unknown word of by",
    "report",
    { report: "uptime", by: "item" },
    /^by does not take "item"\. It takes device, zone/,
  ],
  ["a misspelled word", "report", { report: "plays", zones: "1" }, /Unrecognized key: "zones"/],
  [
    "a word of another report",
    "report",
    { report: "plays", device: 1 },
    /^The plays report does not take device\./,
  ],
  [
    "an unknown column",
    "report",
    { report: "plays", columns: "play" },
    /^columns does not take "play"\. Did you mean plays\?/,
  ],
  ["several zones", "explain_cell", { ...cell, zone: "81007,81008" }, /^explain_cell takes one zone\./],
  [
    "no such day",
    "explain_cell",
    { ...cell, date: "2026-02-30" },
    /^date \(2026-02-30\) is not a valid date\./,
  ],
  ["an unknown table", "query", { sql: "select * from dim_zones" }, /Did you mean dim_zone\?/],
  ["an unknown figure", "dictionary", { word: "availabilty" }, /Did you mean availability\?/],
  ["an unknown version", "overview", { as_of: "v000009" }, /"v000009".* v000001\.$/],
])("%s is answered with what to choose", async (_label, name, words, message) => {
  const { isError, text, content } = await server.call(name, words);
  expect([isError, text, content]).toEqual([true, expect.stringMatching(message), undefined]);
});

it("query can neither write nor read anything else", async () => {
  const file = join(tmpdir(), `venue-analytics-mcp-${process.pid}.csv`);
  for (const sql of [
    `copy dim_zone to '${file}'`,
    "create table t as select 1",
    "insert into dim_zone select * from dim_zone",
    "drop view dim_zone",
    "attach 'x.db'",
    "set memory_limit = '10GB'",
    "install httpfs",
    "select 1; select 2",
    "select * from read_csv('/etc/passwd')",
    "select * from '/etc/passwd'",
    "select * from read_text('/etc/passwd')",
    "select * from duckdb_settings()",
  ])
    expect(await server.call("query", { sql }), sql).toMatchObject({ isError: true });
  expect(existsSync(file)).toBe(false);
});

it("limits the length of an answer; the rest follows on further pages", async () => {
  const words = { report: "plays", by: "zone,date" };
  const first = await server.call("report", words);
  expect(first.content.rows).toHaveLength(100);
  expect(first.content).toMatchObject({ rows_left_is_minimum: false, next_offset: 100 });
  expect(first.text).toContain(`${first.content.rows_left} more rows follow: choose fewer`);
  expect(first.text).toContain('continue with offset 100 and as_of "v000001".');
  const all = await readAllRows(server.call, "report", words);
  expect(all).toHaveLength(100 + first.content.rows_left);
  expect(new Set(all.map(({ zone_id, date }) => `${zone_id} ${date}`)).size).toBe(all.length);

  const long = { sql: "select n, repeat('x', 3000) as text from range(150) as t (n) order by n" };
  const { content } = await server.call("query", { ...long, limit: 1000 });
  expect(content.rows.length + content.rows_left).toBe(150);
  expect(JSON.stringify(content).length).toBeLessThan(110_000);
  expect(content.rows[0][1]).toBe(`${"x".repeat(2000)}…`);
  expect((await readAllRows(server.call, "query", long)).map(({ n }) => n)).toEqual([...Array(150).keys()]);

  const many = await server.call("query", { sql: "select * from fact_play", limit: 1 });
  expect(many.content).toMatchObject({ rows_left: 100_000, rows_left_is_minimum: true });
});

it("values that JSON can't represent stay exact as text, or become null", async () => {
  const sql =
    "select 9223372036854775807 as big, 9007199254740991 as safe, 'nan'::double as none, true as yes";
  expect((await server.call("query", { sql })).content.rows).toEqual([
    ["9223372036854775807", 9_007_199_254_740_991, null, true],
  ]);
});
