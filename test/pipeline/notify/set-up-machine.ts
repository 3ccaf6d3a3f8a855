import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type RunOptions, runVenue } from "../../support/run-venue.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { type Receiver, receive } from "./receiver.ts";
import { SimulatedWorld } from "./simulated-world.ts";

export interface Machine extends RunOptions {
  world: SimulatedWorld;
  own: string;
  receiver: Receiver;
  writeRules(...lines: string[]): void;
  run(...words: string[]): ReturnType<typeof runVenue>;
  /** Runs `venue notify`. @returns new lines `RECIPIENT RULE CHANGE LABEL`, or `RECIPIENT RULE view` */
  notify(hours?: number): Promise<string[]>;
}

/** A machine with published data and a webhook `ops`. */
export async function setUpMachine(answer: (id: string) => number | "cut" = () => 200): Promise<Machine> {
  const world = new SimulatedWorld(1);
  const isDown = () => world.devices.some((device) => world.isListed(device) && device.state === "down");
  while (world.day < 4 || !isDown()) world.advance();
  const workingFolder = createTempFolder();
  const own = join(workingFolder, "data", "own");
  mkdirSync(own, { recursive: true });
  await world.publish(join(workingFolder, "data"));
  const receiver = await receive(answer);
  const setup: RunOptions = {
    workingFolder,
    environment: {
      VENUE_HOME: join(workingFolder, "home"),
      VENUE_NOW: new Date(world.nowMs).toISOString(),
      VENUE_THREADS: "1",
      VENUE_SCHEDULE_TIME_ZONE: "UTC",
    },
  };
  const added = await runVenue(["notify", "add", "ops"], { ...setup, input: receiver.url("ops") });
  expect(added.code, added.stderr).toBe(0);
  let seen = 0;
  return {
    ...setup,
    world,
    own,
    receiver,
    writeRules: (...lines) =>
      writeFileSync(
        join(own, "notify.csv"),
        `${["name,when,view,to,attach,days,remind_days,for", ...lines].join("\n")}\n`,
      ),
    run: (...words) => runVenue(words, setup),
    notify: async (hours = 0) => {
      world.nowMs += hours * 3_600_000;
      setup.environment.VENUE_NOW = new Date(world.nowMs).toISOString();
      await world.publish(join(workingFolder, "data"));
      const { code, stderr } = await runVenue(["notify"], setup);
      if (code !== 0 && code !== 3) throw new Error(stderr);
      const messages = receiver.received.slice(seen);
      seen = receiver.received.length;
      return messages.flatMap(({ to, body }) =>
        body.sections.flatMap(({ rule, tables }) =>
          tables.flatMap(({ change, rows }) =>
            change === undefined
              ? `${to} ${rule} view`
              : rows.map(([label = ""]) => `${to} ${rule} ${change} ${shortenLabel(label)}`),
          ),
        ),
      );
    },
  };
}

/** Removes the zone and location from a device's label. */
export function shortenLabel(label: string): string {
  return /device \d+(?=\)$)/.exec(label)?.[0] ?? label;
}
