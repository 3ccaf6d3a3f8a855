import { expect, it } from "vitest";
import { isAll, isSoak, share } from "../support/long-suite.ts";
import { ask, linksOf, serveForTest } from "./served.ts";

/** Views differ by rows and filters: another zone or day is the same view, as is another order or format. */
function shapeOf(link: string): string {
  const { pathname, searchParams } = new URL(link, "http://localhost");
  // Each format and order once: all views have the same ones.
  if (pathname.includes(".")) return pathname.replace(/.*\./, ".");
  if (searchParams.has("sort")) return "sorted";
  const words = [...searchParams.keys()].filter((word) => !["from", "to", "as-of", "by"].includes(word));
  return `${pathname} ${searchParams.get("by") ?? ""} ${words.sort().join()}`;
}

/** Pages to visit: `make test-all` visits all; `make soak` also requests every other link on them. */
const most = share(12, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);

it("every link from the overview on leads to a page", async () => {
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
