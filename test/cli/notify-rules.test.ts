import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import { openDataState } from "../../src/state/data/data-state.ts";
import { refusal, startMailServer } from "../pipeline/notify/mail-server.ts";
import { receive } from "../pipeline/notify/receiver.ts";
import { setUpMachine } from "../pipeline/notify/set-up-machine.ts";
import { dayMs } from "../pipeline/notify/simulated-world.ts";
import { itEachSampled, itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setNow, setUp } from "../support/service.ts";
import { demoNow, shareDemoData } from "../support/shared-demo.ts";
import { stableText } from "../support/stable-text.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const missed = 'missed,rows,"/compliance?by=campaign,zone&only=missed&from=7d",webhook:ops';
const down = "down,rows,/devices?only=down,webhook:ops";

it("check lists mistakes by line, missing settings and what each rule finds, and changes nothing", async () => {
  const { run, writeRules, own, workingFolder } = await setUpMachine();
  expect((await run("notify", "check")).stdout).toContain("No rules in");
  writeRules(
    missed,
    "wrong,rows,/devices?only=dwon,webhook:ops",
    down,
    "plays,always,/plays?by=kind,webhook:other",
    "column,playss < 3,/plays?by=zone,webhook:ops",
    "zone,rows,/plays?zone=Nowhere,webhook:ops",
    "mail,rows,/,mailto:ann@example.com",
  );
  const { code, stdout } = await run("notify", "check");
  expect(code).toBe(1);
  expect(stableText(stdout)).toMatchInlineSnapshot(`
    "ok    missed: 3 incidents; 1 row can't be evaluated yet
    ok    down: 3 incidents
    ok    plays: 0 rows to send
    ok    mail: 0 incidents
    FAIL  FOLDER/data/own/notify.csv, line 3: only does not take "dwon". Did you mean down? It takes down, silent, unknown, up, replaced.
    FAIL  The webhook other is not stored. Add it: venue notify add other
    FAIL  VENUE_SMTP_URL is not set (mail server for notifications, e.g. smtp://user@mail.example.com:587). Set it in the environment or in .env (of the working folder, FOLDER), or give --smtp-url.
    FAIL  FOLDER/data/own/notify.csv, line 6: "playss" is not a numeric column of “Plays by zone”. Did you mean plays? Numeric columns: plays, play_seconds, complete_plays, measured_plays, short_plays, items.
    FAIL  FOLDER/data/own/notify.csv, line 7: No zone is called "Nowhere".
    "
  `);
  const json = JSON.parse((await run("notify", "check", "--json")).stdout);
  expect(json).toMatchObject({ rules: expect.any(Array), mistakes: expect.any(Array) });
  writeRules(missed, down);
  expect((await run("notify", "check")).code).toBe(0);
  writeFileSync(join(own, "notify.csv"), "nonsense\n");
  const unreadable = await run("notify", "check");
  expect([unreadable.code, stableText(unreadable.stderr)]).toMatchInlineSnapshot(`
    [
      2,
      "venue: FOLDER/data/own/notify.csv, line 1: "nonsense" is invalid; expected the columns name,when,view,to, and optionally attach,days,remind_days,for. Fix the line, and run this again.
    ",
    ]
  `);
  expect(existsSync(join(workingFolder, "data", "state.db"))).toBe(false);
});

