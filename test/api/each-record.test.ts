import { expect, it } from "vitest";
import { eachRecord } from "../../src/api/each-record.ts";
import {
  answerJson,
  collect,
  createTestClient,
  plainScript,
  startService,
} from "./support/scripted-service.ts";

it.each([
  ["the requested number", 10, 25, ["0", "10", "20"]],
  ["fewer than requested", 4, 10, ["0", "4", "8"]],
  ["all records at once", 100, 25, ["0"]],
  ["none", 10, 0, ["0"]],
])("reads all pages, advancing by the records received: %s", async (_label, size, total, offsets) => {
  const all = Array.from({ length: total }, (_, index) => ({ playlist_id: index, name: `List ${index}` }));
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) return plainScript(request, response, count);
    const offset = Number(new URL(request.path, "http://host").searchParams.get("offset"));
    answerJson(response, { total_count: total, data: all.slice(offset, offset + size) });
  });
  const { playlists } = createTestClient({ baseUrl: service.baseUrl });
  const records = await collect(eachRecord((offset) => playlists.page({ zoneId: 3, limit: 10, offset })));
  expect(records).toEqual(all);
  expect(service.seenExt().map(({ path }) => path)).toEqual(
    offsets.map((offset) => `/v5/ext/zones/3/playlists?limit=10&offset=${offset}`),
  );
});

it("ends at the last record, whatever the total", async () => {
  const offsets: number[] = [];
  const records = eachRecord((offset) => {
    offsets.push(offset);
    return Promise.resolve({ total_count: 99, data: offset === 0 ? ["a", "b"] : [] });
  });
  expect(await collect(records)).toEqual(["a", "b"]);
  expect(offsets).toEqual([0, 2]);
});
