import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { setUpMachine } from "../pipeline/notify/set-up-machine.ts";
import { itInAll } from "../support/long-suite.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { stableText } from "../support/stable-text.ts";

const hourMs = 3_600_000;

it("the overview says that nothing needs attention only if every question is answered", async () => {
  const { run, writeRules, receiver, workingFolder } = await setUpMachine();
  await publishFixture(join(workingFolder, "data", "published"), {
    version: "v000009",
    dataAsOf: null,
    rows: {},
  });
  writeRules("morning,always,/,webhook:ops");
  expect((await run("notify")).code).toBe(0);
  expect(receiver.received[0]?.body.headline).toBe("Overview: 5 of 5 questions can't be answered yet.");
});

itInAll("a device that others push off a list stays open until it is up", async () => {
  const { notify, writeRules, world } = await setUpMachine();
  writeRules("worst,rows,/devices?only=down&top=1,webhook:ops");
  const [first, second, ...others] = world.devices.map((device) => {
    const checked = {
      state: "up" as "up" | "down",
      lastOnlineMs: world.nowMs,
      atMs: world.nowMs,
      usedShare: 0,
    };
    device.checked = checked;
    return { deviceId: device.deviceId, checked };
  });
  if (!first || !second) throw new Error("no devices");
  expect(others.length).toBeGreaterThan(0);
  Object.assign(first.checked, { state: "down", lastOnlineMs: world.nowMs - 2 * hourMs });
  expect(await notify()).toEqual([`ops worst new device ${first.deviceId}`]);
  Object.assign(second.checked, { state: "down", lastOnlineMs: world.nowMs - 3 * hourMs });
  expect(await notify(0.5)).toEqual([`ops worst new device ${second.deviceId}`]);
  expect(await notify(0.5)).toEqual([]);
  first.checked.state = "up";
  expect(await notify(0.5)).toEqual([`ops worst over device ${first.deviceId}`]);
});

it("a blank value neither begins nor ends an incident", async () => {
  const { notify, writeRules, own, environment } = await setUpMachine();
  environment.VENUE_FRESHNESS = "history=48h";
  writeRules("busy,busy > 3,/busy-zones,webhook:ops");
  mkdirSync(join(own, "reports"));
  const write = (figure: string) =>
    writeFileSync(
      join(own, "reports", "busy-zones.sql"),
      `-- Busy zones.\n\nselect zone_id, ${figure} as busy from dim_zone where zone_id = 1`,
    );
  write("null::integer");
  expect(await notify()).toEqual([]);
  write("5");
  expect(await notify()).toEqual(["ops busy new zone 1"]);
  write("null::integer");
  expect(await notify()).toEqual([]);
  write("1");
  expect(await notify()).toEqual(["ops busy over zone 1"]);
});

it("a reminder comes after `remind_days`, and a rule with `days` waits for its weekday", async () => {
  const { notify, writeRules, world } = await setUpMachine();
  const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  const today = names[new Date(world.nowMs).getUTCDay()];
  writeRules(
    "often,rows,/devices?only=down&top=1,webhook:ops,,,1",
    `weekly,rows,/devices?only=down&top=1,webhook:ops,,${today},1`,
  );
  const found = (await notify()).map((line) => line.replace(/ device \d+$/, ""));
  expect(found).toEqual(["ops often new", "ops weekly new"]);
  expect(await notify(1)).toEqual([]);
  // Old data would suspend both rules.
  const atMs = world.nowMs + 23 * hourMs;
  world.collectedMs.devices = atMs;
  for (const { checked } of world.devices) if (checked) checked.atMs = atMs;
  expect(await notify(23)).toEqual([expect.stringMatching(/^ops often open device/)]);
});

/** A machine with the history of a day at 05:30 UTC, and a function that collects it again. */
async function setUpMorning() {
  const machine = await setUpMachine();
  const { world } = machine;
  const collect = () => {
    world.collectedMs.history = world.nowMs;
  };
  world.nowMs = Math.ceil(world.nowMs / (24 * hourMs)) * 24 * hourMs + 5.5 * hourMs;
  collect();
  return { ...machine, collect };
}