it("--dry-run prints what the next run would send, without sending or recording it", async () => {
  const { run, writeRules, receiver, workingFolder, environment } = await setUpMachine();
  environment.VENUE_PUBLIC_URL = "https://venue.example.com/reports";
  writeRules(missed, down, "plays,always,/plays?by=kind&from=yesterday,webhook:ops");
  const preview = await run("notify", "--dry-run");
  expect([preview.code, preview.stdout]).toMatchInlineSnapshot(`
    [
      0,
      "To: webhook:ops
    3 missed: Campaign 11 (Zone 4, signage), Campaign 11 (Zone 2, signage), Campaign 12 (Zone 3, signage); 3 devices down: Zone 1 (Harbor Market, device 41), Zone 4 (Harbor Market, device 44), Zone 2 (Harbor Market, device 42)

    Compliance by campaign, zone, only with missed days, from 29 October to 4 November 2026
    ------------------------------------------------------------------------
    19 of 32 scheduled zone days ran, 59.4 %; 2 were missed while the device was down and 11 without any device check.
    Of 13 missed zone days, 11 had other content playing and 2 had the device down.
    3 zones have never played signage, with 13 of 13 missed signage days: 4 (Zone 4), 2 (Zone 2) and 3 (Zone 3). If they cannot, list the kinds that they can play in reference/zone_kinds.csv.
    --only missed excludes 1 zone day missed while the device was down. Add missed_offline to include it.

    New:
    - Campaign 11 (Zone 4, signage) · Compliance: 0.0 % · Scheduled days: 7 · Days that ran: 0 · Missed: 4 · Missed while down: 0 · Closed: 1
    - Campaign 11 (Zone 2, signage) · Compliance: 20.0 % · Scheduled days: 7 · Days that ran: 1 · Missed: 3 · Missed while down: 1 · Closed: 0
    - Campaign 12 (Zone 3, signage) · Compliance: 20.0 % · Scheduled days: 7 · Days that ran: 1 · Missed: 4 · Missed while down: 0 · Closed: 0

    Open the report: https://venue.example.com/reports/compliance?by=campaign,zone&only=missed&from=7d
    Rule: missed

    Devices, only down devices
    --------------------------
    3 of 4 devices are down; none has ever had a storage error.
    Never collected completely: music and messaging history. \`venue runs\` lists what failed.

    New:
    - Zone 1 (Harbor Market, device 41) · Status: down · State: down · Down for: 7 h 54 min · Silent for: 2 h 0 min · Last online: 2026-11-05 02:36:00 UTC
    - Zone 4 (Harbor Market, device 44) · Status: down · State: down · Down for: 7 h 21 min · Last online: 2026-11-05 03:09:00 UTC
    - Zone 2 (Harbor Market, device 42) · Status: down · State: down · Down for: 1 h 12 min · Last online: 2026-11-05 09:18:00 UTC

    Open the report: https://venue.example.com/reports/devices?only=down
    Rule: down

    Plays by kind, on 4 November 2026
    ---------------------------------
    Never collected completely: music and messaging history. \`venue runs\` lists what failed.

    Open the report: https://venue.example.com/reports/plays?by=kind&from=yesterday
    Rule: plays

    Written 2026-11-06 05:30 UTC. The data is complete up to 2026-11-05 05:30 UTC, 24 hours earlier.

    Rules in notify.csv decide who gets these messages. To stop or change them, write to whoever runs venue-analytics here.
    ",
    ]
  `);
  expect(existsSync(join(workingFolder, "data", "state.db"))).toBe(false);
  expect(receiver.received).toEqual([]);

  const json = JSON.parse((await run("notify", "--dry-run", "--json")).stdout);
  expect((await run("notify")).code).toBe(0);
  const [{ body } = { body: undefined }] = receiver.received;
  const { recipient, ...digest } = json[0];
  expect(recipient).toBe("webhook:ops");
  expect(body).toMatchObject(digest);
  expect(body?.sections.map(({ link }) => link)).toEqual([
    "https://venue.example.com/reports/compliance?by=campaign,zone&only=missed&from=7d",
    "https://venue.example.com/reports/devices?only=down",
    "https://venue.example.com/reports/plays?by=kind&from=yesterday",
  ]);

  const dump = () => {
    const state = openDataState(join(workingFolder, "data", "state.db"));
    const found = [state.incidents.list(), state.outbox.countWaiting(), state.runs.list(100)];
    state.close();
    return found;
  };
  const before = dump();
  writeRules(missed, "down,down_for_seconds > 0,/devices,webhook:ops", "oops,rows,/,nobody");
  const second = await run("notify", "--dry-run");
  expect(second.code).toBe(1);
  expect(second.stdout).toContain("down");
  expect(second.stderr).toContain("line 4");
  expect(dump()).toEqual(before);
  expect(receiver.received).toHaveLength(1);
});

it("sends one digest per recipient and run, `always` once a day, and valid rules despite a mistake", async () => {
  const { run, writeRules, receiver, world, ...setup } = await setUpMachine();
  await runVenue(["notify", "add", "desk"], { ...setup, input: receiver.url("desk") });
  writeRules(
    missed,
    "wrong,rows,/devices?only=dwon,webhook:ops",
    'down,rows,/devices?only=down,"webhook:ops,desk"',
    'plays,always,/plays?by=kind&from=yesterday,"webhook:desk,ops"',
  );
  const sections = () =>
    receiver.received.map(({ to, body }) => `${to}: ${body.sections.map(({ rule }) => rule).join()}`);
  const at = async (ms: number) => {
    setup.environment.VENUE_NOW = new Date(ms).toISOString();
    return await run("notify", "--json");
  };
  const first = await at(world.nowMs);
  expect(first.code).toBe(1);
  expect(JSON.parse(first.stdout)).toMatchObject({
    sent: 2,
    postponed: 0,
    mistakes: [expect.stringContaining("notify.csv, line 3: ")],
  });
  expect(sections().sort()).toEqual(["desk: down,plays", "ops: missed,down,plays"]);
  await at(world.nowMs + 3_600_000);
  expect(sections()).toHaveLength(2);
  // The next day, the view is sent again; the other rules found nothing new.
  await at(world.nowMs + dayMs);
  expect(sections().slice(2).sort()).toEqual(["desk: plays", "ops: plays"]);
});

