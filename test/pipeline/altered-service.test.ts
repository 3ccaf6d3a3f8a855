import { expect, it } from "vitest";
import type { SyncOptions } from "../../src/extract/plan/sync-options.ts";
import { type Alteration, alterService, type PassingRequest } from "../support/altered-service.ts";
import { itEachLimited, itEachSampled, itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setUp, trueFigures } from "../support/service.ts";
import { coreFigures, readCore } from "./core-figures.ts";
import { syncHere } from "./sync-workspace.ts";

const small = { days: 3, zones: 2, playScale: 0.2 };

itEachSampled([true, false], 1)(
  "reports what the status API counts but does not list, with a next page always announced: %s",
  async (isEndless) => {
    const setup = await setUp(small);
    const passed = await alterService(setup, ({ path }) =>
      /components|present/.test(path)
        ? {
            json: (answer) => {
              const page = Number(/page=(\d+)/.exec(path)?.[1] ?? 1);
              answer.meta.total_count = 60;
              answer.meta.next_page = isEndless ? `/v1/x?page=${page + 1}` : null;
              return answer;
            },
          }
        : undefined,
    );
    const { incomplete, failures } = await syncHere(setup, { topics: ["status"] });
    expect(failures).toEqual([]);
    expect(incomplete.map(({ source, why }) => `${source}: ${why}`).sort()).toEqual([
      expect.stringMatching(/^components of .*: the status API counts 60 components but lists \d+$/),
      expect.stringMatching(/^notices of .*: the status API counts 60 present notices but lists \d+$/),
    ]);
    expect(passed.length).toBeLessThan(15);
  },
);

it("accepts what the status API lists if it counts more and has no page after the last", async () => {
  const setup = await setUp(small);
  await alterService(setup, ({ path }) => {
    if (!path.includes("components")) return undefined;
    if (path.includes("page=")) return { status: 404 };
    return {
      json: ({ components, meta }) => ({
        components,
        meta: { ...meta, total_count: components.length + 1, next_page: null },
      }),
    };
  });
  const { incomplete, failures } = await syncHere(setup, { topics: ["status"] });
  expect(failures).toEqual([]);
  expect(incomplete.map(({ why }) => why)).toEqual([
    expect.stringMatching(/^the status API counts \d+ components but lists \d+$/),
  ]);
  const [row] = await readCore<{ components: number }>(
    setup,
    "select count(*)::integer as components from core.component",
  );
  expect(row?.components).toBeGreaterThan(0);
});

const isPoll = ({ path }: PassingRequest) => path.includes("/history/exports/");
const isCreate = ({ method, path }: PassingRequest) => method === "POST" && path.endsWith("/history/export");
// biome-ignore lint/suspicious/noExplicitAny: as the emulator wrote it
const polled = (change: (job: any) => unknown) => (request: PassingRequest) =>
  isPoll(request) ? { json: change } : undefined;

const alterations: Record<string, (request: PassingRequest) => Alteration> = {
  "that are completed before they have a link": (request) =>
    isPoll(request) && request.count === 1
      ? { json: ({ job_id, status }) => ({ job_id, status }) }
      : undefined,
  "that are unknown at the first polls": (request) =>
    isPoll(request) && request.count <= 2 ? { status: 404 } : undefined,
  "with another word for completed": polled((job) => ({
    ...job,
    status: job.status === "completed" ? " DONE" : job.status,
  })),
  "that are accepted without a status": (request) =>
    isCreate(request) ? { json: ({ job_id }) => ({ job_id }) } : undefined,
};

itEachLimited(
  Object.keys(alterations),
  1,
  2,
)("collects exports %s, and requests none twice", async (label) => {
  const setup = await setUp(small);
  await alterService(setup, alterations[label] ?? (() => undefined));
  const { failures } = await syncHere(setup, { mode: "export", topics: ["history"] });
  expect(failures).toEqual([]);
  expect(await coreFigures(setup)).toEqual(trueFigures(setup.emulator.world, setup.emulator.now()));
  expect(setup.emulator.jobs).toHaveLength(6);
});

