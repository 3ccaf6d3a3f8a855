import { createHash } from "node:crypto";
import type { SqlColumn, SqlParameter } from "../../engines/engine.ts";
import type { SqlValue } from "../../engines/sql-text.ts";

/** Of one answer. */
const mostRows = 2_000;
/** Of all answers: some 20 MB. An answer counts as ten rows at least. */
const mostRowsOfAll = 40_000;
const leastRows = 10;

export interface KnownAnswer {
  columns: SqlColumn[];
  rows: readonly SqlValue[][];
}

/** What statements gave of one version, where these are few rows: of those asked for last. */
export class KnownRows {
  /** Those asked for last come last. */
  readonly #answers = new Map<string, KnownAnswer>();
  #count = 0;

  /** Of one answer: one of more rows is not kept. */
  readonly mostRows = mostRows;

  find(sql: string, parameters: readonly SqlParameter[]): KnownAnswer | undefined {
    const key = keyOf(sql, parameters);
    const answer = this.#answers.get(key);
    if (!answer) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  keep(sql: string, parameters: readonly SqlParameter[], answer: KnownAnswer): void {
    const key = keyOf(sql, parameters);
    if (answer.rows.length > mostRows || this.#answers.has(key)) return;
    this.#answers.set(key, answer);
    this.#count += countOf(answer);
    for (const [oldest, other] of this.#answers) {
      if (this.#count <= mostRowsOfAll) break;
      this.#answers.delete(oldest);
      this.#count -= countOf(other);
    }
  }
}

function countOf({ rows }: KnownAnswer): number {
  return Math.max(rows.length, leastRows);
}

/** Statements are long: what stands for one, with its parameters, is short. */
function keyOf(sql: string, parameters: readonly SqlParameter[]): string {
  const values = parameters.map((value) => (typeof value === "bigint" ? `${value}n` : value));
  return createHash("sha256")
    .update(JSON.stringify([sql, values]))
    .digest("base64");
}
