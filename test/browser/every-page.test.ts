import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { itInAll } from "../support/long-suite.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { openPage, startBrowser } from "./browser.ts";
import { renderHostileWorld } from "./hostile-world.ts";
import { seriousViolations } from "./serious-violations.ts";

let browser: Browser;
let stop: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ browser, stop } = await startBrowser());
});
afterAll(async () => {
  await stop?.();
});

const views = [
  { viewport: { width: 1200, height: 900 }, colorScheme: "light" },
  { viewport: { width: 360, height: 740 }, colorScheme: "dark" },
] as const;

const names = ["plays", "compliance", "schedule", "uptime", "outages", "devices", "quality", "index"];

itInAll(
  "every page has an intact layout, no errors and full keyboard access with any names",
  async () => {
    const pages = await renderHostileWorld();
    expect([...pages.keys()]).toEqual(names);
    const folder = createTempFolder();
    for (const [name, text] of pages) {
      const file = join(folder, `${name}.html`);
      writeFileSync(file, text);
      for (const view of views) {
        const { page, messages, requests } = await openPage(browser, file, view);
        // The name identifies the page in a failure.
        expect([name, await page.title()]).not.toEqual([name, expect.stringContaining("harmed")]);
        expect([name, await page.locator("img, iframe, object, script:not(body > script)").count()]).toEqual([
          name,
          0,
        ]);
        expect([name, await page.locator("body > script").count()]).toEqual([name, 1]);
        expect([name, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([
          name,
          true,
        ]);
        if (name !== "index" && view === views[0]) await useTable(page, name);
        expect([name, await seriousViolations(page)]).toEqual([name, []]);
        expect([name, messages, requests]).toEqual([name, [], []]);
        await page.context().close();
      }
    }
    // On paper, in landscape: no heading breaks within a word.
    for (const [name] of pages) {
      const { page } = await openPage(browser, join(folder, `${name}.html`), {
        viewport: { width: 1009, height: 680 },
      });
      await page.emulateMedia({ media: "print" });
      expect([name, await page.evaluate(brokenWords)]).toEqual([name, []]);
      await page.context().close();
    }
    // Each page has content, and pages with names show these names.
    for (const name of names.slice(0, 5))
      expect([name, pages.get(name)?.includes("&lt;script&gt;")]).toEqual([name, true]);
  },
  300_000,
);

/** Words in the main table's headings that are broken across lines. */
const brokenWords = `(() => {
  const broken = [];
  for (const heading of document.querySelectorAll("table[data-rows] thead th")) {
    const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      for (const { 0: word, index } of walker.currentNode.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        if (range.getClientRects().length > 1) broken.push(word);
      }
    }
  }
  return broken;
})()`;

/** Sorts by the first column and filters, by keyboard. */
async function useTable(page: Page, name: string): Promise<void> {
  const rows = page.locator("table[data-rows] tbody tr:not([hidden])");
  const all = await rows.count();
  expect([name, all > 0]).toEqual([name, true]);
  const heading = page.locator("table[data-rows] thead th").first();
  await heading.getByRole("button").focus();
  await page.keyboard.press("Enter");
  expect([name, await heading.getAttribute("aria-sort")]).toEqual([
    name,
    expect.stringMatching(/^(a|de)scending$/),
  ]);
  expect([name, await rows.count()]).toEqual([name, all]);
  await page.getByRole("searchbox", { name: "Filter" }).focus();
  await page.keyboard.type("no row holds this");
  await expect.poll(() => page.locator("[data-status]").textContent()).toContain("0 of ");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await expect.poll(() => rows.count()).toBe(all);
}