it("retries after a proxy's error page", async () => {
  const setup = await setUp(small);
  const page = { status: 200, headers: { "content-type": "text/html" }, body: "<html>" };
  await alterService(setup, ({ path, count }) =>
    /history\?|devices/.test(path) && count === 1 ? page : undefined,
  );
  const { failures } = await syncHere(setup, { mode: "walk", topics: ["history", "devices"] });
  expect(failures).toEqual([]);
  expect(await coreFigures(setup)).toEqual(trueFigures(setup.emulator.world, setup.emulator.now()));
});

it.each<[string, SyncOptions["topics"]]>([
  ["walks", ["history"]],
  ["listings", ["devices", "campaigns"]],
])("stops at its time limit although the service asks it to wait: %s", async (_label, topics) => {
  const setup = await setUp(small);
  const wait = { status: 429, headers: { "retry-after": "240" } };
  await alterService(setup, ({ path }) => (/history\?|campaigns/.test(path) ? wait : undefined));
  const { isStopped, failures, sources } = await syncHere(setup, { mode: "walk", topics, maxMinutes: 0.03 });
  expect(isStopped).toBe(true);
  expect(failures).toEqual([]);
  expect(sources[topics.at(-1) ?? "history"]?.left).toBeGreaterThan(0);
});

itInAll("reads again what a stopped sync could not prove complete, and only then succeeds", async () => {
  const setup = await setUp(small);
  let isOdd = true;
  await alterService(setup, ({ path }) => {
    if (!isOdd || !path.includes("/history?")) return undefined;
    if (!path.includes("/music/history?zone_id=81001")) return { status: 503 };
    return { json: (page) => ({ ...page, total_count: page.total_count + 5 }) };
  });
  const options = { mode: "walk", topics: ["history"], maxMinutes: 0.08 } as const;
  const first = await syncHere(setup, options);
  expect(first.isStopped).toBe(true);
  expect(first.incomplete.map(({ source }) => source)).toEqual(["music history of zone 81001"]);
  isOdd = false;
  const { incomplete, sources } = await syncHere(setup, { ...options, maxMinutes: undefined });
  expect(incomplete).toEqual([]);
  expect(sources.history).toMatchObject({ expected: 6, complete: 6, incomplete: 0, earlier: 0 });
  expect(await coreFigures(setup)).toEqual(trueFigures(setup.emulator.world, setup.emulator.now()));
});

it("prints its object with --json even if everything is refused", async () => {
  const setup = await setUp(small);
  await alterService(setup, ({ path }) => (/history|devices/.test(path) ? { status: 403 } : undefined));
  const { stdout, stderr, code } = await runVenue(["sync", "history", "devices", "--json"], setup);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    sources: { history: { expected: 6, complete: 0, failed: 6 }, devices: { expected: 2, failed: 2 } },
    failures: expect.arrayContaining([
      { source: "devices of group 58429", error: expect.stringContaining("403") },
    ]),
  });
  expect(stderr.match(/Nothing was collected: The service refused/g)).toHaveLength(1);
});

itEachSampled(
  [
    ["exports are refused", isCreate, 403],
    ["polls of exports are refused", isPoll, 400],
  ],
  1,
)("walks at once if %s", async ([_label, isRefused, status]) => {
  const setup = await setUp(small);
  const passed = await alterService(setup, (request) => (isRefused(request) ? { status } : undefined));
  const { failures, notes, sources } = await syncHere(setup, { topics: ["history", "devices"] });
  expect(failures).toEqual([]);
  expect(notes).toContain("music history of zone 81001: walked, because the service failed its export.");
  expect(sources.history).toMatchObject({ expected: 6, complete: 6, failed: 0 });
  expect(await coreFigures(setup)).toEqual(trueFigures(setup.emulator.world, setup.emulator.now()));
  expect(passed.filter((request) => request.startsWith("POST") && request.endsWith("/export"))).toHaveLength(
    6,
  );
});
