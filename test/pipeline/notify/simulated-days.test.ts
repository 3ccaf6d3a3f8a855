import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { itEachSampled, share } from "../../support/long-suite.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { type RunOptions, runVenue, startVenue } from "../../support/run-venue.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import {
  downDevices,
  ExpectedMessages,
  freshness,
  fullDevices,
  measureDown,
  missedCampaigns,
  oldSources,
  type ReferenceRule,
  silentDevices,
  weakCampaigns,
} from "./expected-messages.ts";
import { type Receiver, receive } from "./receiver.ts";
import { shortenLabel } from "./set-up-machine.ts";
import { dayMs, SimulatedWorld } from "./simulated-world.ts";

const days = share(10, 30, 30);
const ownSpan = 7;
/** On this day the view of a rule changes. */
const changeDay = 7;
const changedSpan = 5;
/** On these days, a line of the rules has a mistake; on one, the whole file can't be read. */
const mistakenDays = [9, 10];
const unreadableDay = 5;
const quiet = [Date.UTC(2026, 10, 4) / dayMs, Date.UTC(2026, 10, 5) / dayMs] as const;

const rules: readonly ReferenceRule[] = [
  { name: "down", to: ["ops"], quiet, remindDays: 2, truth: (world) => downDevices(world, () => true) },
  {
    name: "long",
    to: ["ops", "desk"],
    weekdays: [1, 3, 5],
    truth: (world) => downDevices(world, (seconds) => seconds > 36_000),
  },
  { name: "missed", to: ["ops"], remindDays: 3, truth: missedCampaigns },
  {
    name: "weak",
    to: ["desk"],
    weekdays: [1, 2, 3, 4, 5],
    remindDays: 2,
    truth: (world) => weakCampaigns(world, ownSpan, 0.6),
  },
  { name: "silent", to: ["desk"], truth: silentDevices },
  { name: "full", to: ["desk"], weekdays: [2, 4], truth: fullDevices },
  {
    name: "late",
    to: ["ops"],
    quiet,
    wait: { seconds: 12 * 3600, measure: measureDown },
    truth: (world) => downDevices(world, () => true),
  },
  { name: "still", to: ["desk"], wait: { seconds: 6 * 3600 }, truth: silentDevices },
  { name: "sources", to: ["ops"], remindDays: 1, truth: oldSources },
  { name: "plays", to: ["desk"], quiet, weekdays: [0, 2, 6] },
];

function writeRules(span: number, isMistaken: boolean): string {
  return `name,when,view,to,attach,days,remind_days,for
down,rows,/devices?only=${isMistaken ? "dwon" : "down"},webhook:ops,,,2
long,down_for_seconds > 36000,/devices,"webhook:ops,desk",,"mon,wed,fri",
missed,rows,"/compliance?by=campaign,zone&only=missed&from=${span}d",webhook:ops,,,3
weak,compliance < 60%,/compliance?by=campaign&from=7d,webhook:desk,,"mon,tue,wed,thu,fri",2
silent,rows,/devices?only=silent,webhook:desk
full,storage_used_share >= 90%,/devices,webhook:desk,,"tue,thu"
late,rows,/devices?only=down,webhook:ops,,,,12h
still,rows,/devices?only=silent,webhook:desk,,,,360m
sources,rows,/,webhook:ops,,,1
plays,always,/plays?by=kind&from=yesterday,webhook:desk,,"sun,tue,sat",
`;
}

/** Fails at most once for each message: with few runs a day, a second failure could come when it is three days old. */
function failSometimes(seed: number): (id: string) => number | "cut" {
  const random = randomNumbers(seed);
  const failures = new Map<string, number>();
  return (id) => {
    const failed = failures.get(id) ?? 0;
    const result = failed < 1 ? (([200, 200, 200, 500, 429, "cut"] as const)[random(6)] ?? 200) : 200;
    if (result !== 200) failures.set(id, failed + 1);
    return result;
  };
}