it("postpones undeliverable messages with exit code 3, and later sends them once", async () => {
  let status = 503;
  const { run, writeRules, receiver, world, environment } = await setUpMachine(() => status);
  writeRules(missed);
  const failed = await run("notify");
  expect([failed.code, stableText(failed.stderr)]).toMatchInlineSnapshot(`
    [
      3,
      "warning: A notification is not delivered yet: The webhook ops answers with status 503. (message=JOB, to=webhook)
    ",
    ]
  `);
  expect(failed.stderr).not.toContain(receiver.url("ops"));
  status = 200;
  environment.VENUE_NOW = new Date(world.nowMs + 3_600_000).toISOString();
  expect((await run("notify", "--dry-run")).stdout).toMatch(/^To: webhook:ops\n3 missed: Campaign/);
  expect((await run("notify")).code).toBe(0);
  expect((await run("notify")).code).toBe(0);
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]?.body.created_at).toBe(new Date(world.nowMs).toISOString());
});

it("test sends one message with the view, and exits with a code for unknown rules and failures", async () => {
  let status: number = 200;
  const { run, writeRules, receiver, workingFolder } = await setUpMachine(() => status);
  writeRules(missed, down);
  const sent = await run("notify", "test", "missed");
  expect([sent.code, sent.stdout]).toEqual([0, "Sent to webhook:ops\n"]);
  expect(receiver.received[0]?.body.sections).toMatchObject([
    { rule: "missed", notes: expect.arrayContaining(["This is a test of the rule."]) },
  ]);
  status = 500;
  const failed = await run("notify", "test", "missed");
  expect([failed.code, failed.stdout]).toEqual([
    3,
    "Not sent to webhook:ops: The webhook ops answers with status 500.\n",
  ]);
  const unknown = await run("notify", "test", "mised");
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('has no rule "mised". Did you mean missed?');
  expect(existsSync(join(workingFolder, "data", "state.db"))).toBe(false);
});

