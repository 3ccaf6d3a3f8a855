import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { formatCsv } from "../../src/report/format/text-formats.ts";
import { buildProof, parseProofOptions } from "../../src/report/proof/build-proof.ts";
import { showTable } from "../../src/report/proof/proof-tables.ts";
import { openPublished } from "../../src/report/published/open-published.ts";
import { drawProofWorld, format, period } from "../report/proof/proof-world.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { openPage, startBrowser } from "./browser.ts";
import { seriousViolations } from "./serious-violations.ts";

let browser: Browser;
let stop: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ browser, stop } = await startBrowser());
});
afterAll(async () => {
  await stop?.();
});

/** Tries to run scripts, and to load something. */
const hostile = {
  logo: `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><image href="http://127.0.0.1:9/x.png"/></svg>`,
  about: "</template></div><script>alert(1)</script><h1>All days ran</h1>",
};

it("shows a proof without scripts, requests or overflow, whatever its brand and names", async () => {
  const folder = createTempFolder();
  await publishFixture(folder, drawProofWorld(4).fixture);
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const request = parseProofOptions({ ...period, campaign: ["1", "2"] });
  const document = await buildProof(mart, request, hostile, new Date("2026-11-21T06:00:00Z"));
  const file = join(folder, "proof.html");
  writeFileSync(file, await format("proof.html", document));
  for (const width of [1280, 390]) {
    const { page, messages, requests } = await openPage(browser, file, { viewport: { width, height: 900 } });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await page.locator("h1").allTextContents()).toHaveLength(1);
    expect(await page.locator(".value").first().isVisible()).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    expect(messages.filter((message) => !message.includes("Loading the image"))).toEqual([]);
    expect(requests.filter((url) => !url.startsWith("data:image/svg+xml"))).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByText("proof-days.csv").first().click(),
    ]);
    expect(readFileSync(await download.path(), "utf8")).toBe(
      await text(formatCsv(showTable(document.rows, "days"))),
    );
    await page.context().close();
  }
});