itInAll("`always` sends once per day of data, and after 24 hours without newer data", async () => {
  const { notify, writeRules, world, collect } = await setUpMorning();
  writeRules("plays,always,/plays?by=kind&from=yesterday,webhook:ops");
  const sent = ["ops plays view"];
  expect(await notify()).toEqual(sent);
  // Hourly builds: at 06:30, and after midnight.
  expect(await notify(1)).toEqual([]);
  expect(await notify(18)).toEqual([]);
  world.nowMs += 5 * hourMs;
  collect();
  expect(await notify()).toEqual(sent);
  expect(await notify(1)).toEqual([]);
  expect(await notify(22.5)).toEqual([]);
  expect(await notify(0.5)).toEqual(sent);
});

itInAll("`always` on some weekdays waits for the data of that day", async () => {
  const { notify, writeRules, world, collect } = await setUpMorning();
  const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  const today = new Date(world.nowMs).getUTCDay();
  const days = [today, (today + 2) % 7].map((day) => names[day]);
  writeRules(`plays,always,/plays?by=kind&from=yesterday,webhook:ops,,"${days.join(",")}",`);
  const sent = ["ops plays view"];
  expect(await notify()).toEqual(sent);
  world.nowMs += 24 * hourMs;
  collect();
  expect(await notify()).toEqual([]);
  // After midnight, and in the morning.
  expect(await notify(19)).toEqual([]);
  world.nowMs += 5 * hourMs;
  collect();
  expect(await notify()).toEqual(sent);
});

itInAll("a waiting message about an incident that is over is withdrawn, with its end", async () => {
  let status = 503;
  const { notify, writeRules, world, receiver } = await setUpMachine(() => status);
  writeRules("down,rows,/devices?only=down,webhook:ops");
  const [first, second] = world.devices.map((device) => {
    device.checked = { state: "down", lastOnlineMs: world.nowMs - hourMs, atMs: world.nowMs, usedShare: 0 };
    return { deviceId: device.deviceId, checked: device.checked };
  });
  if (!first || !second) throw new Error("no devices");
  expect(await notify()).toEqual([]);
  first.checked.state = "up";
  status = 200;
  const found = await notify(1);
  expect(found).not.toContain(`ops down new device ${first.deviceId}`);
  expect(found).toContain(`ops down new device ${second.deviceId}`);
  expect(receiver.received[0]?.body.headline).toMatch(
    new RegExp(`^${found.length} devices? down: Zone \\d .*device ${second.deviceId}`),
  );
  second.checked.state = "up";
  expect(await notify(1)).toEqual([`ops down over device ${second.deviceId}`]);
});

itInAll("an incident whose message is refused for good is new again", async () => {
  let status = 404;
  const { notify, writeRules, receiver } = await setUpMachine(() => status);
  writeRules("down,rows,/devices?only=down&top=1,webhook:ops");
  expect(await notify()).toEqual([]);
  status = 200;
  const found = await notify(1);
  expect(found).toEqual([expect.stringMatching(/^ops down new device/)]);
  expect(receiver.received).toHaveLength(1);
});

it("`for` delays an incident until it has lasted, and its duration is counted from its start", async () => {
  const { notify, writeRules, world, receiver } = await setUpMachine();
  const [device] = world.devices;
  if (!device) throw new Error("no devices");
  for (const other of world.devices)
    other.checked = { state: "up", lastOnlineMs: world.nowMs, atMs: world.nowMs, usedShare: 0 };
  writeRules(
    "down,rows,/devices?only=down,webhook:ops,,,,2h",
    "full,storage_used_share > 0.9,/devices,webhook:ops,,,,1h",
  );
  const check = async (state: "up" | "down", hours: number, { isNew = true, usedShare = 0.95 } = {}) => {
    const atMs = world.nowMs + hours * hourMs;
    if (isNew) world.collectedMs.devices = atMs;
    for (const { checked } of world.devices) if (checked && isNew) checked.atMs = atMs;
    const lastOnlineMs = state === "up" ? atMs : (device.checked?.lastOnlineMs ?? atMs);
    if (isNew && device.checked) Object.assign(device.checked, { state, lastOnlineMs, usedShare });
    return await notify(hours);
  };
  // An outage of an hour is never mentioned, and another build of the same check adds no evidence.
  expect(await check("down", 1)).toEqual([]);
  expect(await check("up", 0.5, { usedShare: 0 })).toEqual([]);
  expect(await check("down", 1.5)).toEqual([]);
  expect(await check("down", 0.9, { isNew: false })).toEqual([]);
  expect(await check("down", 0.6)).toEqual([
    `ops down new device ${device.deviceId}`,
    `ops full new device ${device.deviceId}`,
  ]);
  expect(await check("up", 1, { usedShare: 0 })).toEqual([
    `ops down over device ${device.deviceId}`,
    `ops full over device ${device.deviceId}`,
  ]);
  const [down, full] = receiver.received.at(-1)?.body.sections.map(({ tables }) => tables[0]) ?? [];
  expect([down?.columns, down?.rows[0]?.[1]]).toEqual([["", "Lasted"], "4\u00a0h 0\u00a0min"]);
  expect([full?.columns, full?.rows[0]?.[1]]).toEqual([["", "Lasted", "Noticed at"], "2\u00a0h 30\u00a0min"]);
});

