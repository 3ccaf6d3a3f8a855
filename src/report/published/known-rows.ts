import { createHash } from "node:crypto";
import type { SqlParameter } from "../../engines/engine.ts";

/** Of one answer. */
const mostRows = 2_000;
/** Of all answers: some 20 MB. An answer counts as ten rows at least. */
const mostRowsOfAll = 40_000;
const leastRows = 10;

interface Answer {
  rows: unknown;
  count: number;
}

/** What statements gave of one version, where these are few rows: of those asked for last. */
export class KnownRows {
  /** Those asked for last come last. */
  readonly #answers = new Map<string, Answer>();
  #count = 0;

  /** Of one answer: one of more rows is not kept. */
  readonly mostRows = mostRows;

  find<Rows>(key: string): Rows | undefined {
    const answer = this.#answers.get(key);
    if (!answer) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer.rows as Rows;
  }

  /** @param length how many rows they are */
  keep(key: string, rows: unknown, length: number): void {
    if (length > mostRows || this.#answers.has(key)) return;
    const count = Math.max(length, leastRows);
    this.#answers.set(key, { rows, count });
    this.#count += count;
    for (const [oldest, answer] of this.#answers) {
      if (this.#count <= mostRowsOfAll) break;
      this.#answers.delete(oldest);
      this.#count -= answer.count;
    }
  }
}

/** Statements are long: what stands for one, with its parameters, is short. */
export function keyOf(how: "all" | "stream", sql: string, parameters: readonly SqlParameter[]): string {
  const values = parameters.map((value) => (typeof value === "bigint" ? `${value}n` : value));
  return createHash("sha256")
    .update(JSON.stringify([how, sql, values]))
    .digest("base64");
}
