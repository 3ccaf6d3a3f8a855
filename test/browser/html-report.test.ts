import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/report/result-types.ts";
import { itInAll } from "../support/long-suite.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { openPage, startBrowser } from "./browser.ts";
import { everyChart, narrowHeatMap, nastyNames, nastyRows, renderWith, reportOf } from "./page-reports.ts";
import { seriousViolations } from "./serious-violations.ts";

let browser: Browser;
let stop: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ browser, stop } = await startBrowser());
});
afterAll(async () => {
  await stop?.();
});

async function write(report: Report, options: Parameters<typeof renderWith>[1] = {}): Promise<string> {
  const file = join(createTempFolder(), "report.html");
  writeFileSync(file, await renderWith(report, options));
  return file;
}

const views: [string, BrowserContextOptions][] = [
  ["on a phone", { viewport: { width: 360, height: 740 }, colorScheme: "light" }],
  ["dark", { viewport: { width: 1200, height: 900 }, colorScheme: "dark" }],
  ["light", { viewport: { width: 1200, height: 900 }, colorScheme: "light" }],
  ["on a phone, dark", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
];

/** The texts of a column in the visible rows. */
async function column(page: Page, position: number): Promise<string[]> {
  const cells = page.locator(`table[data-rows] tbody tr:not([hidden]) td:nth-child(${position})`);
  return await cells.allTextContents();
}

describe("a page", () => {
  const name = "%s: has no errors, requests, overflow or accessibility violations";
  it.each(views.slice(0, 1))(name, isForAll);
  itInAll.each(views.slice(1))(name, isForAll);

  async function isForAll(_name: string, view: BrowserContextOptions): Promise<void> {
    const file = await write(reportOf(nastyRows()), { page: everyChart, csvFile: "compliance.csv" });
    const { page, messages, requests } = await openPage(browser, file, view);
    expect(await page.title()).toBe("Compliance by campaign, from 24 October to 20 November 2026");
    // The page itself never scrolls horizontally; wide content scrolls inside it.
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await page.locator("summary", { hasText: "Definitions" }).click();
    expect(await page.getByText("Days that ran ÷").filter({ visible: true }).count()).toBe(1);
    expect(await seriousViolations(page)).toEqual([]);
    expect(messages).toEqual([]);
    expect(requests).toEqual([]);
  }

  it("on paper: light, with definitions and without controls", async () => {
    const file = await write(reportOf(nastyRows()), { page: everyChart });
    const { page } = await openPage(browser, file, {
      viewport: { width: 760, height: 1000 },
      colorScheme: "dark",
    });
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
    expect(await page.getByRole("searchbox").isVisible()).toBe(false);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    // The rows come first, the definitions last.
    const meaning = page.getByText("Days that ran ÷").filter({ visible: true });
    const [rows, meant] = [await page.locator("table[data-rows]").boundingBox(), await meaning.boundingBox()];
    expect(rows && meant && rows.y + rows.height <= meant.y).toBe(true);
  });

  it("on paper: the answer, the figures and the first chart are on page 1, for any number of rows", async () => {
    const [map] = everyChart.charts;
    if (map?.kind !== "heat-map") throw new Error("the first chart is no heat map");
    const rows = Array.from({ length: 40 }, (_, row) => ({ label: `Campaign ${row}` }));
    const cells = rows.flatMap(({ label: description }, row) =>
      map.dates.map((_date, day) => ({ row, day, level: 0, text: "✓", description })),
    );
    const { facts } = everyChart;
    const page = { ...everyChart, facts: [...facts, ...facts], charts: [{ ...map, rows, cells }] };
    const file = await write(reportOf(nastyRows()), { page });
    // A4 within its margins, in CSS pixels.
    const { page: paper } = await openPage(browser, file, { viewport: { width: 680, height: 1009 } });
    await paper.emulateMedia({ media: "print" });
    const drawn = await paper.locator(".chart .wide svg, .chart .natural svg").first().boundingBox();
    expect(drawn?.height).toBeGreaterThan(300);
    expect((drawn?.y ?? 0) + (drawn?.height ?? 0)).toBeLessThan(1009);
  });

  it("runs and shows only its own content", async () => {
    const file = await write(reportOf(nastyRows()), { page: everyChart });
    const { page, messages } = await openPage(browser, file);
    await page.evaluate(`
      const script = document.createElement("script");
      script.textContent = "document.title = 'harmed'";
      document.body.append(script);
      const style = document.createElement("style");
      style.textContent = "body { display: none }";
      document.body.append(style);
      const image = document.createElement("img");
      image.src = "https://example.com/seen.png";
      document.body.append(image);
      document.body.setAttribute("onclick", "document.title = 'harmed'");
      document.body.click();
    `);
    expect(await page.title()).toContain("Compliance");
    expect(await page.locator("h1").isVisible()).toBe(true);
    expect(
      messages.filter((message) => message.includes("Content Security Policy")).length,
    ).toBeGreaterThanOrEqual(4);
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; /);
    expect(policy).not.toContain("unsafe");
  });

  it("shows any name literally", async () => {
    const file = await write(reportOf(nastyRows()), { page: everyChart });
    const { page, messages } = await openPage(browser, file);
    expect(await page.title()).toContain("Compliance");
    expect(await page.locator("img, script:not(body > script)").count()).toBe(0);
    const names = await column(page, 2);
    expect(names.slice(0, 7)).toEqual(nastyNames.slice(0, 7));
    expect(names[7]).toBe("abcdcba");
    expect(Math.max(...names.map(({ length }) => length))).toBe(300);
    expect(messages).toEqual([]);
  });

  it("always shows the freshness and completeness of the data in its heading", async () => {
    const file = await write(reportOf(nastyRows()), { page: everyChart });
    const { page } = await openPage(browser, file, { viewport: { width: 1200, height: 500 } });
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    for (const text of ["21 November 2026, 04:10 UTC", "97.1 % of scheduled days could be measured"]) {
      const box = await page.getByText(text).boundingBox();
      expect(box && box.y >= 0 && box.y < 500).toBe(true);
    }
  });

  it("shows each chart at the available width, and as a table", async () => {
    const file = await write(reportOf(nastyRows()), { page: everyChart });
    const { page } = await openPage(browser, file, { viewport: { width: 360, height: 740 } });
    expect(await page.locator("figure .wide svg:visible").count()).toBe(0);
    expect(await page.locator("figure .narrow > svg:visible").count()).toBe(6);
    await page.getByText("As a table: Availability per day").click();
    const rows = page.getByRole("region", { name: "Availability per day, as a table" }).getByRole("row");
    expect(await rows.nth(10).textContent()).toBe("2026-11-02unknownunknown");
  });
});