it("quiet.csv holds messages back until its end, and then sends what is still open", async () => {
  const { notify, run, writeRules, world, own } = await setUpMachine();
  const [first, second, ...others] = world.devices;
  if (!first || !second) throw new Error("no devices");
  const set = (device: typeof first, state: "up" | "down") => {
    device.checked = { state, lastOnlineMs: world.nowMs - hourMs, atMs: world.nowMs, usedShare: 0 };
  };
  for (const device of others) set(device, "up");
  set(first, "down");
  set(second, "down");
  writeRules("down,rows,/devices?only=down,webhook:ops", "plays,always,/plays?by=kind,webhook:ops");
  const end = new Date(world.nowMs + 3 * hourMs).toISOString();
  const start = new Date(world.nowMs).toISOString();
  const lines = [
    "view,from,to,reason",
    `/devices,${start},${end},renovation`,
    `/plays?by=kind,${start},${end},`,
  ];
  const write = (...more: string[]) => writeFileSync(join(own, "quiet.csv"), [...lines, ...more].join("\n"));
  write();
  const { stdout } = await run("notify");
  expect(stdout).toBe(
    `Notifications: held back by quiet.csv: down until ${end} (renovation), plays until ${end}.\n`,
  );
  expect((await run("notify", "--dry-run")).stdout).toContain(`quiet.csv: down until ${end} (renovation)`);
  set(first, "up");
  expect(await notify(1)).toEqual([]);
  expect(await notify(2)).toEqual([`ops down new device ${second.deviceId}`, "ops plays view"]);

  write(
    ",2026-13-01,2026-12-02",
    ",2026-12-03,2026-12-02",
    ",2026-12-02T10:00,2026-12-03",
    "/plays?by=zone,2026-11-01,2026-12-02,x",
  );
  const checked = await run("notify", "check");
  expect(checked.code).toBe(1);
  expect(stableText(checked.stdout.replaceAll(start, "START").replaceAll(end, "END"))).toMatchInlineSnapshot(`
    "ok    down: 1 incident
    ok    plays: 0 rows to send
    quiet /devices from START to END: renovation
    quiet /plays?by=kind from START to END
    FAIL  FOLDER/data/own/quiet.csv, line 4: "2026-13-01" is invalid; expected a date, such as 2026-11-21, or an ISO 8601 instant with its offset, such as 2026-11-21T06:00:00Z. Fix the line, and run this again.
    FAIL  FOLDER/data/own/quiet.csv, line 5: "2026-12-02" is invalid; expected an end after 2026-12-03. Fix the line, and run this again.
    FAIL  FOLDER/data/own/quiet.csv, line 6: "2026-12-02T10:00" is invalid; expected a date, such as 2026-11-21, or an ISO 8601 instant with its offset, such as 2026-11-21T06:00:00Z. Fix the line, and run this again.
    FAIL  FOLDER/data/own/quiet.csv, line 7: "/plays?by=zone" is invalid; expected the view of a rule in notify.csv, its page such as /devices, or nothing. Fix the line, and run this again.
    "
  `);
});
