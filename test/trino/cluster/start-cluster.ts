import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TrinoEngine } from "../../../src/engines/trino/trino-engine.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import type { ServerProcess } from "../../support/server-process.ts";
import type { Servers } from "../install/install-servers.ts";
import { type Bucket, catalogsOf } from "./catalogs.ts";
import { findFreePort } from "./free-port.ts";
import { type Login, type LoginFiles, writeLoginFiles } from "./login-files.ts";
import { startNessie } from "./nessie-server.ts";
import { startTrinoNode } from "./trino-node.ts";

/** Software installed on a test machine. */
export interface Installation extends Servers {
  java: string;
  /** The program of versitygw; `undefined` if unavailable. */
  gateway: string | undefined;
}

export interface ClusterOptions {
  /** Its folder need not exist. */
  bucket: Bucket;
  /** In addition to the coordinator, which also works alone. @default 0 */
  workers?: number;
  /** The only user admitted, over https. @default everybody, over http */
  login?: Login;
}

export interface Cluster {
  /** The coordinator's URL. With a login, this is for the cluster itself: users take `login.url`. */
  url: string;
  nessieUrl: string;
  login: LoginFiles | undefined;
  /** Kills one worker, the last first. */
  killWorker(): Promise<void>;
  /** Kills the coordinator and restarts it; resolves once it runs statements. */
  restartCoordinator(): Promise<void>;
  /** Ends all its processes, and removes everything except the bucket. */
  stop(): Promise<void>;
}

const heapMb = { coordinator: 2_500, worker: 1_500 };

/** Starts Nessie, a coordinator and its workers on this machine; resolves once they run statements. */
export async function startCluster(installation: Installation, options: ClusterOptions): Promise<Cluster> {
  const { bucket, workers: workerCount = 0, login: wanted } = options;
  mkdirSync(bucket.folder, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-cluster-"));
  const running: ServerProcess[] = [];
  const stop = async () => {
    await Promise.all(running.map((process) => process.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const nessie = await startNessie(installation, folder);
    running.push(nessie.process);
    const login = wanted && (await writeLoginFiles(installation.java, join(folder, "login"), wanted));
    const catalogs = catalogsOf(bucket, nessie.url);
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const shared = {
      "discovery.uri": url,
      "query.max-memory": "2GB",
      "query.max-memory-per-node": "800MB",
      // Detects a lost worker sooner than after the usual minute.
      "query.remote-task.max-error-duration": "15s",
      // Workers end the tasks of a lost coordinator sooner.
      "task.client.timeout": "20s",
      ...(login ? { "internal-communication.shared-secret": "of no worth" } : {}),
    };
    const start = (name: string, heap: number, own: object) => {
      const config = { ...shared, ...own };
      const node = { name, folder: join(folder, name), heapMb: heap, config, catalogs };
      const process = startTrinoNode({ ...installation, ...node });
      running.push(process);
      return process;
    };
    const startCoordinator = () =>
      start("coordinator", heapMb.coordinator, {
        coordinator: true,
        "node-scheduler.include-coordinator": workerCount === 0,
        "http-server.http.port": port,
        ...login?.config,
      });
    let coordinator = startCoordinator();
    const workers: ServerProcess[] = [];
    for (let index = 1; index <= workerCount; index += 1) {
      const own = { coordinator: false, "http-server.http.port": await findFreePort() };
      workers.push(start(`worker-${index}`, heapMb.worker, own));
    }
    const ready = async () => {
      await coordinator.ready(() => findNodes({ url, login, user: wanted?.user }, workers.length + 1));
      // Until then, statements on a catalog may still find no nodes.
      await sleep(nodeCacheMs);
    };
    await ready();
    return {
      url,
      nessieUrl: nessie.url,
      login,
      killWorker: async () => await workers.pop()?.kill(),
      restartCoordinator: async () => {
        await coordinator.kill();
        coordinator = startCoordinator();
        await ready();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Trino caches for 5 seconds which nodes have a catalog. */
const nodeCacheMs = 6_000;

/**
 * True when this many nodes run statements, `undefined` before: servers report too early that they started.
 */
async function findNodes(
  { url, login, user = "test" }: { url: string; login: LoginFiles | undefined; user: string | undefined },
  count: number,
): Promise<true | undefined> {
  const engine = new TrinoEngine({
    url: login?.url ?? url,
    token: login?.tokenFor(user),
    certificateAuthority: login?.certificate,
    user,
    catalog: "system",
    logger: silentLogger,
    retry: { attempts: 1 },
  });
  try {
    const { nodes } = await engine.get<{ nodes: number }>(
      "select count(*) as nodes from system.runtime.nodes where state = 'active'",
    );
    const { rows } = await engine.get<{ rows: number }>(
      "select count(distinct x) as rows from unnest(sequence(1, 1000)) as t (x)",
    );
    await engine.all("select schema_name from venue_core.information_schema.schemata");
    return nodes === count && rows === 1_000 ? true : undefined;
  } catch {
    return undefined;
  } finally {
    engine.close();
  }
}
