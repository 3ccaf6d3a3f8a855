import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashToken } from "../../../src/serve/shares/add-share.ts";
import { sharedViews } from "../../../src/serve/shares/shared-views.ts";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { itEachSampled, share as sizeOf } from "../../support/long-suite.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { runVenue } from "../../support/run-venue.ts";
import { createTempFolder, tempPrefix } from "../../support/temp-folder.ts";
import { formOf, linksOf, type Served, serveForTest, startServer } from "../served.ts";
import { acmeBooking, acmeSince, acmeUntil, days, publishWorld, strangers } from "./shares-world.ts";

const operator = "operator-token-0123456789";
const acme = "acme-token-0123456789";
/** No campaign has its attribute. */
const nobody = "nobody-token-0123456789";
let time = new Date("2026-11-21T12:00:00Z");
const now = () => time;
const folders: string[] = [];
let servers: Served[];

beforeAll(async () => {
  servers = [];
  for (const others of strangers) {
    const dataFolder = mkdtempSync(join(tmpdir(), tempPrefix));
    folders.push(dataFolder);
    await publishWorld(dataFolder, others);
    const state = openDataState(join(dataFolder, "state.db"));
    state.shares.add({
      name: "acme",
      tokenSha256: hashToken(acme),
      attributes: [{ name: "advertiser", values: ["Acme", "No longer used"] }],
      views: sharedViews,
      createdAt: now().toISOString(),
      expiresOn: "2026-11-21",
    });
    state.shares.add({
      name: "nobody",
      tokenSha256: hashToken(nobody),
      attributes: [{ name: "advertiser", values: ["No longer used"] }],
      views: sharedViews,
      createdAt: now().toISOString(),
      expiresOn: null,
    });
    state.close();
    writeFileSync(join(dataFolder, "token"), operator);
    servers.push(
      await startServer({ dataFolder, now, withoutToken: false, tokenFile: join(dataFolder, "token") }),
    );
  }
});
afterAll(async () => {
  for (const server of servers) await server.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

interface Answer {
  status: number;
  location: string;
  body: Buffer;
}

/** Retries while the server is too busy to answer in time. */
async function get(server: Served | undefined, path: string, token: string): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    const answer = await ask(server, path, token).catch((error: unknown) => {
      if (attempts >= 5) throw error;
    });
    if (answer !== undefined && (answer.status !== 503 || attempts >= 5)) return answer;
  }
}