describe("content wider than the page", () => {
  it.each([
    ["shows a hint", 650, 650],
    ["shows no hint where all of it is visible or collapsed", 1200, 360],
  ])("%s", async (_name, width, phone) => {
    const isHinted = width === phone;
    const file = await write(reportOf([...nastyRows()].slice(0, 1)), { page: narrowHeatMap });
    const { page } = await openPage(browser, file, { viewport: { width, height: 740 } });
    const columns = page.getByText("More columns: scroll the table sideways");
    const days = page.getByText("More columns: scroll the chart sideways");
    await expect.poll(() => columns.isVisible()).toBe(isHinted);
    await expect.poll(() => days.isVisible()).toBe(isHinted);
    await page.setViewportSize({ width: phone, height: 740 });
    await expect.poll(() => columns.isVisible()).toBe(isHinted);
    await expect.poll(() => days.isVisible()).toBe(true);
  });

  it("keeps the name of each row visible", async () => {
    const { columns, ...report } = reportOf(nastyRows().map((row) => [...row, ...row]));
    const more = columns.map((column) => ({ ...column, name: `${column.name}_again` }));
    const file = await write({ ...report, columns: [...columns, ...more] });
    const { page } = await openPage(browser, file, { viewport: { width: 700, height: 740 } });
    const region = page.getByRole("region", { name: "Compliance by campaign, as a table" });
    await page.evaluate("document.querySelector('.rows .scroll').scrollTo(10_000, 0)");
    const [name, edge] = [
      await page.getByRole("cell", { name: "Black Friday" }).first().boundingBox(),
      await region.boundingBox(),
    ];
    expect(Math.round(name?.x ?? -1)).toBe(Math.round(edge?.x ?? 0));
  });
});

