import { expect, it } from "vitest";
import { catalog } from "../../src/report/catalog/catalog.ts";
import { listDimensions } from "../../src/report/catalog/report-entry.ts";
import { reportNames } from "../../src/report/report-name.ts";
import { isAll, isSoak, itEachSampled, share } from "../support/long-suite.ts";
import { ask, formOf, linksOf, serveForTest } from "./served.ts";

/** Pages differ by rows and filters: another zone or day is the same page, as is another order or format. */
function shapeOf(link: string): string {
  const { pathname, searchParams } = new URL(link, "http://localhost");
  // Each format and order once, because all pages have the same ones.
  if (pathname.includes(".")) return pathname.replace(/.*\./, ".");
  if (searchParams.has("sort")) return "sorted";
  const words = [...searchParams.keys()].filter((word) => !["from", "to", "as-of", "by"].includes(word));
  const attributes = (searchParams.get("where") ?? "").replaceAll(/=[^;]*/g, "");
  return `${pathname} ${searchParams.get("by") ?? ""} ${words.sort().join()} ${attributes}`;
}

/** Pages to visit: `make test-all` visits all; `make soak` also requests every other link on them. */
const most = share(8, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);

it("every link, starting at the overview, leads to a page", async () => {
  const { origin, warnings } = await serveForTest();
  const waiting = ["/"];
  const known = new Set(waiting.map(shapeOf));
  const others = new Set<string>();
  const broken: [string, number][] = [];
  const visit = async (link: string) => {
    const { status, text } = await ask(origin, link);
    if (status !== 200) broken.push([link, status]);
    // Another order or format of the same rows has no other links.
    if (/[?&]sort=|^\/[a-z-]+\./.test(link)) return;
    for (const next of linksOf(text)) {
      const shape = shapeOf(next);
      if (known.has(shape)) {
        others.add(next);
        continue;
      }
      known.add(shape);
      waiting.push(next);
    }
  };
  // A few readers at a time.
  for (let visited = 0; waiting.length > 0 && visited < most; visited += 4)
    await Promise.all(waiting.splice(0, 4).map(visit));
  if (isSoak) {
    const links = [...others];
    while (links.length > 0)
      await Promise.all(
        links.splice(0, 4).map(async (link) => {
          const { status } = await ask(origin, link);
          if (status !== 200) broken.push([link, status]);
        }),
      );
  }
  expect(broken).toEqual([]);
  expect(warnings).toEqual([]);
  if (!isAll) return;
  const views = new Set([...known].map((shape) => shape.split(" ")[0]));
  for (const view of [
    "/cell",
    "/single-plays",
    "/loads",
    "/rejects",
    "/uptime",
    ".csv",
    ".xlsx",
    ".sql",
    "sorted",
  ])
    expect([...views]).toContain(view);
});

/** The demo's attributes: brands and regions of zones, advertisers of campaigns. */
const byCampaign = [
  "/plays?by=campaign,brand",
  "/plays?by=campaign,advertiser&where=brand=Corner%20Shop",
  "/plays?by=advertiser,zone,campaign&where=advertiser=Fresh%20%26%20Co",
  "/plays?by=campaign,zone&kind=signage&campaign=2&where=advertiser=Fresh%20%26%20Co;region=US%20East",
  "/plays?by=campaign,date&kind=signage&campaign=2&zone=81001&where=advertiser=Fresh%20%26%20Co",
];

/** Each report by each of its dimensions; those of different reports alternate. */
const grouped = reportNames
  .flatMap((report) =>
    ["", ...listDimensions(catalog[report])]
      .filter((word) => report !== "plays" || word !== "campaign")
      .map((word, index) => ({ index, page: `/${report}${word && `?by=${word}`}` })),
  )
  .sort((a, b) => a.index - b.index)
  .map(({ page }) => page);

const followed = new Set<string>();

/** Returns the links and the form of a page that do not lead to a page, one of each shape. */
async function findBroken(origin: string, page: string): Promise<string[]> {
  const open = async (link: string) => {
    const { status, headers, text } = await ask(origin, link);
    return status === 302 ? await ask(origin, String(headers.location)) : { status, text };
  };
  const { status, text } = await open(page);
  if (status !== 200) return [page];
  const links = [...linksOf(text), ...formOf(text)].filter(
    (link) => !followed.has(shapeOf(link)) && followed.add(shapeOf(link)),
  );
  const broken: string[] = [];
  for (const link of links) if ((await open(link)).status !== 200) broken.push(link);
  return broken;
}

it("every link of pages of plays by campaign leads to a page", async () => {
  const { origin } = await serveForTest();
  for (const page of share(byCampaign.slice(4), byCampaign, byCampaign))
    expect(await findBroken(origin, page), page).toEqual([]);
});

itEachSampled(grouped, 1)("all that %s leads to is a page", async (page) => {
  const { origin } = await serveForTest();
  expect(await findBroken(origin, page)).toEqual([]);
});
