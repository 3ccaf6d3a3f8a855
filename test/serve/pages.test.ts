import { afterAll, beforeAll, expect, it } from "vitest";
import { Settings } from "../../src/config/settings.ts";
import { itEachSampled, share } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { demoNow, shareDemo, shareDemoData } from "../support/shared-demo.ts";
import { ask, linksOf, type Served, serveForTest, startServer } from "./served.ts";

let server: Served;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
});

async function page(path: string): Promise<string> {
  const { status, text } = await ask(server.origin, path);
  expect([path, status]).toEqual([path, 200]);
  return text;
}

function textOf(markup: string): string {
  return markup
    .replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

it("availability has a target only if the settings name one", async () => {
  expect(textOf(await page("/uptime"))).not.toMatch(/target \d/);
  const dataFolder = await shareDemoData();
  const environment = { VENUE_DATA_DIR: dataFolder, VENUE_AVAILABILITY_TARGET: "0.9" };
  const strict = await serveForTest({
    settings: new Settings({ flags: {}, environment, workingFolder: dataFolder }),
  });
  expect(textOf((await ask(strict.origin, "/uptime")).text)).toMatch(/target 90\.0.%/);
});

it("the overview answers each question with a status, folds the rules, and adds stores and the worst findings", async () => {
  const text = await page("/");
  const shown = textOf(text);
  expect(shown).toMatch(/Overview 4 of 5 questions need attention\. /);
  const [, headline] = /<p class="headline">([^<]+)/.exec(await page("/stores")) ?? [];
  expect(text).toMatch(/<a href="\/stores\?[^"]*">Stores<\/a>: Of 9 locations/);
  expect(text).toContain(`Stores</a>: ${headline}`);
  const [, rules = ""] = /<details class="rules">([\s\S]*?)<\/details>/.exec(text) ?? [];
  expect(rules.match(/Good: /g)).toHaveLength(5);
  for (const question of [
    "What played?",
    "Did campaigns run?",
    "Were devices up?",
    "Can the figures be trusted?",
  ])
    expect(shown).toContain(question);
  expect(shown.match(/(good|needs attention|bad) (What|Did|Were|Which|Can)/g)).toHaveLength(5);
  // Two devices had a storage error, weeks ago.
  expect(shown).toMatch(
    /bad Which devices need attention\? .*1 of 12 devices is down; none had a storage error in the last 7 days\./,
  );
  expect(shown).toMatch(/ of monitored time \(\d of 28 days\); 1 outage of 15 minutes or more began\. /);
  const [, worst = ""] = /<ol class="worst">([\s\S]*?)<\/ol>/.exec(text) ?? [];
  expect(worst.match(/<li><a href="\/[a-z]+\?[^"]+">/g)).toHaveLength(3);
  expect(textOf(worst)).toContain("Late Night (signage) missed");
  expect(shown).toMatch(
    /Data freshness by source Source Oldest response in use Sources History, exports 21 November 2026, 12:00 UTC 6 Assets 21 November 2026, 12:00 UTC \d+ Campaigns 21 November 2026, 12:00 UTC \d+ Service components/,
  );
  expect(shown).toMatch(/Recent runs demo , .*: succeeded\. .*Published v000001 \(0 files unchanged\)\./);
});

it("a map's symbols lead to their zones; the overview shows five trends", async () => {
  const { text: csv } = await ask(server.origin, "/plays.csv?by=date");
  const plays = csv
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => Number(line.split(",")[1]));
  const trends = (await page("/")).match(/<figure class="trend">.*?<\/figure>/g) ?? [];
  expect(trends).toHaveLength(5);
  const format = (count: number) => count.toLocaleString("en-US");
  expect(trends[0]).toContain(`<b>${format(Math.min(...plays))} to ${format(Math.max(...plays))}</b>`);
  for (const view of share(
    ["compliance"],
    ["compliance", "plays", "uptime"],
    ["compliance", "plays", "uptime"],
  )) {
    const [map = ""] = (await page(`/${view}`)).match(/Map of [\s\S]*?<div class="narrow">/) ?? [];
    const links = linksOf(map);
    expect([view, links.length]).toEqual([view, 5]);
    const berlin = links.find((link) => link.includes("location=4105,4106,4107")) ?? "";
    const [closer = ""] = (await page(berlin)).match(/Map of [\s\S]*?<div class="narrow">/) ?? [];
    expect(closer.match(/translate/g)).toHaveLength(3);
    for (const link of links) await page(link);
  }
});

itEachSampled(
  [
    ["/compliance?by=campaign&from=2026-11-01&to=2026-11-17", ["compliance", "--by", "campaign"]],
    [
      "/plays?by=zone,kind&from=2026-11-01&to=2026-11-17&kind=music",
      ["plays", "--by", "zone,kind", "--kind", "music"],
    ],
  ],
  1,
)("%s shows the rows of venue report, and downloads them as CSV", async ([path, args]) => {
  const { stdout } = await runVenue(
    ["report", ...args, "--from", "2026-11-01", "--to", "2026-11-17", "--format", "csv"],
    {
      environment: { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() },
      workingFolder: await shareDemo(),
    },
  );
  const csv = await ask(server.origin, path.replace("?", ".csv?"));
  expect(csv.text).toBe(stdout);
  expect(csv.headers["content-type"]).toBe("text/csv; charset=UTF-8");
  expect(csv.headers["content-disposition"]).toMatch(
    /^attachment; filename="[a-z]+-[a-z-]+-2026-11-01-2026-11-17\.csv"$/,
  );
  const rows = (await page(path)).match(/<table data-rows><caption[\s\S]*?<\/table>/)?.[0] ?? "";
  expect(rows.match(/<tr>/g)).toHaveLength(stdout.trimEnd().split("\r\n").length);
});

it("HEAD has the headers of GET for a file, and takes no download slot", async () => {
  const path = "/plays.csv?by=kind&from=2026-11-01&to=2026-11-07";
  const { date: _date, ...ofGet } = (await ask(server.origin, path)).headers;
  for (let times = 0; times < 5; times += 1) {
    const { status, headers, text } = await ask(server.origin, path, { method: "HEAD" });
    expect([status, text]).toEqual([200, ""]);
    expect(headers).toMatchObject({ "content-disposition": ofGet["content-disposition"] });
  }
  expect((await ask(server.origin, path)).status).toBe(200);
});

it("links lead from the campaigns to one missed campaign day and its explanation", async () => {
  const follow = async (text: string, pattern: RegExp) => {
    const found = pattern.exec(text)?.[1]?.replaceAll("&amp;", "&");
    expect(found, String(pattern)).toBeDefined();
    return await page(found ?? "");
  };
  const campaigns = await page("/compliance?by=campaign");
  const zones = await follow(campaigns, /<a href="([^"]*)">Late Night<\/a>/);
  expect(textOf(zones)).toContain("Compliance › Late Night".replace(" ›", ""));
  const days = await follow(zones, /<bdi><a href="([^"]*by=date[^"]*)">/);
  const cell = await follow(days, /<a href="(\/cell[^"]*)">2026-11-03<\/a>/);
  expect(textOf(cell)).toMatch(/Explanation: missed/);
  expect(textOf(cell)).toMatch(
    /Late Night in Kantstraße Markt, 3 November 2026 Missed: none of its assets played, although the zone was open and its device was not checked\. All 4 due times are outside the zone&#39;s opening hours \(07:00 to 22:00\)\./,
  );
  // The breadcrumbs lead back.
  const crumbs = /<nav class="crumbs"[\s\S]*?<\/nav>/.exec(cell)?.[0] ?? "";
  expect(linksOf(crumbs)).toHaveLength(3);
  for (const link of linksOf(crumbs)) {
    expect(link).toContain("from=2026-10-24&to=2026-11-20");
    await page(link);
  }
  // The zone's plays of that day, the asset's, and its devices.
  const rows = /<tbody>[\s\S]*?<\/tbody>/.exec(cell)?.[0] ?? "";
  expect(linksOf(rows).map((link) => link.replace(/&as-of=\w+/, ""))).toEqual([
    "/single-plays?from=2026-11-03&to=2026-11-03&zone=81007",
    "/devices?zone=81007",
    "/single-plays?from=2026-11-03&to=2026-11-03&zone=81007&kind=signage&item=16",
  ]);
  for (const link of linksOf(rows)) await page(link);
});

