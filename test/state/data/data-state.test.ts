import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it("is one file once settled, with the same content when reopened", () => {
  const folder = createTempFolder();
  const path = join(folder, "state.db");
  const state = openDataState(path);
  state.runs.begin("build")({ status: "succeeded", exitCode: 0, note: "one" });
  expect(readdirSync(folder)).toContain("state.db-wal");
  state.finish();
  expect(readdirSync(folder)).toEqual(["state.db"]);
  state.close();

  const again = openDataState(path);
  expect(again.runs.list(1)).toMatchObject([{ command: "build", note: "one" }]);
  again.close();
});