describe("the table", () => {
  it("on a phone shows names and ratios, and expands a row by touch and keyboard", async () => {
    const report: Report = { ...reportOf(nastyRows()), name: "compliance", ratio: "compliance" };
    const { page } = await openPage(browser, await write(report), {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const row = page.locator("table[data-rows] tbody tr").nth(1);
    const shown = () => row.locator("td:visible").allTextContents();
    const closed = await shown();
    expect(closed).toEqual([nastyNames[1], "7.1\u00a0%"]);
    await row.locator("td").first().tap();
    expect(await shown()).toHaveLength(7);
    expect(await row.getByRole("button").getAttribute("aria-expanded")).toBe("true");
    await row.getByRole("button").focus();
    await page.keyboard.press("Enter");
    expect(await shown()).toEqual(closed);
  });

  const plainRows = (count: number) =>
    Array.from({ length: count }, (_, index) => [index, `Campaign ${index}`, 1, 0.5, 60, null, null]);
  /** More rows than fit on a screen. */
  const hundredRows = plainRows(100);

  it("comes before the charts: its first ten rows, and all of them on request or when filtered", async () => {
    const file = await write(reportOf(hundredRows), { page: narrowHeatMap });
    const { page } = await openPage(browser, file);
    const [rows, chart] = [page.locator("table[data-rows]"), page.locator("figure.chart")];
    const isBefore = async () => ((await rows.boundingBox())?.y ?? 0) < ((await chart.boundingBox())?.y ?? 0);
    const shown = rows.locator("tbody tr:visible");
    expect([await isBefore(), await shown.count()]).toEqual([true, 10]);
    await page.getByRole("checkbox", { name: "Show all 100 rows" }).check();
    expect([await isBefore(), await shown.count()]).toEqual([true, 100]);
    await page.reload();
    await page.getByRole("searchbox", { name: "Filter" }).fill("9");
    await expect.poll(() => shown.count()).toBe(19);
  });

  it("keeps its header visible", async () => {
    const { page } = await openPage(browser, await write(reportOf(hundredRows)), {
      viewport: { width: 1200, height: 500 },
    });
    // If the table fits, only the page scrolls.
    const inner = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)";
    expect(await page.evaluate(`${inner}(document.querySelector('.rows .scroll'))`)).toBe(0);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    const last = await page.getByRole("cell", { name: "Campaign 99" }).boundingBox();
    expect(last && last.y < 500).toBe(true);
    const head = await page.getByRole("columnheader", { name: "Compliance" }).boundingBox();
    const trust = await page.getByRole("region", { name: "Data freshness and completeness" }).boundingBox();
    expect(head && trust && head.y >= trust.y + trust.height).toBe(true);
  });

  it("starts with the worst rows", async () => {
    const report: Report = { ...reportOf(nastyRows()), name: "compliance", ratio: "compliance" };
    const { page } = await openPage(browser, await write(report));
    const shares = (await column(page, 2)).map(Number.parseFloat);
    const known = shares.filter((share) => !Number.isNaN(share));
    expect(known).toEqual(known.toSorted((a, b) => a - b));
    // Unknown shares.
    expect(shares.slice(-2)).toEqual([Number.NaN, Number.NaN]);
  });

  it("sorts by keyboard: numbers as numbers, empty cells last in both directions", async () => {
    const { page } = await openPage(browser, await write(reportOf(nastyRows())));
    const heading = page.getByRole("columnheader", { name: "Scheduled days" });
    await heading.getByRole("button").focus();
    await page.keyboard.press("Enter");
    expect(await heading.getAttribute("aria-sort")).toBe("descending");
    const mark = await page.evaluate(
      `getComputedStyle(document.querySelector("[aria-sort=descending] button"), "::after").content`,
    );
    expect(mark).toBe('"\u00a0↓"');
    expect((await column(page, 3)).slice(0, 2)).toEqual(["10,000", "9,300"]);
    await page.keyboard.press("Space");
    expect(await heading.getAttribute("aria-sort")).toBe("ascending");
    expect((await column(page, 3)).slice(0, 2)).toEqual(["900", "1,600"]);
    // The next column has empty cells.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await heading.getAttribute("aria-sort")).toBe(null);
    expect((await column(page, 4)).slice(-2)).toEqual(["", ""]);
    await page.keyboard.press("Enter");
    const shares = await column(page, 4);
    expect(shares[0]).toBe("0.0\u00a0%");
    expect(shares.slice(-2)).toEqual(["", ""]);
    expect(await page.getByRole("status").textContent()).toBe(
      "14 of 14 rows, sorted by Compliance, ascending",
    );
  });

  it("filters by keyboard: every word, in any column", async () => {
    const { page } = await openPage(browser, await write(reportOf(nastyRows())));
    await page.getByRole("searchbox", { name: "Filter" }).focus();
    await page.keyboard.type("HARMED script");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("2 of 14 rows");
    expect(await column(page, 1)).toEqual(["1", "3"]);
    await page.keyboard.type(" nothing");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("0 of 14 rows");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("14 of 14 rows");
  });

  it("holds the first 5,000 rows, and names the file with all of them", async () => {
    const { page } = await openPage(
      browser,
      await write(reportOf(plainRows(5_003)), { csvFile: "compliance.csv" }),
    );
    expect(await page.locator("table[data-rows] tbody tr").count()).toBe(5_000);
    const note = page.getByText("The first 5,000 of 5,003 rows are shown.");
    expect(await note.textContent()).toContain("compliance.csv contains all rows.");
    const link = page.getByRole("link", { name: "All rows as CSV: compliance.csv" });
    expect(await link.getAttribute("href")).toBe("compliance.csv");
  });
});