itEachSampled(["csv", "xlsx"], 1)("attaches the same file that venue report writes: %s", async (format) => {
  const { run, writeRules, environment, workingFolder } = await setUpMachine();
  const mail = await startMailServer();
  environment.VENUE_SMTP_URL = `smtp://127.0.0.1:${mail.port}`;
  environment.VENUE_MAIL_FROM = "venue@example.com";
  writeRules(`missed,rows,"/compliance?by=campaign,zone&from=7d",mailto:ann@example.com,${format},,`);
  expect((await run("notify")).code).toBe(0);
  const [{ source } = { source: "" }] = mail.received;
  const [, encoded = ""] =
    /filename="?missed-[\d-]+\.\w+"?[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(source) ?? [];
  const file = join(workingFolder, `list.${format}`);
  const words = ["report", "compliance", "--by", "campaign,zone", "--from", "7d", "--out", file];
  expect((await run(...words)).code).toBe(0);
  const [attached, written] = [Buffer.from(encoded, "base64"), readFileSync(file)];
  // A workbook contains the time at which it was written.
  const read = async (bytes: Buffer) =>
    format === "xlsx" ? (await readXlsx(bytes)).sheets : bytes.toString();
  expect(await read(attached)).toEqual(await read(written));
  expect(written.length).toBeGreaterThan(100);
});

itInAll(
  "mail has attachments up to 7 MB in total, and is sent without them if the server rejects it",
  async () => {
    const { run, writeRules, environment, own } = await setUpMachine();
    let size = 30_000_000;
    const mail = await startMailServer({}, ({ source }) => (source.length > size ? refusal(552) : undefined));
    environment.VENUE_SMTP_URL = `smtp://127.0.0.1:${mail.port}`;
    environment.VENUE_MAIL_FROM = "venue@example.com";
    mkdirSync(join(own, "reports"));
    const sql = "select range as line, repeat('x', 1000) as text from range(4500)";
    writeFileSync(join(own, "reports", "long.sql"), `-- Long.\n\n${sql}\n`);
    const rules = ["first", "second"].map((name) => `${name},always,/long,mailto:ann@example.com,csv,,`);
    writeRules(...rules, "broken,always,/plays,mailto:ann@example.com,csv,,");
    expect((await run("notify")).code).toBe(0);
    const files = () =>
      [...(mail.received.at(-1)?.source ?? "").matchAll(/filename="?(\w+)-/g)].map(([, name]) => name);
    const text = () => mail.received.at(-1)?.source.replaceAll(/=\r\n/g, "") ?? "";
    expect(files()).toEqual(["first", "broken"]);
    expect(text()).toMatch(/more than 7.* were not attached: second\./);
    size = 100_000;
    const world = new Date(Date.parse(environment.VENUE_NOW ?? "") + dayMs);
    environment.VENUE_NOW = world.toISOString();
    expect((await run("notify")).code).toBe(0);
    expect([mail.received.length, files()]).toEqual([2, []]);
    expect(text()).toContain("Files that the mail server did not take were not attached: first, broken.");
  },
);

it("run, build and sync succeed and send waiting messages, whatever is wrong with notify.csv", async () => {
  const setup = await setUp({ days: 3, zones: 1, playScale: 0.1 });
  let status = 503;
  const receiver = await receive(() => status);
  await runVenue(["notify", "add", "ops"], { ...setup, input: receiver.url("ops") });
  const own = join(setup.dataFolder, "own");
  mkdirSync(own, { recursive: true });
  const rules = join(own, "notify.csv");
  writeFileSync(rules, "name,when,view,to\nplays,always,/plays?by=kind,webhook:ops\n");
  const run = await runVenue(["run", "--json"], setup);
  expect(run.code, run.stderr).toBe(3);
  expect(JSON.parse(run.stdout)).toMatchObject({ notifications: { sent: 0, postponed: 1, mistakes: [] } });
  expect(existsSync(join(setup.dataFolder, "reports", "latest", "index.html"))).toBe(true);

  // A folder with this name can't be read as a file.
  rmSync(rules);
  mkdirSync(rules);
  status = 200;
  setNow(setup, new Date(setup.emulator.now().getTime() + 3_600_000));
  const synced = await runVenue(["sync", "devices"], setup);
  expect(synced.code, synced.stderr).toBe(0);
  expect(receiver.received).toHaveLength(1);
  const built = await runVenue(["build", "--json"], setup);
  expect(built.code, built.stderr).toBe(1);
  expect(JSON.parse(built.stdout)).toMatchObject({
    notifications: { sent: 0, mistakes: [expect.stringContaining("notify.csv")] },
  });
  rmSync(rules, { recursive: true });
  writeFileSync(rules, "name,when,view,to\nmorning,always,/,webhook:ops\n");
  writeFileSync(join(setup.dataFolder, "warehouse.duckdb"), "nonsense");
  expect((await runVenue(["build"], setup)).code, "a build that throws").toBeGreaterThan(0);
  expect(receiver.received.at(-1)?.body.sections).toMatchObject([{ rule: "morning" }]);
  const state = openDataState(join(setup.dataFolder, "state.db"));
  expect(state.outbox.countWaiting()).toBe(0);
  state.close();
});

itInAll("a run that throws evaluates rules on the published version, and sends messages", async () => {
  const setup = await setUp({ days: 3, zones: 1, playScale: 0.1 });
  const receiver = await receive();
  await runVenue(["notify", "add", "ops"], { ...setup, input: receiver.url("ops") });
  const own = join(setup.dataFolder, "own");
  const latest = join(setup.dataFolder, "reports", "latest");
  for (const folder of [own, latest]) mkdirSync(folder, { recursive: true });
  const rules = join(own, "notify.csv");
  writeFileSync(rules, "name,when,view,to\nplays,always,/plays?by=kind,webhook:ops\n");
  // The link to the latest reports can't replace a folder.
  const run = await runVenue(["run"], setup);
  expect([run.code, stableText(run.stderr)]).toEqual([
    2,
    expect.stringContaining("is a folder instead of a link"),
  ]);
  expect(receiver.received.map(({ body }) => body.sections.map(({ rule }) => rule))).toEqual([["plays"]]);
});

it("an outage that has ended is not an incident", async () => {
  const own = createTempFolder();
  writeFileSync(join(own, "notify.csv"), "name,when,view,to\nout,rows,/outages,webhook:ops\n");
  const environment = {
    VENUE_DATA_DIR: await shareDemoData(),
    VENUE_HOME: createTempFolder(),
    VENUE_OWN_DIR: own,
    VENUE_NOW: demoNow.toISOString(),
  };
  const setup = { workingFolder: own, environment };
  const outages = JSON.parse((await runVenue(["report", "outages", "--format", "json"], setup)).stdout);
  expect(outages).toMatchObject([{ is_open: false }]);
  const { stdout } = await runVenue(["notify", "check"], setup);
  expect(stdout).toContain("ok    out: 0 incidents\n");
});
