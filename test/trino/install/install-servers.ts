import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Artifact, fetchArtifact } from "./fetch-artifact.ts";

export interface Servers {
  /** Folder with Trino's `lib` and `plugin`. */
  trino: string;
  nessieJar: string;
}

const trino: Artifact = {
  group: "io.trino",
  name: "trino-server",
  version: "476",
  packaging: "tar.gz",
  sha256: "cfd5accde17e8ebd251eeeb78aed1f490e77bb3a164d95a0f454bf8a7c1cbd3f",
};
const nessie: Artifact = {
  group: "org.projectnessie.nessie",
  name: "nessie-quarkus",
  version: "0.99.0",
  packaging: "jar:runner",
  sha256: "ce9fa33e2878bf5ea3981876b9e6204cabc0362b3dd82326b10e47271a78c417",
};
export const servedVersions = { trino: trino.version, nessie: nessie.version };

/** Other plugins would only be loaded without use. */
const plugins = new Set(["hive", "iceberg", "password-authenticators"]);

/**
 * Trino and Nessie, fetched the first time and kept in the user's cache folder (0.6 GB).
 * @throws {NotFetchedError}
 */
export async function installServers(tell: (message: string) => void): Promise<Servers> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "venue-analytics-test");
  mkdirSync(cache, { recursive: true });
  const servers = {
    trino: join(cache, `${trino.name}-${trino.version}`),
    nessieJar: join(cache, `${nessie.name}-${nessie.version}.jar`),
  };
  if (!existsSync(servers.nessieJar)) {
    tell(`Fetching Nessie ${nessie.version} (245 MB) into ${cache} ...`);
    await fetchArtifact(nessie, cache, async (file) => renameSync(file, servers.nessieJar));
  }
  if (!existsSync(servers.trino)) {
    tell(`Fetching Trino ${trino.version} (821 MB) into ${cache} ...`);
    await fetchArtifact(trino, cache, async (file) => unpack(file, cache, servers.trino));
  }
  return servers;
}

/** Plugins share files as hard links: unpacks all, then removes unused plugins. */
function unpack(archive: string, cache: string, folder: string): void {
  const own = mkdtempSync(join(cache, "unpack-"));
  try {
    execFileSync("tar", ["-xzf", archive, "-C", own, "--strip-components=1"]);
    for (const name of readdirSync(join(own, "plugin"))) {
      if (!plugins.has(name)) rmSync(join(own, "plugin", name), { recursive: true });
    }
    renameSync(own, folder);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
