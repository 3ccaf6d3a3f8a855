import type { Kind } from "../../util/kind.ts";
import type { PieceSizes } from "./pieces/piece-cutter.ts";

/** A file of history lines, and what asked for it. */
export interface HistoryLanding {
  /** The same landing is never loaded twice. */
  landingId: string;
  /** Absolute, or relative to the working folder. Ends in `.gz` where it is packed. */
  path: string;
  kind: Kind;
  source: "export" | "walk" | "file";
  /** Of an export. */
  groupId?: number;
  /** Of a walk. */
  zoneId?: number;
  /** Lines that started more than 24 hours after it are rejected. */
  requestedAt: Date;
  /** After it, core holds all that the service had of its group (or zone) and kind; an export holds all of it itself. */
  isComplete: boolean;
}

/** A zone's history of one kind, or what is new of it. */
export type WalkLanding = HistoryLanding & { source: "walk"; zoneId: number };

export interface LoadOptions {
  loadedAt: Date;
  /** Ends the load at once; the warehouse stays as it was. */
  signal?: AbortSignal | undefined;
  /** Called with what begins now, in a few words. */
  onProgress?: ((step: string) => void) | undefined;
  /** For tests. */
  pieceSizes?: PieceSizes | undefined;
}
