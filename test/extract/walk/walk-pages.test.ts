import { describe, expect, it } from "vitest";
import { NotFoundError, ServiceRefusedError, UnexpectedResponseError } from "../../../src/api/errors.ts";
import { fetchWalkPage } from "../../../src/extract/walk/walk-pages.ts";
import { type PageAnswer, type PageRequest, plays, servePages } from "./page-server.ts";

type Asked = Partial<Parameters<typeof fetchWalkPage>[1]>;

/** Requests a page from a service with this response; returns the requests and the result. */
async function fetchPage(answer: (request: PageRequest) => PageAnswer, requested: Asked = {}) {
  const requests: string[] = [];
  const { begin } = await servePages((request) => {
    requests.push(`${request.offset} ${request.limit}`);
    return answer(request);
  });
  let counted = 0;
  const request = { offset: 0, isFresh: true, largest: 0, onRequest: () => (counted += 1), ...requested };
  const outcome = await fetchWalkPage({ kind: "music", zoneId: 7 }, request, begin()).catch((error) => error);
  expect(counted).toBe(requests.length);
  return { outcome, requests };
}

describe("more may follow a page", () => {
  it.each<[string, number, Extract<PageAnswer, object>, Asked, boolean]>([
    ["as many came as were requested for", 5, { data: plays(5), total: 5 }, { limit: 5 }, true],
    [
      "as many came as were requested for, fewer than ever",
      ...([5, { data: plays(5), total: 5 }, { limit: 5, largest: 7 }, true] as const),
    ],
    ["as many as the stated page size", 5, { data: plays(5), total: 5, pageSize: 5 }, {}, true],
    ["as many as the largest page", 7, { data: plays(7), total: 7 }, { largest: 7 }, true],
    ["more than the total", 7, { data: plays(7), total: 6 }, {}, true],
    ["a page count of more than one", 7, { data: plays(7), total: 7, pageCount: 2 }, {}, true],
    ["a round number", 20, { data: plays(20), total: 20 }, {}, true],
    ["ten", 10, { data: plays(10), total: 10 }, {}, true],
    ["a multiple of 25", 75, { data: plays(75), total: 75 }, {}, true],
    ["an odd number", 21, { data: plays(21), total: 21 }, {}, false],
    ["a few", 5, { data: plays(5), total: 5 }, {}, false],
    ["fewer than the largest page", 20, { data: plays(20), total: 20 }, { largest: 21 }, false],
    ["none", 0, { data: [], total: 5 }, { limit: 0 }, false],
    ["none, and none ever", 0, { data: [], total: 0, pageSize: 0 }, {}, false],
    ["up to the total, from an offset on", 7, { data: plays(7), total: 47 }, { offset: 40 }, false],
    ["more than the total, from an offset on", 7, { data: plays(7), total: 46 }, { offset: 40 }, true],
  ])("%s: %d records", async (_label, count, answer, requested, isFull) => {
    const { outcome } = await fetchPage(() => answer, requested);
    const { records, ...rest } = outcome;
    expect(rest).toEqual({ offset: requested.offset ?? 0, total: answer.total, isFull });
    expect(records).toHaveLength(count);
  });

  it.each([
    [20, true],
    [21, true],
    [22, false],
  ])("20 records, a round number, after another zone's page of %d: %s", async (most, isFull) => {
    const { begin, walk } = await servePages(({ zoneId }) => {
      const data = plays(zoneId === 8 ? most : 20);
      return { data, total: data.length };
    });
    await walk(begin(), 8);
    const request = { offset: 0, isFresh: true, largest: 0, onRequest: () => {} };
    const page = await fetchWalkPage({ kind: "music", zoneId: 7 }, request, begin());
    expect(page.isFull).toBe(isFull);
  });
});

describe("a missing page", () => {
  const behind = (status: number) => (request: PageRequest) =>
    request.offset > 0 ? status : { data: plays(1), total: 9 };

  it("is requested once more", async () => {
    const { outcome, requests } = await fetchPage(({ count }) =>
      count === 0 ? 404 : { data: [], total: 0 },
    );
    expect(outcome).toMatchObject({ records: [], total: 0 });
    expect(requests).toEqual(["0 1000", "0 1000"]);
  });

  it("has no records if the first one exists", async () => {
    const { outcome, requests } = await fetchPage(behind(404), { offset: 40 });
    expect(outcome).toEqual({ offset: 40, total: 9, records: [], isFull: false });
    expect(requests).toEqual(["40 1000", "40 1000", "0 1"]);
  });

  it("has no records either if its offset is refused", async () => {
    const { outcome, requests } = await fetchPage(behind(416), { offset: 40 });
    expect(outcome).toEqual({ offset: 40, total: 9, records: [], isFull: false });
    expect(requests).toEqual(["40 1000", "0 1"]);
  });

  it.each([
    [0, ["0 1000", "0 1000"]],
    [40, ["40 1000", "40 1000", "0 1", "0 1"]],
  ])("fails if no page exists, from %d on", async (offset, requested) => {
    const { outcome, requests } = await fetchPage(() => 404, { offset });
    expect(outcome).toBeInstanceOf(NotFoundError);
    expect(requests).toEqual(requested);
  });

  it("fails if it is refused for another reason", async () => {
    const { outcome, requests } = await fetchPage(behind(403), { offset: 40 });
    expect(outcome).toBeInstanceOf(ServiceRefusedError);
    expect(requests).toEqual(["40 1000"]);
    expect((await fetchPage(() => 416)).outcome).toBeInstanceOf(ServiceRefusedError);
  });
});

it("requests no larger limit than the zone accepts", async () => {
  const answer = ({ limit, offset }: PageRequest): PageAnswer =>
    limit > 100 ? 400 : { data: plays(Math.min(limit, 100), offset), total: 500 };
  const { outcome, requests } = await fetchPage(answer, { limit: 300 });
  expect(outcome.records).toHaveLength(100);
  expect(requests).toEqual(["0 300", "0 200", "0 100"]);
  expect((await fetchPage(answer, { limit: 30 })).requests).toEqual(["0 30"]);
  // If a few records are rejected too, the limit is not the cause.
  expect((await fetchPage(() => 400, { limit: 30 })).requests).toEqual(["0 30", "0 30"]);
  expect((await fetchPage(() => 400)).requests).toHaveLength(5);
});

describe("a page of another zone", () => {
  const ofZones = (...zoneIds: unknown[]) =>
    zoneIds.map((zone_id, index) => ({ ...plays(1, index)[0], zone_id }));

  it.each([[[8]], [["8", 9, null]]])("is rejected, with records of zones %j", async (zoneIds) => {
    const { outcome } = await fetchPage(() => ({ data: ofZones(...zoneIds), total: 3 }));
    expect(outcome).toBeInstanceOf(UnexpectedResponseError);
    expect(outcome.message).toContain("data contains only records of other zones");
  });

  it.each([[[8, "7"]], [[7, 7]], [[null, "x", ""]], [[]]])(
    "is accepted, with records of zones %j",
    async (zoneIds) => {
      const { outcome } = await fetchPage(() => ({ data: ofZones(...zoneIds), total: zoneIds.length }));
      expect(outcome.records).toHaveLength(zoneIds.length);
    },
  );
});
