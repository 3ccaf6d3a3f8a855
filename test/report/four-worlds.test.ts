import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reportNames } from "../../src/report/report-name.ts";
import { ask, serveForTest } from "../serve/served.ts";
import { type Alteration, alterService, type PassingRequest } from "../support/altered-service.ts";
import { isAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { type Setup, setNow, setUp } from "../support/service.ts";

/** No answer looks better than its data: pages, files and commands over four worlds, and a good one. */

type Alter = (request: PassingRequest) => Alteration;

interface World {
  alter?: Alter;
  /** Days without collection before the reports. */
  laterDays?: number;
  /** Publishes without collecting. */
  isEmpty?: boolean;
}

interface Shown {
  /** The overview's statuses, by question. */
  statuses: Record<string, string>;
  answers: Record<string, string>;
  /** Markup of each served page, by report. */
  pages: Record<string, string>;
  /** Text of each file that the run wrote, by path. */
  files: Record<string, string>;
  /** Output of commands, stderr included. */
  printed: Record<string, string>;
}

const refused: Alteration = { status: 403 };

/** Campaigns that miss days in the emulated world. */
const isMissed = ({ rrule, name }: { rrule: string; name: string }) =>
  rrule !== "" || /Late Night|Closing Soon/.test(name);

/** Removes missed campaigns and storage errors from the emulated world. */
function allWell({ path }: PassingRequest): Alteration {
  if (path.includes("/campaigns/"))
    return { json: (all: Parameters<typeof isMissed>[0][]) => all.filter((one) => !isMissed(one)) };
  return devicesWith(path, { last_sd_error: "", last_sd_error_date: "" });
}

function devicesWith(path: string, changes: object): Alteration {
  if (!path.includes("/devices/status")) return undefined;
  return { json: (all: object[]) => all.map((one) => ({ ...one, ...changes })) };
}

const refuse =
  (pattern: RegExp): Alter =>
  (request) =>
    pattern.test(request.path) ? refused : allWell(request);

const unknown: Alter = (request) =>
  request.path.includes("/campaigns/")
    ? refused
    : devicesWith(request.path, { status: "disconnected", last_sd_error: "", last_sd_error_date: "" });

async function show(
  { alter = allWell, laterDays = 0, isEmpty = false }: World,
  wanted: readonly string[],
): Promise<Shown> {
  const shownReports = reportNames.filter((name) => isAll || wanted.includes(name));
  // A Friday afternoon with both zones open.
  const setup = await setUp({ days: 12, zones: 2, now: new Date("2026-10-02T20:00:00Z") });
  await alterService(setup, alter);
  const end = setup.emulator.now();
  if (!isEmpty) await checkDevices(setup, end);
  const printed: Shown["printed"] = {};
  const print = async (...args: string[]) => {
    const { stdout, stderr } = await runVenue(args, setup);
    printed[args.join(" ")] = `${stdout}\n${stderr}`;
  };
  await print(isEmpty ? "build" : "run");
  const files = readReports(setup.dataFolder);
  const now = new Date(end.getTime() + laterDays * 86_400_000);
  setNow(setup, now);
  for (const report of shownReports) await print("report", report, "--format", "md");
  await print("doctor");
  const server = await serveForTest({ dataFolder: setup.dataFolder, now: () => now });
  const pages: Shown["pages"] = {};
  for (const report of shownReports) pages[report] = (await ask(server.origin, `/${report}`)).text;
  const overview = (await ask(server.origin, "/")).text;
  return { ...readAssessments(overview), pages, files, printed };
}

/** Every six hours for two days, so that uptime is known. */
async function checkDevices(setup: Setup, end: Date): Promise<void> {
  for (const hours of [48, 42, 36, 30, 24, 18, 12, 6]) {
    setNow(setup, new Date(end.getTime() - hours * 3_600_000));
    await runVenue(["sync", "devices"], setup);
  }
  setNow(setup, end);
}

function readReports(dataFolder: string): Record<string, string> {
  const folder = join(dataFolder, "reports");
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
    /^\d.*\.(html|md)$/.test(name),
  );
  return Object.fromEntries(
    names.map((name) => [name.slice("2026-10-03/".length), readFileSync(join(folder, name), "utf8")]),
  );
}

function readAssessments(page: string): Pick<Shown, "statuses" | "answers"> {
  const found = Array.from(
    page.matchAll(/<p class="status">.*?<\/span> ([^<]*)<\/p>\s*<div><h3>(.*?)<\/h3><p>(.*?)<\/p>/g),
    ([, status = "", question = "", answer = ""]) => [textOf(question), status, textOf(answer)] as const,
  );
  return {
    statuses: Object.fromEntries(found.map(([question, status]) => [question, status])),
    answers: Object.fromEntries(found.map(([question, , answer]) => [question, answer])),
  };
}

function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("\u00a0", " ")
    .replaceAll("&#39;", "'")
    .trim();
}