itEachSampled([26, 4, 57, 1, 2, 3], 1)(
  `${days} days of flapping devices, late data, a failing receiver and killed runs: exactly the expected messages, seed %s`,
  async (seed) => {
    const world = new SimulatedWorld(seed);
    const random = randomNumbers(seed + 1000);
    const receiver = await receive(failSometimes(seed + 2000));
    const workingFolder = createTempFolder();
    const dataFolder = join(workingFolder, "data");
    const setup: RunOptions = {
      workingFolder,
      environment: {
        VENUE_HOME: join(workingFolder, "home"),
        VENUE_SCHEDULE_TIME_ZONE: "America/New_York",
        VENUE_FRESHNESS: Object.entries(freshness)
          .map(([topic, hours]) => `${topic}=${hours}h`)
          .join(),
        VENUE_THREADS: "1",
      },
    };
    mkdirSync(join(dataFolder, "own"), { recursive: true });
    for (const name of ["ops", "desk"])
      await succeed(["notify", "add", name], { ...setup, input: receiver.url(name) });
    const expected = new ExpectedMessages();
    writeFileSync(
      join(dataFolder, "own", "quiet.csv"),
      "view,from,to,reason\n/devices?only=down,2026-11-04,2026-11-05,\n/plays,2026-11-04,2026-11-05,moving\n",
    );
    let span = ownSpan;
    let kills = 0;
    for (; world.day < days; world.advance()) {
      const isMistaken = mistakenDays.includes(world.day);
      if (world.day >= changeDay && span === ownSpan) {
        span = changedSpan;
        expected.forget("missed");
      }
      const isUnreadable = world.day === unreadableDay;
      const text = isUnreadable ? "nonsense" : writeRules(span, isMistaken);
      writeFileSync(join(dataFolder, "own", "notify.csv"), text);
      await world.publish(dataFolder);
      expected.note(
        world,
        rules.filter(({ name }) => !isUnreadable && (!isMistaken || name !== "down")),
        span,
        (message) => receiver.received.some(({ to, body }) => `${body.created_at} ${to}` === message),
      );
      setup.environment.VENUE_NOW = new Date(world.nowMs).toISOString();
      if (random(8) === 0)
        await killAfter(setup, new Promise((resolve) => setTimeout(resolve, random(1500))));
      else if (random(5) === 0) kills += Number(await killAfter(setup, receiver.holdNext()));
      receiver.release();
      const { code, stderr } = await runVenue(["notify"], setup);
      // A mistake is a finding, and a failed delivery a failure of a service.
      expect(isMistaken || isUnreadable ? [1, 3] : [0, 3], stderr).toContain(code);
    }
    // Nothing new happens, but waiting messages are sent.
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      setup.environment.VENUE_NOW = new Date(world.nowMs + (attempt * dayMs) / 8).toISOString();
      writeFileSync(join(dataFolder, "own", "notify.csv"), "name,when,view,to\n");
      await runVenue(["notify"], setup);
    }
    const state = openDataState(join(dataFolder, "state.db"));
    expect([state.outbox.countWaiting(), state.outbox.listUndelivered(new Date(0))]).toEqual([0, []]);
    state.close();
    expect(byRun(receiver)).toEqual(Object.fromEntries([...expected.messages].sort()));
    // Every kind of event has occurred.
    for (const change of ["new", "open", "over", "view"])
      expect(expected.count(change), change).toBeGreaterThan(0);
    for (const rule of ["late", "still"])
      expect([...expected.messages.values()].flat().some((line) => line.startsWith(`${rule} new`))).toBe(
        true,
      );
    // Runs were killed after a message was sent but before that was recorded.
    expect(kills).toBeGreaterThan(0);
  },
);

/** Starts a run and kills it; the next one must not lose or repeat anything. @returns true if it was still running */
async function killAfter(setup: RunOptions, moment: Promise<void>): Promise<boolean> {
  const { child, finished } = startVenue(["notify"], setup);
  await Promise.race([moment, finished]);
  child.kill("SIGKILL");
  return (await finished).signal === "SIGKILL";
}

async function succeed(words: readonly string[], setup: RunOptions): Promise<void> {
  const { code, stderr } = await runVenue(words, setup);
  expect(code, stderr).toBe(0);
}

/** Returns the changes in each message by `INSTANT RECIPIENT`; messages with the same id are included once. */
function byRun({ received }: Receiver): Record<string, string[]> {
  const messages = new Map(received.map((message) => [message.key, message]));
  // The same id is always the same message.
  for (const { key, to, body } of received) {
    expect(body.id).toBe(key);
    expect({ to, body }).toEqual({ to: messages.get(key)?.to, body: messages.get(key)?.body });
  }
  const runs: Record<string, string[]> = {};
  for (const { to, body } of messages.values()) {
    const key = `${body.created_at} ${to}`;
    expect(runs[key], `a second message: ${key}`).toBeUndefined();
    runs[key] = body.sections
      .flatMap(({ rule, tables }) =>
        tables.flatMap(({ change, rows }) =>
          change === undefined
            ? `${rule} view`
            : rows.map(([label = ""]) => `${rule} ${change} ${shortenLabel(label)}`),
        ),
      )
      .sort();
  }
  return Object.fromEntries(Object.entries(runs).sort(([a], [b]) => (a < b ? -1 : 1)));
}
