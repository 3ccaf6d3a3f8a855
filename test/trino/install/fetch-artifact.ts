import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

export interface Artifact {
  group: string;
  name: string;
  version: string;
  /** `tar.gz`, or `jar:runner` with a classifier. */
  packaging: string;
  sha256: string;
}

/** An artifact is unavailable: Maven is missing, or a repository cannot be reached. */
export class NotFetchedError extends Error {}

const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get";

/**
 * Fetches an artifact with Maven, as its settings on this machine specify, and passes on the file, which is
 * deleted afterwards.
 * @throws {NotFetchedError}
 * @throws when the checksum differs
 */
export async function fetchArtifact(
  artifact: Artifact,
  folder: string,
  take: (file: string) => Promise<void>,
): Promise<void> {
  const repository = mkdtempSync(join(folder, "fetch-"));
  try {
    await runMaven(artifact, repository);
    const file = fileOf(artifact, repository);
    const sha256 = createHash("sha256");
    await pipeline(createReadStream(file), sha256);
    const found = sha256.digest("hex");
    if (found !== artifact.sha256) {
      throw new Error(
        `${artifact.name} ${artifact.version} has the SHA-256 ${found}, not ${artifact.sha256}`,
      );
    }
    await take(file);
  } finally {
    rmSync(repository, { recursive: true, force: true });
  }
}

async function runMaven({ group, name, version, packaging }: Artifact, repository: string): Promise<void> {
  const coordinates = `-Dartifact=${group}:${name}:${version}:${packaging}`;
  const options = ["--batch-mode", "--strict-checksums", `-Dmaven.repo.local=${repository}`];
  try {
    await promisify(execFile)("mvn", [...options, plugin, coordinates, "-Dtransitive=false"], {
      cwd: repository,
    });
  } catch (error) {
    const { code, stdout = "" } = error as { code?: unknown; stdout?: string };
    if (code === "ENOENT") throw new NotFetchedError("Maven (mvn), which fetches them, is not installed");
    const reason = stdout.split("\n").find((line) => line.startsWith("[ERROR]"));
    throw new NotFetchedError(`Maven could not fetch ${name} ${version}: ${reason ?? stdout.slice(-300)}`);
  }
}

function fileOf({ group, name, version, packaging }: Artifact, repository: string): string {
  const [extension, classifier] = packaging.split(":");
  const suffix = classifier === undefined ? "" : `-${classifier}`;
  const folder = join(repository, ...group.split("."), name, version);
  return join(folder, `${name}-${version}${suffix}.${extension}`);
}