const cellPath = "campaign=13&zone=81007&date=2026-11-03";

it("the explanation of a campaign day can be downloaded, as from the command", async () => {
  const format = "csv";
  const text = await page(`/cell?${cellPath}&from=2026-11-01&to=2026-11-17`);
  const [, command = ""] = /<code>venue (report compliance --explain [^<]*)<\/code>/.exec(text) ?? [];
  const { stdout } = await runVenue([...command.split(" "), "--format", format], {
    environment: { VENUE_DATA_DIR: await shareDemoData() },
    workingFolder: await shareDemo(),
  });
  const href = linksOf(text).find((link) => link.startsWith(`/cell.${format}?`)) ?? "";
  const taken = await ask(server.origin, href);
  expect(taken.headers["content-disposition"]).toBe(
    `attachment; filename="cell-13-81007-2026-11-03.${format}"`,
  );
  expect(taken.text).toBe(stdout);
  expect(taken.text).toContain("yes, this applies");
});

it("plays are sorted by number of plays, and chronologically over time", async () => {
  const cellsOf = async (path: string, cell: RegExp) =>
    Array.from((await page(path)).matchAll(cell), ([, value = ""]) => value);
  const items = await cellsOf("/plays?by=item", /<td class="number lead" data-value="(\d+)">/g);
  expect(items.length).toBeGreaterThan(50);
  expect(items).toEqual(items.toSorted((a, b) => Number(b) - Number(a)));
  const days = await cellsOf("/plays?by=date", /<a href="[^"]*">(\d{4}-\d\d-\d\d)<\/a>/g);
  expect(days.length).toBeGreaterThan(20);
  expect(days).toEqual(days.toSorted());
});

