import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServerProcess } from "../../support/server-process.ts";
import { propertiesText } from "./catalogs.ts";

type Properties = Readonly<Record<string, string | number | boolean>>;

export interface TrinoNodeOptions {
  java: string;
  /** Folder with Trino's `lib` and `plugin`. */
  trino: string;
  name: string;
  /** Configuration, log and output; it is created. */
  folder: string;
  heapMb: number;
  config: Properties;
  /** Properties files by name. */
  catalogs: Readonly<Record<string, string>>;
}

/** Starts one node of a cluster. It is not ready yet. */
export function startTrinoNode({
  java,
  trino,
  name,
  folder,
  heapMb,
  config,
  catalogs,
}: TrinoNodeOptions): ServerProcess {
  const data = join(folder, "data");
  const catalogFolder = join(folder, "catalog");
  for (const path of [data, catalogFolder]) mkdirSync(path, { recursive: true });
  for (const [catalog, text] of Object.entries(catalogs))
    writeFileSync(join(catalogFolder, `${catalog}.properties`), text);
  writeFileSync(join(folder, "config.properties"), propertiesText(config));
  writeFileSync(join(folder, "log.properties"), "io.trino=INFO\n");
  const settings = {
    "node.environment": "test",
    "node.id": name,
    "node.data-dir": data,
    "node.bind-ip": "127.0.0.1",
    "node.internal-address": "127.0.0.1",
    "plugin.dir": join(trino, "plugin"),
    "catalog.config-dir": catalogFolder,
    config: join(folder, "config.properties"),
    "log.levels-file": join(folder, "log.properties"),
  };
  const command = [
    join(java, "bin/java"),
    `-Xmx${heapMb}M`,
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:-OmitStackTraceInFastThrow",
    "-Dfile.encoding=UTF-8",
    "-Djdk.attach.allowAttachSelf=true",
    "--enable-native-access=ALL-UNNAMED",
    ...Object.entries(settings).map(([setting, value]) => `-D${setting}=${value}`),
    "-classpath",
    join(trino, "lib/*"),
    "io.trino.server.TrinoServer",
  ];
  return new ServerProcess(`Trino's ${name}`, command, { cwd: data, logFile: join(folder, "server.log") });
}
