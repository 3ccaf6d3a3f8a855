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

interface Parts extends Pick<TrinoWorld, "bucket" | "gateway" | "world" | "cluster"> {
  folder: string;
}

/**
 * A machine that loads, builds and publishes `core` into a store, or into a folder if no gateway is available, and a
 * builder on a separate cluster.
 */
export class TrinoWorld {
  /** The folder that serves as bucket. */
  readonly bucket: string;
  /** Where `core` is published. */
  readonly store: string;
  /** The bucket in Trino. */
  readonly location: string;
  readonly gateway: Gateway | undefined;
  readonly world: Setup;
  readonly here: Machine;
  readonly onTrino: Machine;
  readonly cluster: Cluster;
  readonly #folder: string;

  private constructor({ folder, bucket, gateway, world, cluster }: Parts) {
    this.#folder = folder;
    this.bucket = bucket;
    this.store = gateway ? "s3://venue/core" : join(bucket, "core");
    this.location = gateway ? "s3://venue" : "local://";
    this.gateway = gateway;
    this.world = world;
    this.cluster = cluster;
    this.here = new Machine(world, "here", world.emulator.world.groupIds.slice(0, 2));
    this.onTrino = new Machine(world, "on-trino", [], {
      VENUE_ENGINE: "trino",
      VENUE_TRINO_URL: cluster.url,
      VENUE_NESSIE_URL: cluster.nessieUrl,
    });
  }

  /** Nothing is loaded yet. The caller closes it. */
  static async open(installation: Installation, workers: number): Promise<TrinoWorld> {
    const folder = mkdtempSync(join(tmpdir(), "venue-analytics-trino-"));
    const work = join(folder, "work");
    mkdirSync(work);
    const { gateway: program } = installation;
    const gateway = program === undefined ? undefined : await startGateway(program, folder);
    const bucket = bucketFolderIn(folder);
    const place = { folder: bucket, endpoint: gateway?.endpoint };
    const cluster = await startCluster(installation, { bucket: place, workers });
    const world = await setUpIn(work, { days: 40, zones: 6 });
    // The program runs in other processes, and in this one.
    if (gateway) Object.assign(world.environment, setStoreEnvironment(gateway.endpoint));
    return new TrinoWorld({ folder, bucket, gateway, world, cluster });
  }

  /** Collects on three days, and loads a file of music plays. */
  async fill(plays: number): Promise<void> {
    const { emulator } = this.world;
    const now = emulator.now().getTime();
    const collectAt = async (atMs: number, ...topics: string[]) => {
      setNow(this.world, new Date(atMs));
      await this.here.run("sync", ...topics);
    };
    await collectAt(now - 8 * dayMs);
    for (const atMs of listInstantsInOutage(emulator.world, now - 7 * dayMs, now))
      await collectAt(atMs, "devices");
    await collectAt(now);
    const file = join(this.#folder, "plays.jsonl");
    await runNode(writer, [file, String(plays)], this.here.setup);
    await runNode(program, ["load", file, "--kind", "music"], this.here.setup);
    rmSync(file);
  }

  async publish(): Promise<void> {
    await this.here.run("publish", "--layer", "core", "--to", this.store);
  }

  async build(): Promise<void> {
    await this.onTrino.run("build", "--from", this.store);
  }

  /** Builds on the cluster, in a separate process; interferes when a step is done. */
  async buildUntil(
    step: string,
    interfere: (child: ChildProcess) => unknown,
  ): Promise<{ code: number | null; stderr: string }> {
    const { workingFolder, environment } = this.onTrino.setup;
    const child = spawn(process.execPath, [program, "build", "--from", this.store, "--debug"], {
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