it("headings sort all rows, largest first; search finds text in any column", async () => {
  const sorted = await ask(server.origin, "/plays.csv?by=zone&sort=-plays");
  const plays = sorted.text
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => Number(line.split(",")[2]));
  expect(plays.length).toBeGreaterThan(5);
  expect(plays).toEqual([...plays].sort((a, b) => b - a));
  const shown = await page("/plays?by=zone");
  expect(shown).toMatch(/<a href="[^"]*sort=-plays[^"]*">Plays<\/a>/);
  expect(await page("/plays?by=zone&sort=-plays")).toMatch(
    /aria-sort="descending"><a href="[^"]*sort=plays&/,
  );

  const found = await ask(server.origin, "/plays.csv?by=zone&search=FULTON");
  expect(found.text.match(/Fulton/g)).not.toBeNull();
  expect(
    found.text
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .every((line) => line.includes("Fulton")),
  ).toBe(true);
  expect(textOf(await page("/plays?by=zone&search=FULTON"))).toContain(
    'rows with "FULTON"'.replaceAll('"', "&quot;"),
  );
  const quoted = await ask(server.origin, "/plays.csv?by=zone&search=%27%29%20or%201%3D1%20--");
  expect(quoted.text.trimEnd().split("\r\n")).toHaveLength(1);
});

it("pages of a song and an artist have their names, and drill-downs by zone, item and artist", async () => {
  const dates = "from=2026-11-14&to=2026-11-20";
  const song = await page(`/single-plays?${dates}&kind=music&item=700001`);
  expect(song).toContain('<li aria-current="page">Lonely Highway 1 (Remastered)</li>');
  expect(song).toContain("<h1>Lonely Highway 1 (Remastered)</h1>");
  for (const title of ["Plays by zone", "Plays by artist"]) expect(song).toContain(`>${title}</h2>`);
  const hrefOf = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const href = hrefOf(song, /<a href="([^"]*)"[^>]*><text[^>]*>Alex Fitness</);
  expect(href).toMatch(/^\/single-plays\?.*zone=\d+.*item=700001/);
  expect(textOf(await page(href))).toMatch(/ 88 plays of 1 item in 1 zone /);
  const artist = await page(`/single-plays?${dates}&artist=5012`);
  expect(artist).toContain("<h1>The Velvet Tides</h1>");
  expect(artist).toContain(">Plays by item</h2>");
});

it("links lead from the quality report to the rejected lines of a load", async () => {
  const quality = await page("/quality");
  const follow = async (text: string, pattern: RegExp) =>
    await page(pattern.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "");
  const ofLoad = await follow(quality, /<a href="(\/rejects\?load=[^"]*)">load 6<\/a>/);
  expect(textOf(ofLoad)).toMatch(/Rejected lines \d+ lines were rejected; most common reason: the /);
  expect(textOf(await follow(ofLoad, /<a href="(\/loads\?load=6&amp;[^"]*)">6<\/a>/))).toMatch(
    / 1 load with /,
  );
  // The number links to exactly the lines that it counts, sorted by reason.
  const all = await follow(quality, /Rejected<\/span><span class="value"><a href="([^"]*)"/);
  expect(textOf(all)).toContain("69 rows");
  const [, sorts = ""] = /Reasons for rejection([\s\S]*?)<\/table>/.exec(all) ?? [];
  const counts = Array.from(sorts.matchAll(/<td class="number">(\d+)</g), ([, lines]) => Number(lines));
  expect(counts.reduce((sum, lines) => sum + lines, 0)).toBe(69);
  expect(textOf(sorts)).toContain("no_utc_offset 13 The start has no UTC offset.");
  expect(textOf(await follow(sorts, /<a href="([^"]*)">no_utc_offset</))).toContain("13 rows");
  // Also for a zone's quality: exports cover whole groups.
  const ofZone = await page("/quality?zone=81003");
  expect(textOf(ofZone)).toMatch(
    / 38 of [\d,]+ lines received so far could not be read.* Exports cover whole groups, /,
  );
  expect(textOf(await follow(ofZone, /Rejected<\/span><span class="value"><a href="([^"]*)"/))).toContain(
    "38 rows",
  );
  const [, reason = "", lines] =
    /<a href="([^"]*)">no_utc_offset<\/a><[^<]*<[^<]*<[^<]*<bdi>(\d+)</.exec(ofZone) ?? [];
  expect(textOf(await page(reason.replaceAll("&amp;", "&")))).toContain(`${lines} rows`);
  // Freshness of history links to loads.
  const fresh = linksOf(quality.slice(quality.indexOf("<tbody>"))).filter((link) =>
    link.startsWith("/loads?"),
  );
  expect(fresh).toHaveLength(6);
  expect(textOf(await page(fresh[0] ?? ""))).toContain(" 1 load with ");
  // A cell shows the end of a line too, not only its start.
  expect(textOf(all)).toMatch(
    /&quot;play_start&quot;:&quot;[\dT:-]+&quot;,&quot;asset_id&quot;:\d+,&quot;asset_name/,
  );
});

