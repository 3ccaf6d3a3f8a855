import { dirname } from "node:path";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serveForTest, startServer } from "../serve/served.ts";
import { itInAll } from "../support/long-suite.ts";
import { startBrowser } from "./browser.ts";
import { publishHostileWorld } from "./hostile-world.ts";
import { seriousViolations } from "./serious-violations.ts";

let browser: Browser;
let stop: (() => Promise<void>) | undefined;
let server: Served;
beforeAll(async () => {
  ({ browser, stop } = await startBrowser());
  server = await startServer();
});
afterAll(async () => {
  await stop?.();
  await server.close();
});

/** Links to follow from the overview, and the text on the last page. */
const ways = {
  "a single play in the evening": {
    links: ["What played?", "Fulton Bar"],
    ends: /^\/single-plays\?/,
    shows: /2026-11-20 2\d:\d\d:\d\d/,
  },
  "the reason for a missed day": {
    links: [/^Late Night \(signage\) missed/, "Kantstraße Markt", "2026-11-03"],
    ends: /^\/cell\?/,
    shows: /Late Night in Kantstraße Markt ?missed/,
  },
};

type Way = (typeof ways)[keyof typeof ways];
type Follow = (page: Page, link: Locator) => Promise<void>;

const byMouse: Follow = async (_page, link) => await link.click();

const byKeyboard: Follow = async (page, link) => {
  const href = await link.getAttribute("href");
  for (let presses = 0; presses < 300; presses += 1) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate("document.activeElement?.getAttribute('href')");
    if (at === href) return await page.keyboard.press("Enter");
  }
  throw new Error(`no key leads to ${link}`);
};

const desk = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

const readers: [string, Follow, BrowserContextOptions][] = [
  ["by keyboard, on a phone", byKeyboard, phone],
  ["by mouse", byMouse, desk],
  ["by keyboard", byKeyboard, desk],
  ["by touch, on a phone", byMouse, { ...phone, hasTouch: true, isMobile: true }],
  ["by mouse, without scripts", byMouse, { ...desk, javaScriptEnabled: false }],
];

describe.each(Object.entries(ways))("from the overview to %s", (_name, way) => {
  const title = "%s: each page is complete, accessible and free of errors; back and reload keep the view";
  const tried = way === ways["the reason for a missed day"] ? readers.slice(0, 1) : [];
  it.each(tried)(title, walk);
  itInAll.each(readers.slice(tried.length))(title, walk);

  async function walk(_label: string, follow: Follow, options: BrowserContextOptions): Promise<void> {
    await walkWay(way, follow, options);
  }
});

async function walkWay(way: Way, follow: Follow, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    await page.goto(server.origin);
    const seen = [await look(page, options)];
    for (const name of way.links) {
      const from = page.url();
      await unfoldRows(page);
      await follow(page, page.locator("main").getByRole("link", { name, exact: true }).first());
      await page.waitForURL((url) => url.href !== from);
      seen.push(await look(page, options));
    }
    const last = new URL(page.url());
    expect(last.pathname + last.search).toMatch(way.ends);
    expect(((await page.locator("main").textContent()) ?? "").replaceAll(/\s+/g, " ")).toMatch(way.shows);
    await page.reload();
    expect(await look(page, options)).toEqual(seen.at(-1));
    for (const before of seen.slice(0, -1).reverse()) {
      await page.goBack();
      expect(await look(page, options)).toEqual(before);
    }
    expect(messages).toEqual([]);
  } finally {
    await context.close();
  }
}

