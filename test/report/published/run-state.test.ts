import { join } from "node:path";
import { expect, it } from "vitest";
import { listLastRuns } from "../../../src/report/published/run-state.ts";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it.each([
  [
    "Published v000007 in /srv/my data/published/v000007 (3 files unchanged).",
    "Published v000007 (3 files unchanged).",
  ],
  ["/srv/data/warehouse.duckdb is damaged.", "warehouse.duckdb is damaged."],
  [
    "https://player.example.com/v5/history did not answer.",
    "https://player.example.com/v5/history did not answer.",
  ],
  ["76 requests and/or 2 failed.", "76 requests and/or 2 failed."],
])("pages do not reveal paths: %s", async (note, shown) => {
  const file = join(createTempFolder(), "state.db");
  const state = openDataState(file);
  state.runs.begin("run")({ status: "succeeded", exitCode: 0, note });
  state.close();
  expect(await listLastRuns(file, 5)).toMatchObject([{ note: shown }]);
});
