import { expect, it, onTestFinished } from "vitest";
import { getDataAsOf } from "../../src/report/data-as-of.ts";
import { openPublished } from "../../src/report/open-published.ts";
import type { Kind } from "../../src/util/kind.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { createTempFolder } from "../support/temp-folder.ts";

function load(group_id: number, kind: Kind, requested_at: string, source = "export") {
  return { load_id: 1, source, kind, group_id, requested_at, lines: 1 };
}

it.each<[string, number[], Kind[], string | null]>([
  ["everything: what the version says", [], [], "2026-11-20T04:00:00Z"],
  ["one kind: its oldest group's newest export", [], ["music"], "2026-11-19T00:00:00Z"],
  ["one group: its oldest kind", [10], [], "2026-11-20T00:00:00Z"],
  ["one group and kind", [10], ["music"], "2026-11-21T00:00:00Z"],
])("is of the sources that are read: %s", async (_label, groupIds, kinds, expected) => {
  const folder = createTempFolder();
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-20T04:00:00Z",
    rows: {
      bridge_group_zone: [
        { group_id: 10, zone_id: 1 },
        { group_id: 20, zone_id: 2 },
      ],
      fact_load: [
        load(10, "music", "2026-11-01T00:00:00Z"),
        load(10, "music", "2026-11-21T00:00:00Z"),
        load(10, "signage", "2026-11-20T00:00:00Z"),
        load(20, "music", "2026-11-19T00:00:00Z"),
        load(20, "music", "2026-11-22T00:00:00Z", "file"),
        load(30, "music", "2026-10-01T00:00:00Z"),
      ],
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  expect(await getDataAsOf(mart, { groupIds, kinds })).toBe(expected);
});
