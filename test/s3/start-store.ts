import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ServerProcess } from "../support/server-process.ts";
import { findFreePort } from "../trino/cluster/free-port.ts";

/** Keys and region of the stores, as users set them. */
export const storeEnvironment = {
  AWS_ACCESS_KEY_ID: "venue",
  AWS_SECRET_ACCESS_KEY: "secret-of-the-tests",
  AWS_REGION: "eu-central-1",
  AWS_EC2_METADATA_DISABLED: "true",
};

/**
 * Lets this process, and those that inherit its environment, use these keys and no others.
 * @param endpoint of the store; without it, tests choose a store
 * @returns what it has set
 */
export function setStoreEnvironment(endpoint?: string): Record<string, string> {
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) delete process.env[name];
  const environment = {
    ...storeEnvironment,
    ...(endpoint !== undefined && { AWS_ENDPOINT_URL_S3: endpoint }),
  };
  Object.assign(process.env, environment);
  return environment;
}

/** A store on loopback with the bucket `venue`. */
export interface RunningStore {
  endpoint: string;
  kill(): Promise<void>;
}

/** Returns the folder that versitygw shows as the bucket `venue`. */
export function bucketFolderIn(folder: string): string {
  return join(folder, "buckets", "venue");
}

export interface Gateway extends RunningStore {
  /** After `kill`, with the same buckets and endpoint. */
  restart(): Promise<void>;
}

/**
 * Starts versitygw.
 * @param folder for its buckets and its log
 */
export async function startGateway(program: string, folder: string): Promise<Gateway> {
  mkdirSync(bucketFolderIn(folder), { recursive: true });
  const port = await findFreePort();
  const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret, AWS_REGION: region } = storeEnvironment;
  const words = [
    ...["--port", `127.0.0.1:${port}`, "--region", region, "--quiet", "--keep-alive"],
    ...["--access", access, "--secret", secret, "posix", join(folder, "buckets")],
  ];
  const start = () => startStore("versitygw", [program, ...words], { folder, port });
  let running = await start();
  return {
    endpoint: running.endpoint,
    kill: () => running.kill(),
    restart: async () => {
      running = await start();
    },
  };
}

export async function startMoto(program: string, folder: string): Promise<RunningStore> {
  const port = await findFreePort();
  const command = [program, "--host", "127.0.0.1", "--port", `${port}`];
  const store = await startStore("moto", command, { folder, port });
  const body = `<CreateBucketConfiguration><LocationConstraint>${storeEnvironment.AWS_REGION}</LocationConstraint></CreateBucketConfiguration>`;
  const { ok, status } = await fetch(`${store.endpoint}/venue`, { method: "PUT", body });
  if (!ok) throw new Error(`The bucket could not be created: status ${status}`);
  return store;
}

async function startStore(
  name: string,
  command: readonly string[],
  { folder, port }: { folder: string; port: number },
): Promise<RunningStore> {
  const server = new ServerProcess(name, command, { cwd: folder, logFile: join(folder, `${name}.log`) });
  const endpoint = `http://127.0.0.1:${port}`;
  await server.ready(() =>
    fetch(endpoint).then(
      () => true as const,
      () => undefined,
    ),
  );
  return { endpoint, kill: () => server.kill() };
}
