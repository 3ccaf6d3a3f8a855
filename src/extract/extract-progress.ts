/** What collecting has done so far. */
export interface ExtractProgress {
  addBytes(count: number): void;
  /** A source is collected or has failed. */
  finish(source: string, outcome: "landed" | "failed"): void;
}