/** Reads a page at its address. Nothing is obstructed, and the page never scrolls horizontally. */
async function look(page: Page, { javaScriptEnabled = true }: BrowserContextOptions) {
  const shown = { address: page.url(), text: await page.locator("main").textContent() };
  if (!javaScriptEnabled) return shown;
  expect([page.url(), await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([
    page.url(),
    true,
  ]);
  expect([page.url(), await seriousViolations(page)]).toEqual([page.url(), []]);
  return shown;
}

itInAll(
  "the printed link opens the pages of two servers in one browser, and stays out of its history",
  async () => {
    const servers = [
      await serveForTest({ withoutToken: false }),
      await serveForTest({ withoutToken: false }),
    ];
    const [context, stranger] = [await browser.newContext(desk), await browser.newContext(desk)];
    try {
      const page = await context.newPage();
      for (const { address, origin } of servers) {
        await page.goto(address);
        expect(page.url()).toBe(`${origin}/`);
        expect(await page.evaluate("document.cookie")).toBe("");
      }
      for (const { origin } of servers) {
        await page.goto(origin);
        await page.locator("main").getByRole("link", { name: "What played?" }).first().click();
        await page.waitForURL(/plays/);
        expect(await seriousViolations(page)).toEqual([]);
      }
      const other = await stranger.newPage();
      const refused = await other.goto(servers[0]?.address ?? "");
      expect(refused?.status()).toBe(403);
      expect(await other.locator(".headline").textContent()).toContain("This link has been used");
      expect(await seriousViolations(other)).toEqual([]);
    } finally {
      await context.close();
      await stranger.close();
    }
  },
);

it("on a phone, the menu folds to its groups, and the answer is on the first screen, without scripts", async () => {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    const menu = page.getByRole("navigation", { name: "Views" });
    for (const view of ["plays?by=zone", "devices", "quality"]) {
      await page.goto(`${server.origin}/${view}`);
      const answer = await page.locator(".headline").boundingBox();
      expect((answer?.y ?? phone.viewport.height) + (answer?.height ?? 0)).toBeLessThan(
        phone.viewport.height / 2,
      );
      expect(await menu.getByRole("link").count()).toBe(0);
    }
    expect(await menu.locator("summary").allTextContents()).toEqual(["Results", "Devices", "Data", "Custom"]);
    await menu.locator("summary", { hasText: "Devices" }).click();
    await menu.getByRole("link", { name: "Outages" }).click();
    await page.waitForURL(/outages/);
    await page.setViewportSize(desk.viewport);
    expect(await menu.getByRole("link").count()).toBeGreaterThan(12);
  } finally {
    await context.close();
  }
});

it("on a phone, one line summarises the form, and opens it without scripts", async () => {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(`${server.origin}/plays?by=zone&from=2026-11-01&to=2026-11-07&zone=81003`);
    const zone = page.getByRole("combobox", { name: "Zone" });
    expect(await zone.isVisible()).toBe(false);
    await page.getByText("Change: 2026-11-01 to 2026-11-07, grouped by zone, zone Fulton Bar").click();
    await zone.fill("Harbor Market Floor");
    // Checkboxes are next to their labels and cover nothing.
    await page.getByText("Group by:").click();
    const box = (await page.getByRole("checkbox", { name: "week", exact: true }).boundingBox()) ?? {
      x: 0,
      width: 390,
    };
    const label = (await page.getByText("week", { exact: true }).boundingBox()) ?? { x: 0, width: 390 };
    expect([box.width < 30, label.width < 100]).toEqual([true, true]);
    const headline = page.locator(".headline");
    expect(await headline.click({ trial: true })).toBeUndefined();
    await page.getByRole("button", { name: "Show" }).click();
    expect(new URL(page.url()).searchParams.get("zone")).toBe("81001");
    // Sticky elements do not cover the table's headings.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.trust')).position")).toBe("static");
    await page.setViewportSize(desk.viewport);
    expect(await zone.isVisible()).toBe(true);
  } finally {
    await context.close();
  }
});

it("a heat map by hour scrolls in its own box on a phone, and its cells are readable in both modes", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ ...phone, colorScheme });
    try {
      const page = await context.newPage();
      await page.goto(`${server.origin}/plays?by=region,hour&kind=messaging`);
      const map = page.getByRole("region", { name: "Hours of the day by region, chart" });
      expect(await map.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      expect(await map.locator("g > title").first().textContent()).toMatch(/^[\w ]+, \d+ h: \d+ plays$/);
      expect(await page.evaluate<number>(lowestContrast)).toBeGreaterThanOrEqual(4.5);
      expect(await seriousViolations(page)).toEqual([]);
    } finally {
      await context.close();
    }
  }
});

/** The lowest contrast between the text and the colour of a heat map's cells. */
const lowestContrast = `(() => {
  const light = (element) => {
    const channels = getComputedStyle(element).fill.match(/\\d+/g).slice(0, 3).map((part) => {
      const value = part / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
  };
  return Math.min(...[...document.querySelectorAll(".natural g > rect + text")].map((text) => {
    const [dark, bright] = [light(text), light(text.previousElementSibling)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  }));
})()`;

it("a proof begins with a choice of advertisers, campaigns and dates, on a phone without scripts", async () => {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(`${server.origin}/proof`);
    expect(await page.getByRole("link", { name: "Excel" }).count()).toBe(0);
    expect(await page.getByRole("checkbox", { name: "Late Night" }).isVisible()).toBe(true);
    await page.getByRole("checkbox", { name: "Fresh & Co" }).check();
    await page.getByRole("checkbox", { name: "Summit Sports" }).check();
    await page.getByLabel("From").fill("2026-11-01");
    await page.getByLabel("to", { exact: true }).fill("2026-11-10");
    await page.getByRole("button", { name: "Show" }).click();
    expect(await page.locator(".headline + .scope").textContent()).toMatch(
      /^advertiser Fresh & Co, Summit Sports · 5 campaigns · from 1 November to 10 November 2026 · /,
    );
    expect(await page.getByRole("link", { name: "Excel" }).getAttribute("href")).toContain(
      "where=advertiser",
    );
    // One of their campaigns; the earlier choice is kept.
    await page.getByText("Campaign: all").click();
    await page.getByRole("checkbox", { name: "Autumn Menu" }).check();
    await page.getByRole("button", { name: "Show" }).click();
    expect(await page.locator(".headline").textContent()).toMatch(
      /^Autumn Menu \(signage 2\) was scheduled on/,
    );
    expect(await page.getByText("Advertiser: Fresh & Co, Summit Sports").isVisible()).toBe(true);
  } finally {
    await context.close();
  }
});

