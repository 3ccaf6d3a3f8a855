import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openListener } from "../../src/util/open-listener.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { ask, type Served, serveForTest, startServer } from "./served.ts";

let server: Served;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
});

const hostOf = () => new URL(server.origin).host;
const portOf = () => new URL(server.origin).port;

describe("a request for another host is refused", () => {
  it.each([
    ["a foreign name", () => "venue.example"],
    ["a foreign name with the port", () => `venue.example:${portOf()}`],
    ["a name that starts like ours", () => `localhost.venue.example:${portOf()}`],
    ["another port", () => "127.0.0.1:1"],
    ["no port", () => "127.0.0.1"],
    ["a foreign name with its own port", () => "venue.example:80"],
  ])("%s", async (_label, host) => {
    const { status, text } = await ask(server.origin, "/plays", { headers: { Host: host() } });
    expect(status).toBe(421);
    expect(text).not.toContain("Plays by");
  });

  it.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])("%s is accepted", async (name) => {
    const headers = { Host: `${name}:${portOf()}` };
    expect((await ask(server.origin, "/", { headers })).status).toBe(200);
  });
});

it("behind a proxy that keeps the Host header, the host of VENUE_PUBLIC_URL is accepted", async () => {
  const folder = createTempFolder();
  const token = "0123456789abcdef";
  writeFileSync(join(folder, "token"), token);
  const served = await serveForTest({
    ...{ publicUrl: "https://Venue.example.com:8443/" },
    ...{ withoutToken: false, tokenFile: join(folder, "token") },
  });
  const { hostname, port } = new URL(served.origin);
  const proxy = await openListener(
    ({ method, url, headers }, response) => {
      request({ hostname, port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }).end();
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(async () => await proxy.close());
  const get = (path: string, Host: string) =>
    ask(proxy.origin, path, { headers: { Host, Authorization: `Bearer ${token}` } });
  const page = await get("/plays?by=zone", "venue.example.com:8443");
  expect([page.status, page.text.includes("Plays by zone")]).toEqual([200, true]);
  const redirect = await get("/plays?by=zone&zone=", "venue.example.com");
  expect([redirect.status, redirect.headers.location]).toEqual([302, "/plays?by=zone"]);
  expect((await get("/plays?by=zone", "other.example.com:8443")).status).toBe(421);
});

it.each([
  "/../",
  "/../../etc/passwd",
  "/plays/../quality",
  "/%2e%2e/etc/passwd",
  "/plays%00",
  "/%70lays",
  "//venue.example/plays",
  "/plays//",
  "/plays\\..\\quality",
  "/PLAYS",
  "http://venue.example/plays",
])("refuses the path %s with 400", async (path) => {
  const { status } = await ask(server.origin, path, { headers: { Host: hostOf() } });
  expect(status).toBe(400);
});

it.each(["/nothing", "/plays.exe", "/constructor", "/toString", "/plays.constructor"])(
  "returns 404 for %s",
  async (path) => {
    const { status } = await ask(server.origin, path);
    expect([400, 404]).toContain(status);
  },
);

const long = "7".repeat(10_000);
const sql = encodeURIComponent("1) or 1=1; drop table fact_play; --");
const words = [
  "by",
  "from",
  "to",
  "compare",
  "compare-from",
  "group",
  "location",
  "zone",
  "kind",
  "campaign",
  "only",
  "top",
  "sort",
  "as-of",
];

describe.each(words)("the parameter %s", (word) => {
  it.each([
    ["10,000 characters", long],
    ["SQL", sql],
    ["a quote", encodeURIComponent("'")],
    ["markup", encodeURIComponent("<script>document.title='harmed'</script>")],
    ["a control character", "%00"],
    ["another parameter's name", "__proto__"],
  ])("refuses %s with 400", async (_label, value) => {
    const { status, text } = await ask(server.origin, `/compliance?${word}=${value}`);
    expect(status).toBe(400);
    expect(text).not.toContain("<script>document");
    expect(text.length).toBeLessThan(40_000);
  });
});

it.each([
  ["/plays?zones=1", "zones"],
  ["/plays?__proto__=1", "__proto__"],
  ["/cell?campaign=1", "This page needs Date"],
  ["/cell?campaign=1&zone=1&date=2026-13-01", "2026-13-01"],
  ["/cell?campaign=2,8&zone=1&date=2026-11-01", "There is no zone 1"],
  ["/plays?from=2026-11-01&from=2026-11-02", "from"],
  ["/plays?campaign=7", "The plays report does not take Campaign."],
  ["/single-plays?item=99999999", "There is no item 99999999"],
  ["/?zone=1", "zone"],
])("%s: 400, and the page names %s", async (path, named) => {
  const { status, text } = await ask(server.origin, path);
  expect(status).toBe(400);
  expect(text).toContain(named);
});

it.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])("does not accept %s", async (method) => {
  const { status, headers } = await ask(server.origin, "/plays", { method });
  expect(status).toBe(405);
  expect(headers.allow).toBe("GET, HEAD");
});

it("other sites may link to pages, but not load them", async () => {
  const from = (site: string, mode: string) => ({ "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode });
  const statusOf = async (site: string, mode: string) =>
    (await ask(server.origin, "/quality", { headers: from(site, mode) })).status;
  expect(await statusOf("cross-site", "no-cors")).toBe(403);
  expect(await statusOf("cross-site", "cors")).toBe(403);
  expect(await statusOf("same-site", "no-cors")).toBe(403);
  expect(await statusOf("cross-site", "navigate")).toBe(200);
  expect(await statusOf("none", "navigate")).toBe(200);
});

it.each(["/", "/plays", "/cell?campaign=7", "/nothing"])(
  "%s: nothing may be loaded, framed or read from other sites",
  async (path) => {
    const { headers } = await ask(server.origin, path, { headers: { Origin: "https://venue.example" } });
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(Object.keys(headers).filter((name) => /^access-control-|^set-cookie$/.test(name))).toEqual([]);
  },
);
