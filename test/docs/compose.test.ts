import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { catalogs } from "../../src/engines/trino/trino-options.ts";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { catalogFolder } from "../trino/cluster/catalogs.ts";
import { servedVersions } from "../trino/install/install-servers.ts";

interface Service {
  image: string;
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  depends_on?: string[];
}

const docs = join(packageRoot, "docs");
const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  readFileSync(join(docs, "compose.yaml"), "utf8"),
  { strict: true, uniqueKeys: true },
);
const services = Object.entries(compose.services);

describe("docs/compose.yaml", () => {
  it("uses the versions that the tests use", () => {
    const images = services.map(([, { image }]) => image);
    expect(images).toContain(`trinodb/trino:${servedVersions.trino}`);
    expect(images).toContain(`ghcr.io/projectnessie/nessie:${servedVersions.nessie}`);
    expect(images.filter((image) => !/:v?\d/.test(image))).toEqual([]);
    expect(new Set(images.filter((image) => image.startsWith("trinodb/"))).size).toBe(1);
  });

  it.each(services)("%s names existing services, volumes and files", (_name, { volumes, depends_on }) => {
    expect((depends_on ?? []).filter((name) => !(name in compose.services))).toEqual([]);
    const sources = (volumes ?? []).map((volume) => volume.split(":")[0] ?? "");
    const missing = sources.filter((source) =>
      source.startsWith("./")
        ? // Created by the user.
          source !== "./store" && !existsSync(join(docs, source))
        : !(source in compose.volumes),
    );
    expect(missing).toEqual([]);
  });

  it.each(services)("%s is reachable only from this host, and has no built-in secret", (_name, service) => {
    expect((service.ports ?? []).filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
    const secrets = Object.entries(service.environment ?? {}).filter(([name]) => /KEY|PASSWORD/.test(name));
    expect(secrets.filter(([, value]) => !/^\$\{\w+:\?.+\}$/.test(value))).toEqual([]);
  });
});

describe("docs/trino/catalog", () => {
  const installed = readdirSync(catalogFolder).map((file) => basename(file, ".properties"));

  it("has the catalogs that the program uses", () => {
    expect(installed.sort()).toEqual(Object.values(catalogs).sort());
  });

  // Tests of Trino use these files with other addresses and keys.
  it.each(installed)("%s is in the bucket of the trial", (name) => {
    expect(Object.values(readCatalog(name)).filter((value) => value.startsWith("s3://venue/")).length).toBe(
      1,
    );
  });

  it.each(installed)("%s gets the environment variables it reads", (name) => {
    const values = Object.values(readCatalog(name));
    const read = values.flatMap((value) => /^\$\{ENV:(\w+)\}$/.exec(value)?.[1] ?? []);
    expect(read.length).toBe(2);
    for (const [, { image, environment }] of services) {
      if (image.startsWith("trinodb/")) expect(Object.keys(environment ?? {})).toEqual(read);
    }
  });
});

function readCatalog(name: string): Record<string, string> {
  const lines = readFileSync(join(catalogFolder, `${name}.properties`), "utf8").split("\n");
  const entries = lines.flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    const [, key = "", value = ""] = /^([a-z0-9.-]+)=(\S+)$/.exec(line) ?? [];
    if (key === "") throw new Error(`${name}: ${line}`);
    return [[key, value] as const];
  });
  const keys = entries.map(([key]) => key);
  if (new Set(keys).size < keys.length) throw new Error(`${name} has a property twice`);
  return Object.fromEntries(entries);
}