it("a device's page shows its states, outages, checks and plays on one time axis", async () => {
  const devices = await page("/devices");
  const href = /<a href="(\/uptime\?[^"]*device=[^"]*)">/.exec(devices)?.[1] ?? "";
  const device = await page(href.replaceAll("&amp;", "&"));
  expect(textOf(device)).toContain("Device uptime and plays of its zone");
  for (const line of ["state", "checked", "played"]) expect(device).toContain(`<title>${line}: `);
});

it("the bar offers only what a report accepts", async () => {
  expect(await page("/plays?by=campaign")).not.toContain('name="only"');
  expect(await page("/plays?by=zone")).toContain('name="only"');
  const repeats = await page("/repeats?within=30&by=zone");
  expect(repeats).toMatch(/name="within"[^>]*value="30"/);
  expect(repeats).toContain("repeats of ");
});

it("the bar offers states to limit devices to", async () => {
  const listed = async (words: string) =>
    Number(/data-status>(\d+) rows?/.exec(await page(`/devices?${words}`))?.[1] ?? 0);
  expect([await listed(""), await listed("only=up"), await listed("only=down,replaced")]).toEqual([
    12, 11, 1,
  ]);
  const markup = await page("/devices?only=up");
  expect(markup.match(/type="checkbox" name="only" value="(\w+)"( checked)?/g)).toEqual(
    ["down", "silent", "unknown", "up", "replaced"].map(
      (state) => `type="checkbox" name="only" value="${state}"${state === "up" ? " checked" : ""}`,
    ),
  );
  expect(textOf(markup)).toContain("only up devices");
  const { status, text } = await ask(server.origin, "/devices?only=missed");
  expect(status).toBe(400);
  expect(textOf(text)).toContain("It takes down, silent, unknown, up, replaced.");
});

it("venue query returns a view's rows for its SQL", async () => {
  const path = "by=zone&from=2026-11-01&to=2026-11-07&kind=music&sort=-plays";
  const sql = await ask(server.origin, `/plays.sql?${path}`);
  expect(sql.status).toBe(200);
  const { stdout, stderr, code } = await runVenue(
    ["query", `select zone_id, plays from (${sql.text}) as found`, "--format", "csv"],
    { environment: { VENUE_DATA_DIR: await shareDemoData() }, workingFolder: await shareDemo() },
  );
  expect(code, stderr).toBe(0);
  const rows = await ask(server.origin, `/plays.csv?${path}`);
  const shown = rows.text
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(","));
  const queried = stdout.trimEnd().split("\r\n").slice(1);
  expect(queried.sort()).toEqual(shown.map(([id, , plays]) => `${id},${plays}`).sort());
  expect((await ask(server.origin, "/quality.sql")).text).toContain("select");
});

it("the current version replaces one that is no longer available, with a note", async () => {
  const text = await page("/plays?by=zone&as-of=v000000");
  expect(textOf(text)).toContain("Version v000000 is no longer available. This page shows v000001.");
});