/** Shows the rows after the first ten, if there are more. */
async function unfoldRows(page: Page): Promise<void> {
  const all = page.getByRole("checkbox", { name: /^Show all [\d,]+ rows$/ });
  if ((await all.count()) > 0) await all.check();
}

/** Columns shown on a phone, by view. */
const shownOnPhone: Readonly<Record<string, readonly string[]>> = {
  devices: ["Zone", "State", "Down for"],
  outages: ["Zone", "Down", "Began"],
  "single-plays?zone=81003&from=2026-11-20&to=2026-11-20": ["Item", "Began, local"],
  rejects: ["Line number", "Reason"],
  loads: ["Kind", "Lines", "Rejected"],
  "compliance?by=campaign&compare=4-weeks-ago": ["Campaign", "Compliance", "Compliance, change"],
  "plays?by=zone&compare=before": ["Zone", "Plays", "Plays, change"],
};

itInAll("on a phone, rows show each value under its heading", async () => {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    for (const [view, headings] of Object.entries(shownOnPhone)) {
      await page.goto(`${server.origin}/${view}`);
      const shown = page.locator("table[data-rows] th:visible");
      expect([view, await shown.allTextContents()]).toEqual([view, headings]);
      expect([view, await page.evaluate(findMisplaced)]).toEqual([view, []]);
    }
  } finally {
    await context.close();
  }
});

/** Cells of the first rows that are not aligned with their heading. */
const findMisplaced = `(() => {
  const table = document.querySelector("table[data-rows]");
  const boxes = ({ cells }) => [...cells].map((cell) => cell.getBoundingClientRect());
  const heads = boxes(table.tHead.rows[0]);
  return [...table.tBodies[0].rows].slice(0, 40).flatMap((row) =>
    boxes(row).flatMap(({ left, right }, at) =>
      left <= heads[at].left + 1 && right >= heads[at].right - 1 ? [] : [row.cells[at].textContent]));
})()`;

it("on a phone, statements are shown in full without expanding", async () => {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    for (const view of ["quality", "cell?campaign=13&zone=81007&date=2026-11-03"]) {
      await page.goto(`${server.origin}/${view}`);
      await page.locator("table.folded").waitFor();
      await unfoldRows(page);
      expect([view, await page.getByRole("button", { name: "All of" }).count()]).toEqual([view, 0]);
      expect([view, await page.evaluate(findCut)]).toEqual([view, []]);
    }
  } finally {
    await context.close();
  }
});

it("on a phone, closed rows differ, and the page does not scroll sideways", async () => {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    for (const view of [
      "schedule",
      "compliance?by=campaign,zone,date&only=missed",
      "plays?by=item,city&top=5&per=city",
    ]) {
      await page.goto(`${server.origin}/${view}`);
      await page.locator("table.folded").waitFor();
      await unfoldRows(page);
      const rows = await page.evaluate<string[]>(readClosedRows);
      expect([view, rows.length]).toEqual([view, new Set(rows).size]);
      expect(rows.length).toBeGreaterThan(10);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    }
  } finally {
    await context.close();
  }
});

/** Visible labels of rows: their figures may be equal. */
const readClosedRows = `[...document.querySelectorAll("table[data-rows] tbody tr")].map((row) =>
  [...row.cells]
    .filter((cell) => cell.clientHeight > 0 && !cell.classList.contains("number"))
    .map((cell) => cell.textContent)
    .join("; "))`;

/** Texts of cells that are hidden or cut off. */
const findCut = `[...document.querySelectorAll("td.text bdi")]
  .filter((text) => text.textContent !== "" && text.clientHeight === 0 || text.scrollHeight > text.clientHeight + 1)
  .map((text) => text.textContent)`;

it("shows malicious names literally on every page", async () => {
  const dataFolder = dirname(await publishHostileWorld());
  const hostile = await serveForTest({ dataFolder, now: () => new Date("2026-03-20T06:00:00Z") });
  const days = "from=2026-03-10&to=2026-03-11";
  const context = await browser.newContext(desk);
  try {
    const page = await context.newPage();
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    for (const view of [
      "",
      `plays?by=zone,item,artist&${days}&zone=11`,
      `compliance?by=campaign,zone&${days}&campaign=1&kind=signage`,
      `compliance?by=date&${days}&campaign=1&zone=11&kind=signage&search=<script>`,
      `outages?${days}`,
      "devices",
    ]) {
      await page.goto(`${hostile.origin}/${view}`);
      // The view identifies the page in a failure.
      expect([view, await page.title()]).not.toEqual([view, expect.stringContaining("harmed")]);
      const harm = page.locator("img, iframe, object, script:not(body > script)");
      expect([view, await harm.count()]).toEqual([view, 0]);
    }
    expect([messages, hostile.warnings]).toEqual([[], []]);
  } finally {
    await context.close();
  }
});
