import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findOutages } from "../../../src/emulator/world/premises/zone.ts";
import type { World } from "../../../src/emulator/world/world.ts";
import { Machine } from "../../support/machine.ts";
import { program } from "../../support/run-venue.ts";
import { type Setup, setNow, setUpIn } from "../../support/service.ts";
import { type Cluster, type Installation, startCluster } from "../cluster/start-cluster.ts";

const dayMs = 86_400_000;
const writer = fileURLToPath(new URL("write-plays.mjs", import.meta.url));

export interface SharedLakeOptions {
  /** Music plays to add: two fifths in zones of each machine, one fifth in shared zones. */
  plays: number;
  workers: number;
}

/** A lake that two machines publish into, built in two ways: on this machine, and on a separate cluster. */
export class SharedLake {
  readonly lake: string;
  readonly world: Setup;
  readonly machines: readonly Machine[];
  readonly here: Machine;
  readonly onTrino: Machine;
  readonly cluster: Cluster;
  readonly #folder: string;

  private constructor(folder: string, world: Setup, cluster: Cluster) {
    this.#folder = folder;
    this.lake = join(folder, "lake");
    this.world = world;
    this.cluster = cluster;
    this.machines = world.emulator.world.groupIds
      .slice(0, 2)
      .map((groupId, index) => new Machine(world, `machine-${index + 1}`, [groupId]));
    this.here = new Machine(world, "here", []);
    this.onTrino = new Machine(world, "on-trino", [], {
      VENUE_ENGINE: "trino",
      VENUE_TRINO_URL: cluster.url,
      VENUE_NESSIE_URL: cluster.nessieUrl,
    });
  }

  /** An empty lake. The caller closes it. */
  static async open(
    installation: Installation,
    { workers }: Pick<SharedLakeOptions, "workers">,
  ): Promise<SharedLake> {
    const folder = mkdtempSync(join(tmpdir(), "venue-analytics-shared-"));
    const work = join(folder, "work");
    mkdirSync(work);
    const cluster = await startCluster(installation, { lake: join(folder, "lake"), workers });
    const world = await setUpIn(work, { days: 40, zones: 6 });
    return new SharedLake(folder, world, cluster);
  }

  /** Each machine collects its group on three days, loads its part of the plays, and publishes. */
  async fill(plays: number): Promise<void> {
    const { emulator } = this.world;
    const now = emulator.now().getTime();
    const collectAt = async (atMs: number, ...topics: string[]) => {
      setNow(this.world, new Date(atMs));
      for (const machine of this.machines) await machine.run("sync", ...topics);
    };
    await collectAt(now - 8 * dayMs);
    for (const atMs of listInstantsInOutage(emulator.world, now - 7 * dayMs, now))
      await collectAt(atMs, "devices");
    await collectAt(now);
    const shares = [
      ["0", "0.6"],
      ["0.4", "1"],
    ];
    for (const [index, machine] of this.machines.entries()) {
      const file = join(this.#folder, `part-${index}.jsonl`);
      await runNode(writer, [file, String(plays), ...(shares[index] ?? [])], machine.setup);
      await runNode(program, ["load", file, "--kind", "music"], machine.setup);
      rmSync(file);
    }
    await this.publish();
  }

  async publish(): Promise<void> {
    for (const [index, machine] of this.machines.entries())
      await this.publishAs(machine, `machine-${index + 1}`);
  }

  async publishAs(machine: Machine, name: string): Promise<void> {
    await machine.run("publish", "--layer", "core", "--source", name, "--to", this.lake);
  }

  async close(): Promise<void> {
    await this.world.emulator.close();
    await this.cluster.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** In a separate process: the program loads large files in several threads. */
async function runNode(script: string, words: readonly string[], setup: Setup): Promise<void> {
  const child = spawn(process.execPath, [script, ...words], {
    cwd: setup.workingFolder,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...setup.environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${script} ${words.join(" ")}: ${stderr}`);
}

/** Instants of listings that show a device down for more than 15 minutes. */
function listInstantsInOutage({ plan, zones }: World, fromMs: number, untilMs: number): number[] {
  const outages = zones.flatMap(({ deviceId }) => findOutages(plan.seed, deviceId, fromMs, untilMs));
  const long = outages.find(
    ({ startedAtMs, endedAtMs }) => startedAtMs > fromMs && endedAtMs - startedAtMs > 1_800_000,
  );
  if (!long) throw new Error("no device of this world has an outage: take more zones");
  const { startedAtMs, endedAtMs } = long;
  return [
    -600_000,
    60_000,
    (endedAtMs - startedAtMs) / 2,
    endedAtMs - startedAtMs - 60_000,
    endedAtMs - startedAtMs + 600_000,
  ].map((offset) => startedAtMs + offset);
}