/** The highlighted figures of a page, by label. */
function factsOf(page = ""): Record<string, string> {
  return Object.fromEntries(
    Array.from(
      page.matchAll(/<span class="label">(.*?)<\/span><span class="value">(.*?)<\/span>/g),
      ([, label = "", value = ""]) => [label, textOf(value)],
    ),
  );
}

function headlineOf(page = ""): string {
  return textOf(/<p class="headline">(.*?)<\/p>/.exec(page)?.[1] ?? "");
}

const questions = [
  "What played?",
  "Did campaigns run?",
  "Were devices up?",
  "Which devices need attention?",
  "Can the figures be trusted?",
];

interface Case extends World {
  /** Statuses by question, in order. One line of an export is unreadable, so figures are never all good. */
  statuses: readonly string[];
  /** Reports whose pages may not show any figure as known. */
  unknown?: readonly string[];
  /** A source that was never collected, and the reports based on it: each notes it, in every format. */
  missing?: readonly [source: string, reports: readonly string[]];
}

const yet = "not known yet";
const look = "needs attention";
const ofDevices = ["compliance", "uptime", "outages", "devices", "quality"];

const worlds: Readonly<Record<string, Case>> = {
  "all is well": { statuses: ["good", "good", "good", "good", look] },
  "nothing is collected": {
    isEmpty: true,
    statuses: [yet, yet, yet, yet, yet],
    unknown: [
      "plays",
      "compliance",
      "uptime",
      "outages",
      "devices",
      "quality",
      "silences",
      "single-plays",
      "loads",
      "rejects",
    ],
    missing: ["history", ["plays", "compliance", "quality", "silences", "single-plays", "loads", "rejects"]],
  },
  "devices are refused": {
    alter: refuse(/devices.status/),
    statuses: ["good", "good", yet, yet, look],
    unknown: ["uptime", "outages", "devices"],
    missing: ["devices", ofDevices],
  },
  "devices of one group are refused": {
    alter: refuse(/devices.status.*58430/),
    statuses: ["good", "good", look, look, look],
    missing: ["devices of group 58430", ofDevices],
  },
  "campaigns of one kind are refused": {
    alter: refuse(/messaging.campaigns/),
    statuses: ["good", look, "good", "good", look],
    missing: ["messaging campaigns", ["compliance", "quality"]],
  },
  "history of one kind is refused": {
    alter: refuse(/music.history/),
    statuses: [look, "good", "good", look, look],
    missing: ["music history", ["plays", "devices", "quality", "silences", "single-plays"]],
  },
  "everything is stale": { laterDays: 60, statuses: [yet, yet, yet, yet, "bad"] },
  "everything is unknown": {
    alter: unknown,
    statuses: ["good", yet, yet, yet, look],
    unknown: ["compliance", "uptime", "outages"],
    missing: ["signage and messaging campaigns", ["compliance", "quality"]],
  },
};

/** Variants of worlds in `make test`, tried only by `make test-all`. */
const similar = [
  "all is well",
  "devices are refused",
  "devices of one group are refused",
  "campaigns of one kind are refused",
  "history of one kind is refused",
  "everything is stale",
];

describe.each(Object.entries(worlds))("when %s", (name, { statuses, unknown = [], missing, ...world }) => {
  it.runIf(isAll || !similar.includes(name))(
    "no page, file or command shows a better status than the data",
    async () => {
      const shown = await show(world, [...unknown, ...(missing?.[1] ?? []), "devices"]);
      const { pages, files, printed } = shown;
      expect(questions.map((question) => shown.statuses[question])).toEqual(statuses);
      // The run's index is as old as the data.
      if (!world.isEmpty && !world.laterDays)
        expect(readAssessments(files["index.html"] ?? "").statuses).toEqual(shown.statuses);
      for (const report of unknown) {
        const { Resolution: _howOftenChecked, ...facts } = factsOf(pages[report]);
        expect(
          Object.entries(facts).filter(([, value]) => value !== "unknown"),
          report,
        ).toEqual([]);
      }
      const [source, reports = []] = missing ?? [];
      for (const report of reports) {
        const sentence = new RegExp(`Never collected completely: [^.]*${source}`);
        expect(textOf(pages[report] ?? ""), report).toMatch(sentence);
        expect(printed[`report ${report} --format md`], report).toMatch(sentence);
      }
      if (missing && !world.isEmpty) expect(printed.run).toMatch(/ [1-9]\d* sources? failed/);
      if (world.isEmpty) expect(printed.doctor).toContain("data as of unknown");
      if (world.laterDays) {
        expect(printed.doctor).toMatch(/data as of \S+, 60 days ago/);
        expect(headlineOf(pages.devices)).toMatch(/^As of 60 days ago, /);
        expect(printed["report devices --format md"]).toContain("The oldest check is 60 days old");
      }
      expect(shown.answers).toMatchSnapshot("answers");
    },
  );
});
