import { expect, it, onTestFinished } from "vitest";
import { getDataAsOf } from "../../../src/report/findings/data-as-of.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { Kind } from "../../../src/util/kind.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const fresh = (group_id: number | null, kind: Kind, requested_at: string, source = "export") => ({
  group_id,
  kind,
  source,
  requested_at,
});

it.each<[string, number[], Kind[], string | null]>([
  ["everything: that of the version", [], [], "2026-11-20T04:00:00Z"],
  ["one kind: the oldest group's latest response", [], ["music"], "2026-11-19T00:00:00Z"],
  ["one group: its oldest kind", [10], [], "2026-11-20T00:00:00Z"],
  ["one group and kind", [10], ["music"], "2026-11-21T00:00:00Z"],
  ["a walked group", [20], [], "2026-11-19T00:00:00Z"],
  ["a group that was never collected completely", [30], [], null],
  ["a kind that was never collected completely", [], ["messaging"], null],
])("covers the sources that are read: %s", async (_label, groupIds, kinds, expected) => {
  const folder = createTempFolder();
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-20T04:00:00Z",
    rows: {
      fact_freshness: [
        fresh(10, "music", "2026-11-21T00:00:00Z"),
        fresh(10, "signage", "2026-11-20T00:00:00Z"),
        fresh(20, "music", "2026-11-19T00:00:00Z", "walk"),
      ],
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  expect(await getDataAsOf(mart, { groupIds, kinds })).toBe(expected);
});

it("is that of files if nothing else was loaded, whatever the groups", async () => {
  const folder = createTempFolder();
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-20T04:00:00Z",
    rows: { fact_freshness: [fresh(null, "music", "2026-11-21T00:00:00Z", "file")] },
  });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  expect(await getDataAsOf(mart, { groupIds: [10], kinds: [] })).toBe("2026-11-21T00:00:00Z");
});
