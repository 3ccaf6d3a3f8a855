import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../src/util/files/package-files.ts";
import { musicLine } from "./load/load-fixture.ts";
import { LocalRegistry } from "./supply/local-registry.ts";
import { loadedBy } from "./support/loaded-by.ts";
import { itInAll } from "./support/long-suite.ts";
import { startVenue } from "./support/run-venue.ts";
import { createTempFolder, tempPrefix } from "./support/temp-folder.ts";

const execute = promisify(execFile);

let folder: string;
/** The folder of a user who installed the package; the libraries are in the `node_modules` above it. */
let user: string;
let installed: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  const clone = join(folder, "clone");
  const sources = [
    "src",
    ".commit.mjs",
    "tsconfig.json",
    "tsconfig.types.json",
    "package.json",
    "README.md",
    "LICENSE",
  ];
  for (const name of [...shippedFiles().filter((name) => name !== "dist"), ...sources])
    cpSync(join(packageRoot, name), join(clone, name), { recursive: true });
  for (const place of [folder, clone])
    symlinkSync(join(packageRoot, "node_modules"), join(place, "node_modules"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: clone, stdio: "pipe" });
  user = join(folder, "user");
  installed = join(user, "node_modules", "venue-analytics");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball(), "--strip-components=1", "-C", installed]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = () => join(installed, "dist", "main.js");

/** Files named by `package.json`, without its exclusions. */
function shippedFiles(): string[] {
  const { files }: { files: string[] } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  return files.filter((name) => !name.startsWith("!"));
}

function tarball(): string {
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
}

/** Disk usage of files, without nested packages. */
function diskBytes(path: string): number {
  const file = lstatSync(path);
  const within = file.isDirectory() ? readdirSync(path).filter((name) => name !== "node_modules") : [];
  return within.reduce((sum, name) => sum + diskBytes(join(path, name)), file.blocks * 512);
}

describe("the installed package", () => {
  it("takes at most 175 MB with its dependencies", () => {
    interface Lock {
      packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
    }
    const lock: Lock = JSON.parse(readFileSync(join(packageRoot, "package-lock.json"), "utf8"));
    const libraries = Object.entries(lock.packages)
      .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
      .map(([path]) => join(packageRoot, path))
      // Binaries for other platforms are not installed.
      .filter((path) => existsSync(path));
    expect(libraries.length).toBeGreaterThan(20);
    const bytes = [installed, ...libraries].map(diskBytes).reduce((sum, size) => sum + size);
    expect(bytes).toBeLessThanOrEqual(175_000_000);
  });

  itInAll("is installed by `npm install -g` as in the README, and runs in any folder", async () => {
    const registry = await LocalRegistry.start();
    const [prefix, home] = [createTempFolder(), createTempFolder()];
    const settings = {
      registry: registry.url,
      prefix,
      cache: join(home, "cache"),
      userconfig: join(home, "npmrc"),
      noproxy: "127.0.0.1",
    };
    const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    try {
      await execute("npm", ["install", "-g", tarball(), ...flags, "--no-audit", "--no-fund"], { cwd: home });
    } finally {
      await registry.close();
    }
    const venue = join(prefix, "bin", "venue");
    const elsewhere = { cwd: home, env: { PATH: process.env.PATH, VENUE_HOME: join(home, "venue") } };
    const { version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
    expect((await execute(venue, ["--version"], elsewhere)).stdout).toContain(version);
    writeFileSync(join(home, "history.jsonl"), `${musicLine()}\n`);
    await execute(venue, ["load", "history.jsonl", "--kind", "music"], elsewhere);
    expect((await execute(venue, ["runs"], elsewhere)).stdout).toContain("succeeded");
  });

  const runPacked = (args: readonly string[], workingFolder: string) =>
    startVenue(args, { environment: {}, workingFolder, program: program() }).finished;

  it("loads only the modules it needs", async () => {
    expect((await loadedBy(["--help"], {}, program())).packages).toEqual(["commander", "venue-analytics"]);
  });

  it("loads files, builds and reports", async () => {
    const workingFolder = createTempFolder();
    const file = join(workingFolder, "history.jsonl");
    writeFileSync(file, `${musicLine()}\n${musicLine({ song_id: 301 })}\n`);
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runPacked(args, workingFolder);
      expect([code, stderr]).toEqual([0, expect.anything()]);
      return stdout;
    };
    await run("load", file, "--kind", "music");
    await run("build");
    const period = ["--from", "2026-03-10", "--to", "2026-03-10"];
    expect(JSON.parse(await run("report", "plays", ...period, "--format", "json"))).toMatchObject([
      { plays: 2 },
    ]);
    expect(await run("report", "plays", ...period, "--format", "html")).toContain("<svg");
  });

  it("is a client for other programs, with its types", () => {
    writeFileSync(
      join(user, "program.mts"),
      `import { ApiError, createVenueClient, type VenueClient, type VenueClientOptions } from "venue-analytics";
       const create: (options: VenueClientOptions) => VenueClient = createVenueClient;
       // @ts-expect-error: it wants a base URL, which is known only where its types are found.
       void (() => create({}));
       console.log(typeof create, ApiError.name);\n`,
    );
    const tsc = join(packageRoot, "node_modules", "typescript", "bin", "tsc");
    const options = [
      "--strict",
      "--module",
      "nodenext",
      "--types",
      "node",
      "--typeRoots",
      join(packageRoot, "node_modules", "@types"),
    ];
    execFileSync(process.execPath, [tsc, ...options, "program.mts"], {
      cwd: user,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const said = execFileSync(process.execPath, ["program.mjs"], { cwd: user, encoding: "utf8" });
    expect(said).toBe("function ApiError\n");
  });
});
