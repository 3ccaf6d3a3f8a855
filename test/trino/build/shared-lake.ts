import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { findOutages } from "../../../src/emulator/world/premises/zone.ts";
import type { World } from "../../../src/emulator/world/world.ts";
import { bucketFolderIn, type Gateway, setStoreEnvironment, startGateway } from "../../s3/start-store.ts";
import { Machine } from "../../support/machine.ts";
import { program } from "../../support/run-venue.ts";
import { type Setup, setNow, setUpIn } from "../../support/service.ts";
import { type Cluster, type Installation, startCluster } from "../cluster/start-cluster.ts";

const dayMs = 86_400_000;
const writer = fileURLToPath(new URL("write-plays.mjs", import.meta.url));

interface SharedLakeOptions {
  workers: number;
  /** @default false */
  isInFolder?: boolean;
}

interface Parts extends Pick<SharedLake, "lakeFolder" | "gateway" | "world" | "cluster"> {
  folder: string;
}

/**
 * A lake on S3, or in a folder if no gateway is available. Two machines publish into it, and it is built in two ways:
 * on this machine, and on a separate cluster.
 */
export class SharedLake {
  readonly lake: string;
  /** The lake in Trino. */
  readonly location: string;
  /** On S3, the folder behind the lake. */
  readonly lakeFolder: string;
  readonly gateway: Gateway | undefined;
  readonly world: Setup;
  readonly machines: readonly Machine[];
  readonly here: Machine;
  readonly onTrino: Machine;
  readonly cluster: Cluster;
  readonly #folder: string;

  private constructor({ folder, lakeFolder, gateway, world, cluster }: Parts) {
    this.#folder = folder;
    this.lakeFolder = lakeFolder;
    this.lake = gateway ? "s3://venue/lake" : lakeFolder;
    this.location = gateway ? this.lake : "local:///lake";
    this.gateway = gateway;
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
    { workers, isInFolder = false }: SharedLakeOptions,
  ): Promise<SharedLake> {
    const folder = mkdtempSync(join(tmpdir(), "venue-analytics-shared-"));
    const work = join(folder, "work");
    mkdirSync(work);
    const program = isInFolder ? undefined : installation.gateway;
    const gateway = program === undefined ? undefined : await startGateway(program, folder);
    const lakeFolder = join(gateway ? bucketFolderIn(folder) : folder, "lake");
    const lake = { folder: lakeFolder, endpoint: gateway?.endpoint };
    const cluster = await startCluster(installation, { lake, workers });
    const world = await setUpIn(work, { days: 40, zones: 6 });
    // The program runs in other processes, and in this one.
    if (gateway) Object.assign(world.environment, setStoreEnvironment(gateway.endpoint));
    return new SharedLake({ folder, lakeFolder, gateway, world, cluster });
  }

  /**
   * Each machine collects its group on three days, loads its part of the plays, and publishes.
   * @param plays of music to add: two fifths in zones of each machine, one fifth in shared zones
   */
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

  /** Builds on the cluster, in a separate process; interferes when a step is done. */
  async buildUntil(
    step: string,
    interfere: (child: ChildProcess) => unknown,
  ): Promise<{ code: number | null; stderr: string }> {
    const { workingFolder, environment } = this.onTrino.setup;
    const child = spawn(process.execPath, [program, "build", "--lake", this.lake, "--debug"], {
      cwd: workingFolder,
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    let done: unknown;
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
      if (done === undefined && stderr.includes(step)) done = interfere(child) ?? true;
    });
    const [code] = await once(child, "close");
    expect(done, `the build never came to: ${step}`).toBeDefined();
    await done;
    return { code, stderr };
  }

  async close(): Promise<void> {
    await this.world.emulator.close();
    await this.cluster.stop();
    await this.gateway?.kill();
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
