import { Command } from "commander";
import { expect, it } from "vitest";
import { CliContext } from "../../src/cli/cli-context.ts";
import { commandList } from "../../src/cli/command-list.ts";
import { listenForInterruption } from "../../src/cli/interruption.ts";
import { setUpPlays } from "../support/published-plays.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const nonsense = "nonsense";

/** Flags that are wrong in combination, or that only the command itself can check. */
const assessedLater = [
  "nope",
  "repot",
  "report",
  "report playz",
  "report plays extra",
  "report quality --by zone",
  "report quality --top 3",
  "report plays --by zone,,kind",
  "report plays --to tomorrow",
  "report plays --to 7d",
  "report uptime --split zone --out {zone}.csv --fail-under 0.9",
  "report plays --by item --top 5 --per city",
  "report plays --by item,city --per city",
  "report plays --per city",
  "report outages --top 5 --per zone",
  "report plays --to 9999-12-31",
  "report plays --kind musik",
  "report plays --top 2.5",
  "report plays --fail-under 0.5",
  "report compliance --by kind",
  "report plays --nope",
  "report plays --by nope",
  "report plays --by kin",
  "report plays --from 2026-02-30",
  "report plays --from 2026-11-20 --to 2026-11-01",
  "report plays --compare befor",
  "report plays --compare 2026-10-01..2026-10-32",
  "report plays --compare 2026-10-20..2026-10-01",
  "report plays --compare before --by week",
  "report uptime --compare before --by week,month",
  "report uptime --compare 4-weeks-ago --by month",
  "report plays --raw --out plays.csv",
  "report outages --compare before",
  "report uptime --compare before --fail-under 0.9",
  "report plays --sort plays_change",
  "report plays --format docx",
  "report plays --out plays.docx",
  "report plays --out plays.csv --format json",
  "report plays --top 0",
  "report plays --kind video",
  "report plays --sort nope",
  "report plays --only missed",
  "report plays --explain 1",
  "report devices --from 2026-11-01",
  "report compliance --fail-under 2",
  "report compliance --fail-under half",
  "report compliance --explain nope",
  "report uptime --kind music",
  "report plays --as-of x",
  "sync histry",
  "load --kind music",
  "load nowhere --kind video",
  "api devces",
  "api device status",
  "api devices sttus",
  "api devices status --group-id 1 --volume 3",
  "api history export --kind video --group-id 1",
  "api status notices --type unplaned",
  "sync --client-secret=x",
  "plays --by zone",
  "load",
  "query",
  "reference nope",
  "completion fihs",
  "help availabilty",
  "metrics --out venue.txt",
  "serve --host 0.0.0.0",
  "serve --port 99999",
  "serve --tls-cert cert.pem",
  "serve --token-file nope --tls-cert nope --tls-key nope",
  "report plays --bom",
  "report plays --date 2026-11-01",
  "report plays --explain",
  "report compliance --explain",
  "report compliance --explain --date 2026-11-31",
  "report compliance --explain --date 2026-11-03",
  "report compliance --explain --campaign 1 --zone 1 --date 2026-11-03 --only missed",
  "report compliance --explain --campaign 1 --zone 1 --date 2026-11-03 --from 2026-11-01",
  "report compliance --explain --campaign 1 --zone 1 --date 2026-11-03 --fail-under 0.9",
  "report compliance --explain --campaign 1 --zone 1 --date 2026-11-03 --where region=North",
  "report compliance --explain --date 2026-11-03 --campaign 7",
  "report compliance --only nope",
  "report compliance --only mised",
  "report devices --only missed",
  "report compliance --kind music",
  "report plays --campaign 7",
  "report single-plays --item nope",
  "report plays --device 7",
  "report uptime --device nope",
  "report loads --load nope",
  `report plays --search ${"x".repeat(201)}`,
  "report plays --zone ,",
  "query one two",
  "runs 3",
  "runs --limit",
  "plan --threads many",
  "plan --base-url nope",
  "build --engine oracle",
];

/** Wrong for the published data, in the tests' shared world of plays. */
const assessedByData = [
  ["report", "plays", "--columns", "nope"],
  ["report", "plays", "--columns", "play"],
  ["report", "plays", "--zone", "987"],
  ["report", "plays", "--zone", "Baar"],
  ["report", "plays", "--group", "987"],
  ["report", "plays", "--location", "Nowhere at all"],
  ["report", "compliance", "--campaign", "987"],
  ["report", "compliance", "--campaign", "Nope"],
  ["report", "single-plays", "--item", "987"],
  ["report", "uptime", "--device", "987"],
  ["report", "rejects", "--load", "987"],
  ["report", "plays", "--as-of", "v000009"],
  ["query", ""],
  ["query", "nonsense"],
  ["query", "drop table dim_zone"],
  ["query", "select 1; select 2"],
  ["query", "select * from dim_zon"],
  ["query", "select * from nope"],
  ["query", "select nope from dim_zone"],
  ["query", "select * from '/etc/passwd'"],
  ["query", "select * from read_csv('/etc/passwd')"],
  ["query", "copy dim_zone to 'zones.csv'"],
];

/** Every flag of every command whose parser rejects nonsense. */
async function refusedFlags(): Promise<string[]> {
  const { stdout, stderr, stdin } = process;
  const program = new Command("venue");
  const io = { stdout, stderr, stdin, environment: {}, workingFolder: createTempFolder() };
  const interruptions = listenForInterruption(false);
  const context = new CliContext(io, program, interruptions);
  for (const { name, load } of commandList) (await load()).define(program.command(name), context);
  interruptions.stop();
  return [...flagsBelow(program, "")];
}

function* flagsBelow(command: Command, path: string): Generator<string> {
  for (const { long, required, parseArg } of command.options) {
    if (required && refuses(() => parseArg?.(nonsense, undefined))) yield `${path}${long} ${nonsense}`;
  }
  for (const child of command.commands) yield* flagsBelow(child, `${path}${child.name()} `);
}

function refuses(parse: () => unknown): boolean {
  try {
    parse();
    return false;
  } catch {
    return true;
  }
}

it("states for every wrong flag the problem, the accepted values and the help to read", async () => {
  const empty = { environment: {}, workingFolder: createTempFolder() };
  const published = await setUpPlays();
  const calls = [
    ...[...(await refusedFlags()), ...assessedLater].map((call) => [call.split(" "), empty] as const),
    ...assessedByData.map((words) => [words, published] as const),
  ];
  const messages = new Map<string, string>();
  for (const [args, setup] of calls) {
    const { workingFolder } = setup;
    const call = args.map((word) => (/[^\w,.:-]/.test(word) || word === "" ? `"${word}"` : word)).join(" ");
    const finished = await runVenue(args, setup);
    const { code, stdout } = finished;
    const stderr = finished.stderr.replaceAll(workingFolder, "");
    expect([call, code, stdout]).toEqual([call, 2, ""]);
    // For a query, the message ends with the database's text.
    if (args[0] !== "query") expect(stderr).toMatch(/^venue: [\s\S]*[.?)]\n$/);
    // Many endpoints share their flags.
    const words = stderr.replace(/ See `.*\n$/, "\n");
    if (!messages.has(words)) messages.set(words, `$ venue ${call}\n${stderr}`);
  }
  expect(messages.size).toBeGreaterThan(50);
  await expect([...messages.values()].join("\n")).toMatchFileSnapshot("wrong-flags.txt");
});
