import type { FaultTarget } from "../faults/fault-switchboard.ts";

/** A request that reached the emulator. */
export interface RequestRecord {
  origin: FaultTarget["origin"];
  /** When it arrived: epoch ms with fractions, of a clock that never runs backwards. */
  at: number;
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  /** The range that a download asked for. */
  range?: string;
  /** Of a command: the fields of its body; of an uploaded file its name, type, size and SHA-256. */
  inputs?: Readonly<Record<string, unknown>>;
  /** Null while there is no answer, and when the connection was reset instead. */
  status: number | null;
  /** Of a download: sent so far. */
  sentBytes?: number;
}
