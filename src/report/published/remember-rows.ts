import type { PublishedMart } from "./published-mart.ts";

/**
 * The same, for one page: what a statement gave it gives again where it is asked twice, as a version stays as it is. Nobody may
 * change the rows.
 */
export function rememberRows(mart: PublishedMart): PublishedMart {
  const known = new Map<string, Promise<never[]>>();
  return {
    ...mart,
    all: (sql, parameters = []) => {
      const key = JSON.stringify([sql, parameters], (_name, value) =>
        typeof value === "bigint" ? `${value}n` : value,
      );
      const rows = known.get(key) ?? mart.all<never>(sql, parameters);
      known.set(key, rows);
      return rows;
    },
  };
}
