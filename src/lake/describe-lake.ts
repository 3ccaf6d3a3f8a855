import type { Storage } from "../storage/storage.ts";
import { LakeDamagedError, LakeTooNewError, lakeEmptyError } from "./errors.ts";
import { tableByMonth } from "./layout.ts";
import { findManifest, listMachines, type MachineManifest } from "./machine.ts";
import { findStoredManifest, listStoredMachines } from "./stored-lake.ts";

export interface MachineStatus {
  machine: string;
  /** First month with plays, as `YYYY-MM`; null if there are no plays. */
  fromMonth: string | null;
  toMonth: string | null;
  plays: number;
  rows: number;
  files: number;
  bytes: number;
  /** ISO instant. `dataAsOf` is an ISO instant too. */
  publishedAt: string;
  dataAsOf: string | null;
  softwareVersion: string;
}

export interface LakeStatus {
  machines: MachineStatus[];
  /** Errors of machines whose manifests cannot be read. */
  problems: (LakeDamagedError | LakeTooNewError)[];
}

/** @throws {VenueError} `LAKE_EMPTY` if no machine has published yet */
export async function describeLake(lake: string): Promise<LakeStatus> {
  return await describeMachines(lake, listMachines(lake), async (name) => findManifest(lake, name));
}

/** @throws {VenueError} `LAKE_EMPTY` if no machine has published yet */
export async function describeStoredLake(storage: Storage): Promise<LakeStatus> {
  const find = async (name: string) => (await findStoredManifest(storage, name))?.manifest;
  return await describeMachines(storage.location, await listStoredMachines(storage), find);
}

/** @param find returns a machine's manifest, or `undefined` if it was removed meanwhile */
async function describeMachines(
  location: string,
  names: readonly string[],
  find: (name: string) => Promise<MachineManifest | undefined>,
): Promise<LakeStatus> {
  const status: LakeStatus = { machines: [], problems: [] };
  if (names.length === 0) throw lakeEmptyError(location);
  for (const name of names) {
    try {
      const manifest = await find(name);
      if (manifest) status.machines.push(describeMachine(manifest));
    } catch (error) {
      if (!(error instanceof LakeDamagedError || error instanceof LakeTooNewError)) throw error;
      status.problems.push(error);
    }
  }
  return status;
}

function describeMachine(manifest: MachineManifest): MachineStatus {
  const files = Object.values(manifest.tables).flatMap((table) => table.files);
  const played = manifest.tables[tableByMonth]?.files ?? [];
  const months = played.flatMap(({ month }) => month ?? []).sort();
  return {
    machine: manifest.name,
    fromMonth: months.at(0) ?? null,
    toMonth: months.at(-1) ?? null,
    plays: sum(played.map(({ rows }) => rows)),
    rows: sum(files.map(({ rows }) => rows)),
    files: files.length,
    bytes: sum(files.map(({ bytes }) => bytes)),
    publishedAt: manifest.published_at,
    dataAsOf: manifest.data_as_of,
    softwareVersion: manifest.software_version,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
