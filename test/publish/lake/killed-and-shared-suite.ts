import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openWarehouse } from "../../../src/workspace/warehouse.ts";
import { type Reader, startReader } from "../../support/start-reader.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { LakeMachine, readLake } from "./lake-machine.ts";

interface SharedLakeCase {
  /** Returns a folder or URL without objects. */
  createLake: () => string;
  /** Lists files that a lake should not have. */
  listOthers: (lake: string) => Promise<string[]>;
  kills: number;
  machines: readonly string[];
  /** Publishes of each machine. */
  publishes: number;
  isSkipped?: boolean;
}

/** Tests with several processes, for a lake in a folder or a store. */
export function testKilledAndShared(options: SharedLakeCase): void {
  const { createLake, listOthers, kills, machines, publishes, isSkipped = false } = options;

  it.skipIf(isSkipped)(
    "after a kill at any instant, readers see complete sets, and the next publish is correct",
    async () => {
      const folder = createTempFolder();
      const lake = createLake();
      await once(start("publish-again", [folder, lake, "east", "0", "1"]), "close");
      const reader = startLakeReader(lake);
      await reader.untilSeen(() => true);
      for (let round = 1; round <= kills; round += 1) {
        const first = await countLoads(folder);
        const publisher = start("publish-again", [folder, lake, "east", String(first)]);
        await waitForFirstLine(publisher);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 1200));
        publisher.kill("SIGKILL");
        await once(publisher, "close");

        const warehouse = await openWarehouse({ path: join(folder, "warehouse.duckdb"), threads: 1 });
        onTestFinished(() => warehouse.close());
        const east = LakeMachine.of("east", lake, warehouse);
        await east.publish();
        await readLake(lake, (database) => east.expectSame(database));
        expect(await listOthers(lake)).toEqual([]);
        warehouse.close();
      }
      await reader.untilSeen(({ east = 0 }) => east > 1);
      expectGrowth(await reader.end(), ["east"]);
    },
    300_000,
  );

  it.skipIf(isSkipped)(
    "machines that publish at the same time do not disturb each other",
    async () => {
      const lake = createLake();
      await once(start("publish-again", [createTempFolder(), lake, "first", "0", "1"]), "close");
      const reader = startLakeReader(lake);
      await reader.untilSeen(() => true);
      const running = machines.map((machine) =>
        start("publish-again", [createTempFolder(), lake, machine, "0", String(publishes)]),
      );
      const ended = await Promise.all(running.map((child) => once(child, "close")));
      expect(ended.map(([code]) => code)).toEqual(machines.map(() => 0));
      await readLake(lake, async (database) => {
        const found = await database.all<{ machine: string; plays: number }>(
          "select machine, count(*) as plays from lake.play group by machine",
        );
        const plays = Object.fromEntries(found.map(({ machine, plays }) => [machine, plays]));
        expect(plays).toEqual({
          first: 1,
          ...Object.fromEntries(machines.map((machine) => [machine, publishes])),
        });
      });
      await reader.untilSeen((seen) => machines.every((machine) => seen[machine] === publishes));
      expectGrowth(await reader.end(), machines);
    },
    600_000,
  );
}

type Seen = Record<string, number>;

/** Expects a reader's view of a machine never to shrink, and to include sets from before and after. */
function expectGrowth(rounds: readonly Seen[], machines: readonly string[]): void {
  for (const machine of machines) {
    const counts = rounds.flatMap((round) => round[machine] ?? []);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  }
  expect(new Set(rounds.map((round) => JSON.stringify(round))).size).toBeGreaterThan(1);
}

function start(script: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`${script}.child.mjs`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

/** Waits until it has written a line, or ended. */
async function waitForFirstLine(child: ChildProcess): Promise<void> {
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, "data"), once(child, "close")]);
}

function startLakeReader(lake: string): Reader<Seen> {
  return startReader(fileURLToPath(new URL("read-lake.child.mjs", import.meta.url)), [
    lake,
    createTempFolder(),
  ]);
}

async function countLoads(folder: string): Promise<number> {
  const warehouse = await openWarehouse({ path: join(folder, "warehouse.duckdb"), threads: 1 });
  try {
    const { loads } = await warehouse.get<{ loads: number }>("select count(*) as loads from core.load");
    return loads;
  } finally {
    warehouse.close();
  }
}
