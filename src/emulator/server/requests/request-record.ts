import type { FaultTarget } from "../faults/fault-switchboard.ts";

export interface RequestRecord {
  origin: FaultTarget["origin"];
  /** Arrival time: epoch ms with fractions, on a clock that never runs backwards. */
  at: number;
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  /** The `Range` header of a download. */
  range?: string;
  /** For a command: the fields of its body; an uploaded file is shown as its name, type, size and SHA-256. */
  inputs?: Readonly<Record<string, unknown>>;
  /** Null until a response is sent, or if the connection is reset instead. */
  status: number | null;
  /** For a download: bytes sent so far. */
  sentBytes?: number;
}