it("compares with the period chosen in the bar, and drill-downs keep the comparison", async () => {
  const path = "/plays?by=kind&from=2026-11-14&to=2026-11-20";
  const form = /<form class="bar"[\s\S]*?<\/form>/.exec(await page(path))?.[0] ?? "";
  expect(textOf(form)).toContain("Compare with none the previous period four weeks earlier another period");
  const compared = await page(`${path}&compare=before`);
  expect(compared).toContain('<option value="before" selected>');
  expect(textOf(compared)).toContain(
    "Change: 2026-11-14 to 2026-11-20, compared with the previous period, grouped by kind",
  );
  expect(textOf(compared)).toMatch(
    /Plays rose by 0\.3.%: 35,573 from 14 November to 20 November 2026 against 35,455 from 7 November to 13/,
  );
  expect(textOf(compared)).toContain(
    "venue report plays --by kind --from 2026-11-14 --to 2026-11-20 --compare before",
  );
  const href = /<a href="([^"]*)">music<\/a>/.exec(compared)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(href).toContain("compare=2026-11-07..2026-11-13");
  const zones = await page(href);
  expect(zones).toContain('<option value="2026-11-07..2026-11-13" selected>');
  // Breadcrumbs keep the period, and so does the download.
  const crumbs = /<nav class="crumbs"[\s\S]*?<\/nav>/.exec(zones)?.[0] ?? "";
  expect(linksOf(crumbs)[0]).toContain("compare=2026-11-07..2026-11-13");
  const csv = await ask(server.origin, `${path.replace("?", ".csv?")}&compare=before&sort=plays_change`);
  expect(csv.text.split("\r\n")[1]).toMatch(/^messaging,3324,3330,-6,/);
  expect(linksOf(zones).some((link) => /sort=-plays_change/.test(link))).toBe(true);
});

itEachSampled(
  [
    ["yesterday", "2026-11-20", "2026-11-20"],
    ["7d", "2026-11-14", "2026-11-20"],
    ["2026-10", "2026-10-01", "2026-10-31"],
  ],
  1,
)("a period in words replaces the dates of the form: %s", async ([words, from, to]) => {
  const sent = await ask(server.origin, `/plays?by=kind&from=2026-11-01&to=2026-11-02&period=${words}`);
  const address = words === "2026-10" ? `from=${from}&to=${to}` : `from=${words}`;
  expect([sent.status, sent.headers.location]).toEqual([302, `/plays?by=kind&${address}`]);
  const rows = async (path: string) => (await ask(server.origin, path)).text;
  expect(await rows(`/plays.csv?by=kind&from=${words}`)).toBe(
    await rows(`/plays.csv?by=kind&from=${from}&to=${to}`),
  );
  expect(await page(`/plays?by=kind&from=${words}`)).toContain(`name="from" value="${from}"`);
});

it("preset periods are counted from the end of the data", async () => {
  const form = /<form class="bar"[\s\S]*?<\/form>/.exec(await page("/plays"))?.[0] ?? "";
  const dates = Array.from(
    form.matchAll(/from=([\d-]*)&amp;to=([\d-]*)&amp;as-of=\w+"[^>]*>([^<]*)</g),
    ([, from, to, text]) => [text, from, to],
  );
  expect(dates).toEqual([
    ["Last day", "2026-11-20", "2026-11-20"],
    ["7 days", "2026-11-14", "2026-11-20"],
    ["28 days", "2026-10-24", "2026-11-20"],
    ["90 days", "2026-08-23", "2026-11-20"],
    ["Last week", "2026-11-09", "2026-11-15"],
    ["This month", "2026-11-01", "2026-11-20"],
    ["Last month", "2026-10-01", "2026-10-31"],
  ]);
});

itEachSampled(
  ["by=group&sort=group_name", "by=campaign&compare=before&sort=compliance_change", "by=zone&search=bar"],
  1,
)("the number of missed days links to their list from compliance?%s", async (words) => {
  const markup = await page(`/compliance?${words}`);
  const [, href = "", count = ""] = /<a href="([^"]*only=missed&amp;[^"]*)">([\d,]+)<\/a>/.exec(markup) ?? [];
  const { status, text } = await ask(server.origin, href.replaceAll("&amp;", "&"));
  expect([status, /data-status>(\d+) rows?/.exec(text)?.[1]]).toEqual([200, count]);
  expect(Number(count)).toBeGreaterThan(0);
});

it("two dates of the form become one parameter", async () => {
  const dates = "compare-from=2026-10-01&compare-to=2026-10-07";
  const { status, headers } = await ask(server.origin, `/plays?by=kind&compare=before&${dates}`);
  expect([status, headers.location]).toEqual([302, "/plays?by=kind&compare=2026-10-01..2026-10-07"]);
  expect((await ask(server.origin, "/plays?compare-from=2026-10-01")).status).toBe(400);
  const empty = await ask(server.origin, "/plays?compare=&compare-from=&compare-to=");
  expect(empty.headers.location).toBe("/plays");
});
