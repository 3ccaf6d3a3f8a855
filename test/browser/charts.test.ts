import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chart, palette } from "../../src/report/html/charts/chart.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { openPage, startBrowser } from "./browser.ts";
import { renderWith, reportOf } from "./page-reports.ts";

let browser: Browser;
let stop: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ browser, stop } = await startBrowser());
});
afterAll(async () => {
  await stop?.();
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A mark in a drawing: its tooltip and its position. */
interface Mark extends Box {
  description: string;
  fill: string;
}

async function render(charts: readonly Chart[]): Promise<string> {
  const page = { headline: "", coverage: "", facts: [], charts };
  return await renderWith(reportOf([]), { page });
}

/** A page's charts at this screen width; at 1105 pixels a wide one is shown in its own size. */
async function draw(charts: readonly Chart[], width = 1105): Promise<Locator> {
  const file = join(createTempFolder(), "charts.html");
  writeFileSync(file, await render(charts));
  const { page } = await openPage(browser, file, { viewport: { width, height: 900 } });
  return page.locator("figure svg[role=img]:visible");
}

async function selectMarks(drawing: Locator): Promise<Mark[]> {
  return await drawing.locator("title").evaluateAll((titles) =>
    titles.map((title) => {
      const mark = title.parentNode as unknown as {
        getBBox(): Box;
        getAttribute(name: string): string | null;
      };
      const { x, y, width, height } = mark.getBBox();
      const fill = mark.getAttribute("fill") ?? "";
      return { description: (title.textContent ?? "").replaceAll("\u00a0", " "), fill, x, y, width, height };
    }),
  );
}

async function textsOf(drawing: Locator): Promise<(Box & { text: string })[]> {
  return await drawing.locator("text").evaluateAll((texts) =>
    texts.map((text) => {
      const { x, y, width, height } = text.getBoundingClientRect();
      return { text: text.textContent ?? "", x, y, width, height };
    }),
  );
}

const dates = (count: number) =>
  Array.from({ length: count }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10));

const words = { title: "Chart", summary: "" };

describe("a chart", () => {
  it.each(["Kantstraße Markt 12", "KANTSTRASSE MARKT 12", "BRANDENBURGER TOR, OG", "東京スカイツリー店"])(
    "has room for the name %s",
    async (label) => {
      const rows = [{ label, value: 7, text: "7" }];
      const drawing = await draw([{ ...words, kind: "ranking", headings: ["zone", "plays"], rows }]);
      const name = (await textsOf(drawing)).find(({ text }) => text === label);
      expect(name?.x).toBeGreaterThanOrEqual((await drawing.boundingBox())?.x ?? Number.NaN);
      // Fonts draw these as wide as they are high, and not every machine has such a font.
      const ideographs = label.match(/[\u3000-\u9fff]/g) ?? [];
      const rect = await drawing.locator("rect").first().getAttribute("x");
      expect(Number(rect)).toBeGreaterThanOrEqual(ideographs.length * 12);
    },
  );

  it.each([1105, 390])("fits bar values of any length at %i pixels", async (width) => {
    const rows = [
      { label: "Alex Fitness 16", value: 44_443_800, text: "12,345\u00a0h 30\u00a0min", change: "+1,234 %" },
      { label: "Fulton Bar", value: 2_101_200, text: "583\u00a0h 40\u00a0min" },
    ];
    const drawing = await draw(
      [{ ...words, kind: "ranking", headings: ["zone", "silent for"], rows }],
      width,
    );
    expect((await textsOf(drawing)).map(({ text }) => text)).toContain(
      "12,345\u00a0h 30\u00a0min +1,234\u00a0%",
    );
    const edge = await drawing.boundingBox();
    const ends = (await textsOf(drawing)).map((text) => text.x + text.width);
    expect(Math.max(...ends)).toBeLessThanOrEqual((edge?.x ?? 0) + (edge?.width ?? 0));
  });

  it.each([1105, 390])(
    "labels of any number of days neither touch nor are clipped at %i pixels",
    async (width) => {
      const charts = [1, 2, 7, 28, 31, 45, 62, 90, 120, 200, 366].flatMap((count): Chart[] => {
        const days = dates(count).map((date, day) => ({
          date,
          value: (day * 7_919) % 12_345,
        }));
        const shares = days.map(({ date }, day) => ({ date, value: 0.9 + (day % 10) / 100 }));
        const [from, to] = [`${days[0]?.date}T00:00:00Z`, `${days.at(-1)?.date}T23:00:00Z`];
        return [
          { ...words, kind: "per-day", unit: "plays", days },
          { ...words, kind: "per-day", isShare: true, unit: "availability", target: 0.95, days: shares },
          {
            ...words,
            kind: "timeline",
            subject: "device",
            from,
            to,
            dataTo: to,
            rows: [{ label: "Entrance", spans: [] }],
          },
        ];
      });
      const drawings = await draw(charts, width);
      expect(await drawings.count()).toBe(charts.length);
      for (let index = 0; index < charts.length; index += 1) {
        const frame = await drawings.nth(index).boundingBox();
        const texts = await textsOf(drawings.nth(index));
        expect(texts.length).toBeGreaterThan(1);
        const outside = texts.filter(
          ({ x, width }) => frame === null || x < frame.x || x + width > frame.x + frame.width,
        );
        expect([index, outside]).toEqual([index, []]);
        const touching = texts.filter((one, place) =>
          texts
            .slice(place + 1)
            .some(
              (other) =>
                one.x < other.x + other.width + 2 &&
                other.x < one.x + one.width + 2 &&
                one.y < other.y + other.height - 3 &&
                other.y < one.y + one.height - 3,
            ),
        );
        expect([index, touching]).toEqual([index, []]);
      }
    },
  );
});

/** Whether each symbol of a map is on land; undefined without land. */
const findOnLand = `(() => {
  const svg = [...document.querySelectorAll("figure svg[role=img]")].find(({ clientHeight }) => clientHeight > 0);
  const land = svg.querySelector("path[fill='${palette.paleGrey.light}']");
  return [...svg.querySelectorAll("g[transform] > title")].map(({ textContent, parentElement }) => {
    const [x, y] = parentElement.getAttribute("transform").match(/[\\d.]+/g);
    return [textContent, land?.isPointInFill(new DOMPoint(x, y))];
  });
})()`;

describe("drawings match the counts", () => {
  it("per day: bars are as high as their values, from a common baseline", async () => {
    const values = [4_000, 1_000, 0, 2_500];
    const days = dates(4).map((date, day) => ({ date, value: values[day] ?? 0 }));
    const bars = await selectMarks(await draw([{ ...words, kind: "per-day", unit: "plays", days }]));
    expect(bars.map(({ description }) => description)).toEqual([
      "1 Jan: 4,000 plays",
      "2 Jan: 1,000 plays",
      "3 Jan: 0 plays",
      "4 Jan: 2,500 plays",
    ]);
    const [first] = bars;
    for (const [day, { y, height }] of bars.entries()) {
      expect(height / (first?.height ?? 0)).toBeCloseTo((values[day] ?? 0) / 4_000, 2);
      expect(y + height).toBeCloseTo((first?.y ?? 0) + (first?.height ?? 0), 0);
    }
  });

  it("target: circles at or above it, triangles below, no mark where unknown", async () => {
    const shares = [1, 0.95, null, 0.94, 0.9];
    const days = dates(5).map((date, day) => ({ date, value: shares[day] ?? null }));
    const drawing = await draw([
      { ...words, kind: "per-day", isShare: true, unit: "availability", target: 0.95, days },
    ]);
    const marks = await selectMarks(drawing);
    expect(marks.map(({ description }) => description)).toEqual([
      "1 Jan: availability 100.0 %",
      "2 Jan: availability 95.0 %",
      "4 Jan: availability 94.0 %, below the target",
      "5 Jan: availability 90.0 %, below the target",
    ]);
    expect(await drawing.locator("circle").count()).toBe(2);
    // Axis and day lines; known days are connected, with a gap at each unknown day.
    const line = await drawing.locator("path[stroke-width='2']").getAttribute("d");
    expect(line?.match(/M/g)).toHaveLength(2);
  });

  it("stripes cover only the days without complete data", async () => {
    const day = (number: number, value: number | null, data: "whole" | "part" | "none") => ({
      date: `2026-01-0${number}`,
      data,
      value,
    });
    const days = [day(1, 10, "whole"), day(2, 8, "part"), day(3, null, "none")];
    const shares = days.map(({ value, ...of }) => ({ ...of, value: value && 0.97 }));
    const span = { from: "2026-01-01T00:00:00Z", to: null, kind: "down" as const };
    const heatCell = { row: 0, day: 0, level: 0, text: "✓", description: "ran in all" };
    const level = { label: "ran", colour: palette.paleBlue, ink: palette.ink, mark: "✓" };
    const drawings = await draw([
      { ...words, kind: "per-day", unit: "plays", days },
      { ...words, kind: "per-day", isShare: true, unit: "availability", target: 0.95, days: shares },
      {
        ...words,
        kind: "heat-map",
        subject: "campaign",
        rows: [{ label: "Late" }],
        dates: days.map(({ date }) => date),
        data: days.map(({ data }) => data),
        levels: [level],
        cells: [heatCell],
      },
      {
        ...words,
        kind: "timeline",
        subject: "device",
        from: "2026-01-01T00:00:00Z",
        to: "2026-01-03T00:00:00Z",
        dataTo: "2026-01-02T00:00:00Z",
        rows: [{ label: "Entrance", spans: [span] }],
      },
    ]);
    for (const index of [0, 1, 2]) {
      const striped = (await selectMarks(drawings.nth(index))).filter(({ fill }) => fill.startsWith("url("));
      expect(striped.map(({ description }) => description)).toEqual([
        "2 Jan: partial data",
        "3 Jan: no data",
      ]);
      const [part, none] = striped;
      expect((part?.x ?? 0) + (part?.width ?? 0)).toBeCloseTo(none?.x ?? 0, 0);
    }
    const marks = await selectMarks(drawings.nth(3));
    const open = marks.find(({ description }) => description.startsWith("Entrance"));
    const beyond = marks.find(({ description }) => description.includes("no data"));
    // An ongoing outage is known up to the end of the data.
    expect(open?.description).toContain("still down (24 h 0 min)");
    expect((open?.x ?? 0) + (open?.width ?? 0)).toBeCloseTo(beyond?.x ?? 0, 0);
  });

  it("timeline: spans start and end at their times, clipped at the edges", async () => {
    const span = (from: string, to: string | null, kind: "down" | "planned" = "down") => ({ from, to, kind });
    const drawing = await draw([
      {
        ...words,
        kind: "timeline",
        subject: "device",
        from: "2026-01-01T00:00:00Z",
        to: "2026-01-11T00:00:00Z",
        dataTo: "2026-01-11T00:00:00Z",
        rows: [
          { label: "One", spans: [span("2025-12-20T00:00:00Z", "2026-01-02T00:00:00Z")] },
          {
            label: "Two",
            spans: [
              span("2026-01-06T00:00:00Z", null),
              span("2026-01-03T00:00:00Z", "2026-01-03T00:00:01Z", "planned"),
            ],
          },
        ],
      },
    ]);
    const [clipped, open, short] = await selectMarks(drawing);
    const day = clipped?.width ?? 0;
    expect(open?.description).toContain("still down");
    expect((open?.x ?? 0) - (clipped?.x ?? 0)).toBeCloseTo(5 * day, 0);
    expect((open?.width ?? 0) / day).toBeCloseTo(5, 1);
    expect(short?.description).toContain("planned");
    expect([short?.width, short?.height]).toEqual([2, 6]);
    expect((short?.x ?? 0) - (clipped?.x ?? 0)).toBeCloseTo(2 * day, 0);
  });

  it.each([1105, 390])(
    "map: places are on land, and the sea between them is not, at %i pixels",
    async (width) => {
      const cities = { Lisbon: [38.8, -9.1], Boston: [42.4, -71.2], "The Atlantic": [40, -40] } as const;
      const names = Object.keys(cities);
      const places = Object.values(cities).map(([latitude, longitude]) => ({ latitude, longitude, size: 1 }));
      const describe = ([index = 0]: readonly number[]) => {
        const label = names[index] ?? "";
        return { label, zones: "1", value: "", level: 0, description: label };
      };
      const levels = [{ label: "", shape: "circle", colour: palette.blue }] as const;
      const map = { ...words, kind: "map", figure: "plays", levels, describe } as const;
      const onLand = async (drawing: Locator) =>
        await drawing.page().evaluate<[string, boolean?][]>(findOnLand);
      expect(Object.fromEntries(await onLand(await draw([{ ...map, places }], width)))).toEqual({
        Lisbon: true,
        Boston: true,
        "The Atlantic": false,
      });
      // The coastline is too coarse for a city.
      const near = places.map((place, index) => ({ ...place, latitude: 40.7, longitude: -74 + index / 100 }));
      const [first] = await onLand(await draw([{ ...map, places: near }], width));
      expect(first?.[1]).toBeUndefined();
    },
  );

  it("parts: equally long bars are split by shares with patterns", async () => {
    const drawing = await draw([
      {
        ...words,
        kind: "parts",
        subject: "kind",
        parts: [
          { label: "unchanged", colour: palette.grey },
          { label: "new", colour: palette.blue, pattern: "stripes" },
        ],
        rows: [
          { label: "music", values: [300, 100] },
          { label: "signage", values: [0, 0] },
          { label: "messaging", values: [0, 5] },
        ],
      },
    ]);
    const marks = (await selectMarks(drawing)).filter(({ fill }) => !fill.startsWith("url"));
    expect(marks.map(({ description }) => description)).toEqual([
      "music: 300 unchanged",
      "music: 100 new",
      "messaging: 5 new",
    ]);
    const [unchanged, added, messaging] = marks.map(({ width }) => width) as [number, number, number];
    expect(unchanged / added).toBeCloseTo(3, 1);
    expect(messaging).toBeCloseTo(unchanged + added, 0);
    const filled = await drawing.locator("rect[fill^='url(#']").all();
    expect(filled).toHaveLength(2);
    for (const bar of filled) {
      const pattern = (await bar.getAttribute("fill"))?.slice("url(".length, -1) ?? "";
      expect(await drawing.page().locator(`pattern${pattern}`).count()).toBe(1);
    }
  });
});
