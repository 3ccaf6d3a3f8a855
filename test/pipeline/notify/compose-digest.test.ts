import { expect, it } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import {
  composeDigest,
  composeSection,
  type DigestSection,
} from "../../../src/pipeline/notify/compose-digest.ts";
import type { Change, Incident } from "../../../src/state/data/incidents.ts";

const settings = new Settings({ flags: {}, environment: {}, workingFolder: "/" });
const now = new Date("2026-11-21T05:30:00Z");
const recipient = "webhook:ops";

function listIncidents(change: Change, count: number): Incident[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ rule: "missed", definition: "rows /compliance", recipient, messageId: "id", change },
    ...{ entity: `${change} ${index}`, label: `${change} ${index}` },
    openedAt: "2026-11-18T04:00:00Z",
    announcedAt: null,
    closedAt: change === "over" ? "2026-11-21T05:30:00Z" : null,
  }));
}

function section(name: string, counts?: Partial<Record<Change, number>>, hasSpans = true): DigestSection {
  const { new: begun = 0, open = 0, over = 0 } = counts ?? {};
  return composeSection(
    {
      ...{ name, address: "compliance" },
      condition: counts ? "rows" : "always",
    },
    {
      ...{
        title: "Compliance",
        subject: { state: "missed" },
        answer: "3 days were missed.",
        notes: ["1.", "2.", "3.", "4."],
      },
      ...{ columns: ["", "Missed"], matching: new Map(), rowCount: 0, undecided: new Set(), hasSpans },
      dataAsOf: "2026-11-21T05:00:00Z",
    },
    [...listIncidents("new", begun), ...listIncidents("open", open), ...listIncidents("over", over)],
    { settings, now },
  );
}

it("shows at most 20 rows of a rule: new ones, then those that are over, then reminders", () => {
  const { tables } = section("missed", { new: 12, open: 9, over: 5 });
  expect(tables.map(({ change, rows, omitted }) => [change, rows.length, omitted, rows[0]])).toEqual([
    ["new", 12, 0, ["new 0"]],
    ["over", 5, 0, ["over 0", "73\u00a0h 30\u00a0min"]],
    ["open", 3, 6, ["open 0", "73\u00a0h 30\u00a0min"]],
  ]);
  const many = section("missed", { new: 25, over: 2 }).tables;
  expect(many.map(({ rows, omitted }) => [rows.length, omitted])).toEqual([
    [20, 5],
    [0, 2],
  ]);
});

it("an end includes when it was noticed if the view has no start", () => {
  const [table] = section("missed", { over: 1 }, false).tables;
  expect([table?.columns, table?.rows]).toEqual([
    ["", "Lasted", "Noticed at"],
    [["over 0", "73\u00a0h 30\u00a0min", "2026-11-18 04:00 UTC"]],
  ]);
});

it.each([
  [[section("morning")], "Compliance: 3 days were missed."],
  [[section("morning"), section("week")], "Reports: morning, week"],
  [[section("morning"), section("missed", { new: 1 })], "1 missed: new 0"],
  [[section("missed", { new: 3 })], "3 missed: new 0, new 1, new 2"],
  [
    [section("missed", { new: 25, over: 2 })],
    "25 missed: new 0, new 1, new 2 and 22 more; 2 no longer missed",
  ],
  [
    [section("missed", { new: 2 }), section("down", { over: 1, open: 2 }), section("morning")],
    "2 missed: new 0 and 1 more; 1 no longer missed: over 0; 2 still missed: open 0 and 1 more",
  ],
])("headline %#", (sections, headline) => {
  expect(composeDigest(sections, { settings, now }).headline).toBe(headline);
});