async function ask(server: Served | undefined, path: string, token: string): Promise<Answer> {
  const { hostname, port } = new URL(server?.origin ?? "");
  const headers = { Authorization: `Bearer ${token}` };
  return await new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location ?? "",
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** Compares answers, except for the times of files in a workbook. */
function isSame(one: Answer, other: Answer): boolean {
  const bytesOf = ({ body }: Answer) => body.toString("latin1").replaceAll(/PK\W\W.{12}|UT\W\W.{5}/gs, "");
  return one.status === other.status && one.location === other.location && bytesOf(one) === bytesOf(other);
}

const [[first, second]] = strangers as [(typeof strangers)[number]];
/** Ids of the other customers, also as keys of campaigns and items. */
const strangerIds = [first, second].flatMap(({ base }) =>
  Array.from({ length: 15 }, (_, index) => [base + index, (base + index) * 4 + 1]).flat(),
);
const secret = new RegExp([first.word, second.word, ...strangerIds].join("|"), "i");

/**
 * Requests a path with Acme's token. The answer must equal that of the other world, which differs only in the other
 * customers. It must not contain their words unless the path does; refused paths without them are only searched.
 */
async function askAsAcme(path: string): Promise<Answer & { leaks: boolean }> {
  const answer = await get(servers[0], path, acme);
  const isTyped = secret.test(decodeURIComponent(path.replaceAll("+", " ")));
  const shows = !isTyped && secret.test(answer.body.toString("latin1"));
  if (shows || (answer.status !== 200 && !isTyped)) return { ...answer, leaks: shows };
  return { ...answer, leaks: !isSame(answer, await get(servers[1], path, acme)) };
}

it("no linked page, form or download depends on other customers", async () => {
  const waiting = ["/"];
  const known = new Set(waiting);
  const leaks: string[] = [];
  const broken: [string, number][] = [];
  for (const [index, path] of waiting.entries()) {
    if (index >= sizeOf(6, 400, 4_000)) break;
    const { status, location, body, leaks: isLeaking } = await askAsAcme(path);
    const text = body.toString("latin1");
    if (isLeaking) leaks.push(path);
    if (status !== 200 && status !== 302) broken.push([path, status]);
    if (/^\/[a-z-]+\./.test(path)) continue;
    for (const next of [location, ...linksOf(text), ...formOf(text)]) {
      const shape = next.replaceAll(/\d{4}-\d\d-\d\d|sort=-?\w+/g, "");
      if (next === "" || known.has(shape)) continue;
      known.add(shape);
      waiting.push(next);
    }
  }
  expect(leaks).toEqual([]);
  expect(broken).toEqual([]);
});

it("the operator sees the other customers at the same addresses", async () => {
  for (const view of sharedViews) {
    const word = view === "proof" ? `where=advertiser=${first.word}` : "by=campaign";
    const { body } = await get(servers[0], `/${view}?${word}`, operator);
    expect(body.toString(), view).toMatch(secret);
  }
});

it("every other page has the same answer, whether it exists or not", async () => {
  const paths = [
    "/nothing",
    "/metrics",
    "/devices",
    "/quality.csv",
    "/loads",
    "/rejects?load=620013",
    "/sql",
    "/query",
    "/compliance.sql",
    "/plays.exe",
    "/cell.sql",
  ];
  const answers = await Promise.all(paths.map((path) => get(servers[0], path, acme)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  expect(new Set(answers.map(({ body }) => body.toString())).size).toBe(1);
});

it("has no plays by campaign attribute, which need the plays of all campaigns", async () => {
  expect((await get(servers[0], "/plays?by=advertiser", operator)).status).toBe(200);
  const { status, body } = await get(servers[0], "/plays?by=advertiser", acme);
  expect([status, body.toString()]).toEqual([
    400,
    expect.stringContaining("advertiser belongs to campaigns"),
  ]);
  expect((await get(servers[0], "/plays", acme)).body.toString()).not.toContain(
    'name="by" value="advertiser"',
  );
});

const period = `from=${days[0]}&to=${days.at(-1)}`;
it.each([
  [`compliance.csv?by=campaign,zone,date&${period}`, "where=advertiser=Acme"],
  [`compliance.csv?by=group,week&${period}`, "where=advertiser=Acme"],
  [`plays.csv?by=campaign,zone,date&${period}`, "where=advertiser=Acme"],
  [`single-plays.csv?campaign=101&${period}`, ""],
  ["schedule.csv?by=campaign,zone", "campaign=101,102,103"],
  ["delivery.csv?campaign=101,102", ""],
])("the figures of %s are the operator's", async (path, filter) => {
  const [ours, theirs] = await Promise.all([
    get(servers[0], `/${path}`, acme),
    get(servers[0], `/${path}&${filter}`, operator),
  ]);
  const figures = theirs.body.toString().replaceAll("Betazorb renamed", "Campaign 104 & <own>");
  expect([ours.status, ours.body.toString()]).toEqual([200, figures]);
  expect(ours.body.toString().trim().split("\n").length).toBeGreaterThan(2);
});

it("a customer's proof has the same rows as the operator's", async () => {
  const rowsOf = ({ body }: Answer) =>
    body.toString().match(/<a download="proof-(campaigns|details|venues|days|plays)\.csv"[^>]*>/g);
  // Without 104, whose name is not the operator's.
  const path = `/proof.html?${period}&campaign=101,102,103`;
  const ours = rowsOf(await get(servers[0], path, acme));
  expect(ours).toHaveLength(5);
  expect(ours).toEqual(rowsOf(await get(servers[0], `${path}&where=advertiser=Acme`, operator)));
  expect(ours).not.toEqual(rowsOf(await get(servers[0], `${path}&where=advertiser=Betazorb`, operator)));
});

it("a token opens a campaign's days only while the campaign has the attribute", async () => {
  const { body } = await get(servers[0], `/compliance.csv?by=campaign,date&${period}`, acme);
  const datesOf = (id: number) =>
    body
      .toString()
      .split("\n")
      .map((line) => line.split(","))
      .filter((cells) => cells.includes(String(id)))
      .map((cells) => cells.find((cell) => /^2026-/.test(cell)))
      .sort();
  expect([datesOf(103)[0], datesOf(103).at(-1)]).toEqual([acmeSince, days.at(-1)]);
  expect([datesOf(104)[0], datesOf(104).at(-1)]).toEqual([days[0], acmeUntil]);
});

it("a token opens a booking only if the campaign has the attribute on all its days", async () => {
  const path = `/delivery.csv?campaign=101,102,103,104`;
  const [ours, theirs] = await Promise.all([get(servers[0], path, acme), get(servers[0], path, operator)]);
  const [head, ...lines] = theirs.body.toString().split("\n");
  const within = lines.filter((line) => !/,10[34],/.test(line) || line.includes(acmeBooking.from));
  expect(within.length).toBeLessThan(lines.length);
  expect(within.filter((line) => line.includes(`,${acmeBooking.from},${acmeBooking.to},`))).toHaveLength(1);
  expect(ours.body.toString().split("\n")).toEqual([head, ...within]);
});

it("in the explanation of a day, other customers' campaigns are called another campaign", async () => {
  const path = "/cell?kind=signage&campaign=101&zone=12&date=2026-11-12";
  const [ours, theirs] = await Promise.all([get(servers[0], path, acme), get(servers[0], path, operator)]);
  expect(theirs.body.toString()).toContain("Betazorb campaign");
  expect(ours.body.toString()).toContain("another campaign");
  expect((await askAsAcme(path)).leaks).toBe(false);
});

it.each(sharedViews)("without campaigns, %s is empty and has no advice for the operator", async (view) => {
  const { status, body } = await get(servers[0], `/${view}`, nobody);
  expect([status, body.toString().match(/venue runs?|reference\/\w+/)]).toEqual([200, null]);
});

it("a proof of one kind contains the token's campaigns of this kind", async () => {
  const { status, body } = await get(servers[0], "/proof?kind=messaging", acme);
  expect(status).toBe(200);
  expect(body.toString()).toMatch(/class="headline">Campaign 102 [^.]* was scheduled/);
});

itEachSampled(
  [
    [103, "2026-11-03"],
    [104, "2026-11-12"],
  ],
  1,
)(
  "the explanation of campaign %s on %s, when it was somebody else's, shows nothing of it",
  async ([id, date]) => {
    const path = `/cell.csv?kind=signage&campaign=${id}&zone=12&date=${date}`;
    const [ours, theirs] = await Promise.all([askAsAcme(path), get(servers[0], path, operator)]);
    expect(theirs.body.toString()).toContain("Status of Betazorb");
    expect(ours.leaks).toBe(false);
    expect(ours.body.toString()).not.toMatch(/scheduled for this day|^claimants|^plays/m);
    const claims = await get(servers[0], path.replace(String(id), id === 104 ? "101" : "104"), acme);
    expect(claims.body.toString()).not.toContain(`campaign ${id}`);
  },
);

/** Arguments of pages, arguments that no page accepts, and values of all kinds for each of them. */
const words = [
  "by",
  "from",
  "to",
  "period",
  "compare",
  "compare-from",
  "group",
  "location",
  "zone",
  "kind",
  "campaign",
  "where",
  "item",
  "artist",
  "device",
  "load",
  "only",
  "top",
  "per",
  "sort",
  "search",
  "as-of",
  "date",
  "attr.advertiser",
  "attr.region",
  "format",
  "token",
];
/** Values that pages accept, so that some requests have rows. */
const takenValues: Readonly<Record<string, readonly string[]>> = {
  by: ["campaign", "zone", "date", "campaign,zone", "location,week", "item"],
  from: ["2026-11-03", "7d", "2026-11"],
  to: ["2026-11-20", "2026-11-12"],
  compare: ["before"],
  group: ["1", "Everywhere"],
  location: ["21", "Location Gym", "Bar City"],
  zone: ["11", "Zone Gym"],
  kind: ["signage", "messaging"],
  campaign: ["101", "103", "Campaign 104 & <own>"],
  where: ["advertiser=Acme", "region=North"],
  item: ["201", "202"],
  search: ["Zone", "Beta", "62"],
  "as-of": ["v000001", "v000002"],
  date: ["2026-11-12"],
  "attr.region": ["South"],
};
const ownValues = [
  "101",
  "102",
  "103",
  "11",
  "12",
  "21",
  "1",
  "201",
  "202",
  "Zone Bar",
  "Campaign 101 & <own>",
  "Acme",
  "Everywhere",
  "advertiser=Acme",
  "region=North",
  "campaign,zone",
  "date",
  "signage",
  "2026-11-12",
  "28d",
  "before",
  "missed",
  "-plays",
  "v000001",
];
const otherValues = [
  ...strangerIds.map(String),
  ...["campaign", "asset", "song", "artist", "group", "notice"].map((noun) => `${first.word} ${noun}`),
  `Zone ${first.word}`,
  `Location ${second.word}`,
  `${first.word} City`,
  first.word,
  second.word,
  first.word.slice(0, -1),
  `${second.word.slice(0, 5)}`,
  `${first.base}`.slice(0, 4),
  `advertiser=${first.word}`,
  `region=${second.word}`,
  `format=Format of ${first.word} asset`,
  `101,${first.base + 7}`,
  `advertiser=Acme,${first.word}`,
  `advertiser=Acme;manager=Manager of ${first.word}`,
];
const oddValues = [
  "",
  "0",
  "-1",
  "99999999999999999999",
  "(none)",
  "'; drop table dim_zone; --",
  "1) or (1=1",
  "%",
  "_",
  "\u0000",
  "v000009",
  "2020-01-01",
  "9999-12-31",
  "x".repeat(300),
  "region",
  "advertiser",
  "manager",
  "<script>",
];

function drawRequest(draw: (n: number) => number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;
  const others = [
    "uptime",
    "outages",
    "devices",
    "quality",
    "silences",
    "loads",
    "rejects",
    "metrics",
    "sql",
    "nothing",
    first.word.toLowerCase(),
  ];
  const view = draw(4) === 0 ? pick(others) : pick([...sharedViews, "cell"]);
  const extension =
    draw(5) === 0 ? `.${pick(["csv", "xlsx", "json", "parquet", "arrow", "md", "html", "sql"])}` : "";
  const given = Array.from({ length: 1 + draw(3) }, () => {
    const word = pick(words);
    const values = pick([otherValues, otherValues, ownValues, oddValues, takenValues[word] ?? otherValues]);
    return `${encodeURIComponent(word)}=${encodeURIComponent(pick(values))}`;
  });
  return `/${view}${extension}?${given.join("&")}`;
}

it(
  "random requests show nothing of other customers",
  async () => {
    const draw = randomNumbers(53);
    const leaks: string[] = [];
    const readers = Array.from({ length: 4 }, async () => {
      while (left-- > 0) {
        const path = drawRequest(draw);
        if ((await askAsAcme(path)).leaks) leaks.push(path);
      }
    });
    await Promise.all(readers);
    expect(leaks).toEqual([]);
  },
  sizeOf(60_000, 3_600_000, 24 * 3_600_000),
);
let left = sizeOf(40, 100_000, 100_000);

it("--kind is rejected with --where, whose campaigns it does not limit", async () => {
  const words = [
    "token",
    "add",
    "signage",
    "--where",
    "advertiser=Acme",
    "--kind",
    "signage",
    "--views",
    "plays",
  ];
  const [workingFolder = ""] = folders;
  const environment = { VENUE_DATA_DIR: workingFolder };
  const { code, stderr } = await runVenue(["serve", ...words], { environment, workingFolder });
  expect(code).toBe(2);
  expect(stderr).toContain("--kind");
});

it("a token is valid until it expires or is removed, and its requests are recorded without it", async () => {
  const [server] = servers;
  const [folder = ""] = folders;
  const statusOf = async (token: string) => (await get(server, "/compliance?by=zone", token)).status;
  expect([await statusOf(acme), await statusOf(`${acme}0`)]).toEqual([200, 401]);
  time = new Date("2026-11-22T00:00:00Z");
  expect(await statusOf(acme)).toBe(401);
  time = new Date("2026-11-21T23:59:59Z");
  expect(await statusOf(acme)).toBe(200);
  const environment = { VENUE_DATA_DIR: folder };
  const venue = async (...words: string[]) =>
    await runVenue(["serve", ...words], { environment, workingFolder: folder });
  expect((await venue("token", "remove", "acme")).code).toBe(0);
  expect([await statusOf(acme), await statusOf(operator)]).toEqual([401, 200]);
  const { stdout } = await venue("log", "--share", "acme", "--limit", "1");
  expect(stdout).toBe("2026-11-21T23:59:59.000Z  acme  200  /compliance?by=zone\n");
  const unknown = await venue("log", "--share", "acmee");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('No token is called "acmee"')]);
  expect(readFileSync(join(folder, "shares.log"), "utf8")).not.toContain(acme);
  expect(statSync(join(folder, "shares.log")).mode & 0o777).toBe(0o600);
});

it("if the tokens can't be read, the operator still sees pages, and others do not see why", async () => {
  const [, folder = ""] = folders;
  for (const suffix of ["-wal", "-shm"]) rmSync(join(folder, `state.db${suffix}`), { force: true });
  writeFileSync(join(folder, "state.db"), "damaged");
  const answer = await ask(servers[1], "/plays?by=zone", acme);
  expect([answer.status, answer.body.toString().includes(folder)]).toEqual([503, false]);
  expect((await get(servers[1], "/plays?by=zone", operator)).status).toBe(200);
});

itEachSampled(
  [
    [
      "a damaged file",
      "/plays?by=zone",
      (folder) => writeFileSync(join(folder, "published", "v000002", "dim_zone.parquet"), "damaged"),
    ],
    ["nothing published", "/compliance?by=zone", (folder) => rmSync(join(folder, "published", "current"))],
    [
      "an outdated version",
      "/schedule?by=campaign",
      (folder) => {
        const manifest = join(folder, "published", "v000002", "manifest.json");
        writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"fact_rule_date"', '"fact_other"'));
      },
    ],
    [
      "an unusable letterhead",
      "/proof?campaign=101",
      (folder) => {
        mkdirSync(join(folder, "own", "brand"), { recursive: true });
        writeFileSync(join(folder, "own", "brand", "logo.svg"), "no logo");
      },
    ],
  ] as readonly [problem: string, path: string, cause: (dataFolder: string) => void][],
  1,
)(
  "%s: the operator sees the reason, and a customer only that the page is not available",
  async ([_problem, path, cause]) => {
    const dataFolder = createTempFolder();
    await publishWorld(dataFolder, [first, second]);
    const state = openDataState(join(dataFolder, "state.db"));
    state.shares.add({
      ...{ name: "acme", tokenSha256: hashToken(acme), attributes: [], campaigns: [405] },
      ...{ views: sharedViews, createdAt: now().toISOString(), expiresOn: null },
    });
    state.close();
    const tokenFile = join(dataFolder, "token");
    writeFileSync(tokenFile, operator);
    const server = await serveForTest({ dataFolder, now, withoutToken: false, tokenFile });
    cause(dataFolder);
    const theirs = await ask(server, path, operator);
    expect(theirs.body.toString()).toMatch(/venue build|venue run|own\/brand/);
    server.warnings.length = 0;
    const ours = await ask(server, path, acme);
    expect(ours.status).toBe(503);
    expect(ours.body.toString()).toContain("This page is not available now. Try again later.");
    expect(ours.body.toString()).not.toMatch(/venue (build|run|serve)|\/published|own\/|parquet/);
    expect(server.warnings.join()).toMatch(/venue build|venue run|own\/brand/);
  },
);
