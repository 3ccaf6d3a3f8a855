import { describe, expect, it } from "vitest";
import type { Emulator, EmulatorOptions } from "../../../src/emulator/emulator.ts";
import { startSmallEmulator } from "../small-emulator.ts";
import { readResponse, type TestResponse } from "../test-api.ts";

interface List {
  meta: { count: number; total_count: number; next_page: string | null };
  [name: string]: unknown;
}

interface Notice {
  id: number;
  type: string;
  state?: string;
  timeline_state: string;
}

const demo: EmulatorOptions = { zones: 12, days: 60, playScale: 1, now: new Date("2026-11-21T12:00:00Z") };

async function fetchJson(emulator: Emulator, path: string): Promise<TestResponse> {
  for (;;) {
    const answer = await readResponse(await fetch(`${emulator.statusUrl}/api/v1/${path}`));
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Follows the pages by number, since links cannot be followed as they are. */
async function readAll<Item>(
  emulator: Emulator,
  name: string,
  query = "",
): Promise<{ items: Item[]; links: string[] }> {
  const items: Item[] = [];
  const links: string[] = [];
  for (let page: string | null = "1"; page !== null; ) {
    const list = (await fetchJson(emulator, `${name}?${query}&page=${page}`)).body as List;
    const records = list[name] as Item[];
    expect(list.meta.count).toBe(records.length);
    expect(records.length).toBeLessThanOrEqual(25);
    items.push(...records);
    const link = list.meta.next_page;
    if (link !== null) links.push(link);
    page = link === null ? null : new URLSearchParams(link.split("?")[1]).get("page");
    expect(list.meta.total_count).toBeGreaterThanOrEqual(items.length);
    if (page === null) expect(items.length).toBe(list.meta.total_count);
  }
  return { items, links };
}

describe("lists", () => {
  it("a demo world has over 60 notices and 30 components, in pages with links of several forms", async () => {
    const emulator = await startSmallEmulator(demo);
    const notices = await readAll<Notice>(emulator, "notices");
    const components = await readAll<{ id: number }>(emulator, "components");
    expect(notices.items.length).toBeGreaterThan(60);
    expect(components.items.length).toBeGreaterThan(30);
    expect(new Set(notices.items.map(({ id }) => id)).size).toBe(notices.items.length);
    expect(notices.links.map((link) => link.split("?")[0])).toEqual(
      expect.arrayContaining(["/v1/notices", "/api/v1/notices", "v1/notices"].slice(0, notices.links.length)),
    );
  });

  it("filters combine and are kept in links", async () => {
    const emulator = await startSmallEmulator(demo);
    const { items: all } = await readAll<Notice>(emulator, "notices");
    for (const [query, isWanted] of [
      ["filter[type_eq]=unplanned", (notice: Notice) => notice.type === "unplanned"],
      [
        "filter[type_eq]=planned&filter[timeline_state_eq]=past_distant",
        (notice: Notice) => notice.type === "planned" && notice.timeline_state === "past_distant",
      ],
    ] as const) {
      const { items, links } = await readAll<Notice>(emulator, "notices", query);
      expect(items.length).toBeGreaterThan(0);
      expect(items).toEqual(all.filter(isWanted));
      for (const link of links) expect(decodeURIComponent(link)).toContain(query);
    }
  });

  it("components: the top level, the children of one", async () => {
    const emulator = await startSmallEmulator(demo);
    const { items: all } = await readAll<{ id: number; parent_id: number | null }>(emulator, "components");
    const top = await readAll<object>(emulator, "components", "filter[parent_id_null]=true");
    expect(top.items).toEqual(all.filter(({ parent_id: parent }) => parent === null));
    const children = await readAll<{ parent_id: number }>(emulator, "components", "filter[parent_id_eq]=310");
    expect(children.items.map(({ parent_id: parent }) => parent)).toEqual([310, 310, 310, 310]);
    expect((await fetchJson(emulator, "components?filter[parent_id_eq]=1")).body).toMatchObject({
      components: [],
    });
  });

  it.each([
    "notices?page=0",
    "notices?page=x",
    "notices?filter[type_eq]=odd",
    "notices?filter[timeline_state_eq]=past",
    "components?filter[parent_id_eq]=x",
    "components?filter[parent_id_null]=perhaps",
  ])("%s: 400", async (path) => {
    expect((await fetchJson(await startSmallEmulator(), path)).status).toBe(400);
  });
});

it("allows ten requests a second", async () => {
  const { statusUrl } = await startSmallEmulator();
  const answers = await Promise.all(Array.from({ length: 14 }, () => fetch(`${statusUrl}/api/v1/status`)));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(10);
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4);
});
