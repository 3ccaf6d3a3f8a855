import { expect, it } from "vitest";
import { reportColumns } from "../../../src/report/columns/report-columns.ts";
import { leadingColumns } from "../../../src/report/html/render-rows.ts";

it("a phone shows of a device what its state is, in the words of the page's answer", () => {
  const leading = leadingColumns(reportColumns("devices"), "devices", undefined);
  expect([...leading].map(({ name }) => name)).toEqual(["zone_name", "state", "down_for_seconds"]);
});
