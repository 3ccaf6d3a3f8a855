import { expect, it } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import type { Announcement } from "../../../src/pipeline/notify/incidents.ts";
import { composeDigests, type RuleOutput } from "../../../src/pipeline/notify/messages/compose-digests.ts";
import type { Incident } from "../../../src/state/data/incidents.ts";

const settings = new Settings({ flags: {}, environment: {}, workingFolder: "/" });
const now = new Date("2026-11-21T05:30:00Z");

function listIncidents(count: number, label: string): Incident[] {
  return Array.from({ length: count }, (_, index) => ({
    rule: "missed",
    definition: "rows /compliance",
    subject: `${label} ${index}`,
    label: `${label} ${index}`,
    openedAt: "2026-11-18T04:00:00Z",
    announcedAt: null,
    closedAt: label === "over" ? "2026-11-21T05:30:00Z" : null,
    closedBecause: label === "over" ? "not listed any more" : null,
  }));
}

function createOutput(name: string, announcement?: Announcement): RuleOutput {
  return {
    rule: {
      name,
      lineNumber: 2,
      definition: "rows /compliance",
      condition: announcement ? "rows" : "always",
      address: "compliance",
      recipients: ["webhook:ops"],
    },
    evaluation: {
      title: "Compliance",
      verdict: "3 days were missed.",
      notes: ["Note 1.", "Note 2.", "Note 3.", "Note 4."],
      columns: ["", "Missed"],
      matching: new Map(),
      rowCount: 0,
      clear: new Set(),
      unknown: new Set(),
      pushedOff: new Set(),
      dataAsOf: "2026-11-21T05:00:00Z",
    },
    notes: [],
    ...(announcement && { announcement }),
  };
}

it("shows at most 20 rows of a rule: new ones, then those that are over, then reminders", () => {
  const announcement = {
    begun: listIncidents(12, "new"),
    open: listIncidents(9, "open"),
    over: listIncidents(5, "over"),
  };
  const [{ digest } = { digest: undefined }] = composeDigests([createOutput("missed", announcement)], {
    settings,
    now,
  });
  const [section] = digest?.sections ?? [];
  expect(section?.tables.map(({ change, rows, omitted }) => [change, rows.length, omitted])).toEqual([
    ["new", 12, 0],
    ["open", 3, 6],
    ["over", 5, 0],
  ]);
  expect(section?.tables.map(({ rows }) => rows[0])).toEqual([
    ["new 0"],
    ["open 0", "3 days"],
    ["over 0", "3 days", "not listed any more"],
  ]);
});

it("counts omitted rows even if a list shows none", () => {
  const announcement = { begun: listIncidents(25, "new"), open: [], over: listIncidents(2, "over") };
  const [{ digest } = { digest: undefined }] = composeDigests([createOutput("missed", announcement)], {
    settings,
    now,
  });
  expect(digest?.sections[0]?.tables.map(({ rows, omitted }) => [rows.length, omitted])).toEqual([
    [20, 5],
    [0, 2],
  ]);
});

it.each([
  [[createOutput("morning")], "Compliance: 3 days were missed."],
  [[createOutput("morning"), createOutput("week")], "Reports: morning, week"],
  [
    [createOutput("morning"), createOutput("missed", { begun: listIncidents(1, "new"), open: [], over: [] })],
    "New: new 0 (missed)",
  ],
  [
    [
      createOutput("missed", { begun: listIncidents(2, "new"), open: [], over: [] }),
      createOutput("down", { begun: [], open: [], over: listIncidents(1, "over") }),
      createOutput("morning"),
    ],
    "2 new, 1 over (missed, down)",
  ],
])("headline %#", (outputs, headline) => {
  expect(composeDigests(outputs, { settings, now })[0]?.digest.headline).toBe(headline);
});
