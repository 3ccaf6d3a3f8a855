import { join } from "node:path";
import { ServerProcess } from "../../support/server-process.ts";

/** Starts Nessie with its branches in memory. */
export async function startNessie(
  { java, nessieJar }: { java: string; nessieJar: string },
  folder: string,
): Promise<{ url: string; process: ServerProcess }> {
  const onLoopback = ["http", "management"].flatMap((name) => [
    `-Dquarkus.${name}.host=127.0.0.1`,
    `-Dquarkus.${name}.port=0`,
  ]);
  const command = [join(java, "bin/java"), "-Xmx512M", ...onLoopback, "-jar", nessieJar];
  const process = new ServerProcess("Nessie", command, { cwd: folder, logFile: join(folder, "nessie.log") });
  const url = await process.ready((log) => /Listening on: (http:\S+:\d+)/.exec(log)?.[1]);
  return { url, process };
}
