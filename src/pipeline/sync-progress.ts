import type { VenueClient } from "../api/client.ts";
import type { ExtractProgress } from "../extract/extract-progress.ts";
import type { ProgressLine } from "../util/progress-line.ts";

/** Turns what collecting does into one line: requests, sources, bytes. */
export class SyncProgress implements ExtractProgress {
  readonly #line: ProgressLine;
  readonly #client: VenueClient;
  #bytes = 0;
  #shownAt = 0;
  readonly #counts = { landed: 0, failed: 0 };

  constructor(line: ProgressLine, client: VenueClient) {
    this.#line = line;
    this.#client = client;
  }

  addBytes(count: number): void {
    this.#bytes += count;
    // Bytes come in thousands of small pieces.
    if (Date.now() - this.#shownAt > 200) this.#show();
  }

  finish(_source: string, outcome: "landed" | "failed"): void {
    this.#counts[outcome] += 1;
    this.#show();
  }

  #show(): void {
    this.#shownAt = Date.now();
    const { landed, failed } = this.#counts;
    const megabytes = (this.#bytes / 1e6).toFixed(1);
    this.#line.show(
      `${this.#client.requestsSent} requests, ${landed} sources landed${failed > 0 ? `, ${failed} failed` : ""}, ${megabytes} MB`,
    );
  }
}
