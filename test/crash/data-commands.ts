import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { runVenue } from "../support/run-venue.ts";
import { type Figures, publishedFigures, type Setup } from "../support/service.ts";
import { digestOf } from "./machine.ts";
import { type PreparedWorld, places, secret } from "./prepared-world.ts";

/** A command that makes, or restores from, a copy of the stored data. */
export interface DataCommand {
  name: string;
  args: readonly string[];
  prepare(setup: Setup): void;
  /**
   * Checks that the previous data is still usable after an interrupted command.
   * @returns whether the command's result already exists and is complete
   */
  checkInterrupted(setup: Setup, world: PreparedWorld, wasKilled: boolean): Promise<boolean>;
  checkResult(setup: Setup, world: PreparedWorld): Promise<void>;
  /** True if the command refuses to overwrite: if its result exists, it exits with code 2. */
  refusesOverwriting: boolean;
}

export const dataCommands: readonly DataCommand[] = [
  {
    name: "backup",
    args: ["backup", "--to", places.backup, "--with-secret"],
    prepare: () => {},
    async checkInterrupted(setup, world) {
      expect(await publishedFigures(setup)).toEqual(world.second);
      assertUntouched(setup, world, places.earlierBackup);
      if (!existsSync(join(setup.workingFolder, places.backup, "backup.json"))) return false;
      await this.checkResult(setup, world);
      return true;
    },
    async checkResult(setup, { second }) {
      const restored = elsewhere(setup);
      const from = join(setup.workingFolder, places.backup);
      const { code, stderr } = await runVenue(["restore", "--from", from], restored);
      expect(code, stderr).toBe(0);
      expect(await publishedFigures(restored)).toEqual(second);
      expect(readFileSync(join(restored.workingFolder, places.secret), "utf8")).toBe(secret);
      rmSync(restored.workingFolder, { recursive: true });
    },
    refusesOverwriting: true,
  },
  {
    name: "restore",
    args: ["restore", "--from", places.earlierBackup],
    prepare({ workingFolder, dataFolder }) {
      rmSync(dataFolder, { recursive: true });
      rmSync(join(workingFolder, places.secret));
    },
    async checkInterrupted(setup, world, wasKilled) {
      assertUntouched(setup, world, places.earlierBackup);
      assertSecretWhole(setup);
      const isRestored = existsSync(setup.dataFolder);
      // A failed command leaves everything unchanged.
      if (!isRestored && !wasKilled) expect(existsSync(join(setup.workingFolder, places.secret))).toBe(false);
      if (!isRestored) return false;
      await this.checkResult(setup, world);
      return true;
    },
    async checkResult(setup, { first }) {
      await assertPublished(setup, "data/published", first);
      expect(readFileSync(join(setup.workingFolder, places.secret), "utf8")).toBe(secret);
    },
    refusesOverwriting: true,
  },
  {
    name: "restore --replace",
    args: ["restore", "--from", places.earlierBackup, "--replace"],
    prepare: () => {},
    async checkInterrupted(setup, world, wasKilled) {
      assertUntouched(setup, world, places.earlierBackup);
      const seen = existsSync(setup.dataFolder) ? await publishedFigures(setup) : undefined;
      if (isDeepStrictEqual(seen, world.second)) return false;
      await assertAside(setup, world);
      // Two renames, one after the other: after a kill in between, neither name exists.
      if (seen === undefined && wasKilled) return false;
      await this.checkResult(setup, world);
      return true;
    },
    async checkResult(setup, world) {
      await assertPublished(setup, "data/published", world.first);
      await assertAside(setup, world);
    },
    refusesOverwriting: false,
  },
  {
    name: "publish into a new folder",
    args: ["publish", "--to", places.copy],
    prepare: ({ workingFolder }) => rmSync(join(workingFolder, places.share), { recursive: true }),
    async checkInterrupted(setup, { second }) {
      expect(await publishedFigures(setup)).toEqual(second);
      if (!existsSync(join(setup.workingFolder, places.copy, "current"))) return false;
      expect(await publishedFigures(openCopy(setup))).toEqual(second);
      return false;
    },
    checkResult: (setup, { second }) => assertPublished(setup, places.copy, second),
    refusesOverwriting: false,
  },
  {
    name: "publish beside an earlier version",
    args: ["publish", "--to", places.copy],
    prepare: () => {},
    async checkInterrupted(setup, { first, second }) {
      expect(await publishedFigures(setup)).toEqual(second);
      expect([first, second]).toContainEqual(await publishedFigures(openCopy(setup)));
      return false;
    },
    checkResult: (setup, { second }) => assertPublished(setup, places.copy, second),
    refusesOverwriting: false,
  },
];

function elsewhere(setup: Setup): Setup {
  const workingFolder = join(setup.workingFolder, "..", "elsewhere");
  const environment = { ...setup.environment, VENUE_HOME: join(workingFolder, "home") };
  return { ...setup, environment, workingFolder, dataFolder: join(workingFolder, "data") };
}

function openCopy(setup: Setup): Setup {
  const environment = { ...setup.environment, VENUE_DATA_DIR: join(setup.workingFolder, places.share) };
  return { ...setup, environment };
}

/** Checks what `venue` and BI tools read. */
async function assertPublished(setup: Setup, place: string, figures: Figures): Promise<void> {
  const published = join(setup.workingFolder, place);
  const environment = { ...setup.environment, VENUE_DATA_DIR: join(published, "..") };
  expect(await publishedFigures({ ...setup, environment })).toEqual(figures);
  const catalog = await DuckDb.open({ path: join(published, "catalog.duckdb"), readOnly: true });
  try {
    const { plays } = await catalog.get<{ plays: number }>("select count(*) as plays from fact_play");
    const counts = Object.values(figures).map((figure) => Number(figure.split("/")[0]));
    expect(plays).toBe(counts.reduce((sum, count) => sum + count, 0));
  } finally {
    catalog.close();
  }
}

/** Checks the previous data folder, which was renamed. */
async function assertAside(setup: Setup, { second }: PreparedWorld): Promise<void> {
  const names = readdirSync(setup.workingFolder).filter((name) => name.startsWith("data.replaced-"));
  const oldest = names.sort()[0] ?? "none";
  const environment = { ...setup.environment, VENUE_DATA_DIR: join(setup.workingFolder, oldest) };
  expect(await publishedFigures({ ...setup, environment })).toEqual(second);
}

function assertSecretWhole({ workingFolder }: Setup): void {
  const path = join(workingFolder, places.secret);
  if (existsSync(path)) expect(readFileSync(path, "utf8")).toBe(secret);
}

function assertUntouched(setup: Setup, { base }: PreparedWorld, place: string): void {
  expect(digestOf(join(setup.workingFolder, place))).toEqual(digestOf(join(base.workingFolder, place)));
}
