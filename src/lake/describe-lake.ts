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
export function describeLake(lake: string): LakeStatus {
  const status: LakeStatus = { machines: [], problems: [] };
  const names = listMachines(lake);
  if (names.length === 0) throw lakeEmptyError(lake);
  for (const name of names) {
    try {
      const manifest = findManifest(lake, name);
      if (manifest) status.machines.push(describeMachine(manifest));
    } catch (error) {
      if (!isProblem(error)) throw error;
      status.problems.push(error);
    }
  }
  return status;
}

/** @throws {VenueError} `LAKE_EMPTY` if no machine has published yet */
export async function describeStoredLake(storage: Storage): Promise<LakeStatus> {
  const status: LakeStatus = { machines: [], problems: [] };
  const names = await listStoredMachines(storage);
  if (names.length === 0) throw lakeEmptyError(storage.location);
  for (const name of names) {
    try {
      const stored = await findStoredManifest(storage, name);
      if (stored) status.machines.push(describeMachine(stored.manifest));
    } catch (error) {
      if (!isProblem(error)) throw error;
      status.problems.push(error);
    }
  }
  return status;
}

function isProblem(error: unknown): error is LakeStatus["problems"][number] {
  return error instanceof LakeDamagedError || error instanceof LakeTooNewError;
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
