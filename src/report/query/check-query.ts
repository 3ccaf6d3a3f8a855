import { allowedTableFunctions } from "../../mart/custom/custom-select.ts";
import { getErrorMessage, VenueError } from "../../util/venue-error.ts";
import type { PublishedMart } from "../published/published-mart.ts";

const allowedStatements =
  "Write one select (also with, from, values, describe or show tables) over the published tables";

/**
 * Rejects everything but one select over the published tables. DuckDB itself is restricted, too, but some table
 * functions change its state (e.g. logging) even within a select.
 * @throws {VenueError} `QUERY`
 */
export async function checkQuery(mart: PublishedMart, sql: string): Promise<void> {
  const tree = await mart.parse(sql).catch((error: unknown) => {
    throw createError(sql, error);
  });
  const refused = listTableFunctions(tree).find((name) => !allowedTableFunctions.includes(name));
  if (refused === undefined) return;
  throw queryError(
    `The query uses ${refused}(), which may access unpublished data. ${allowedStatements}, and the table functions ${allowedTableFunctions.join(", ")}.`,
  );
}

function createError(sql: string, error: unknown): VenueError {
  if (sql.trim() === "") return queryError(`The query is empty. ${allowedStatements}.`);
  const message = getErrorMessage(error);
  const isOtherStatement = /only select|not exactly one/i.test(message);
  return queryError(
    isOtherStatement
      ? `The query is not one select. ${allowedStatements}.`
      : `The query can't be parsed: ${message}`,
    { cause: error },
  );
}

function listTableFunctions(tree: unknown): string[] {
  if (typeof tree !== "object" || tree === null) return [];
  const below = Object.values(tree).flatMap(listTableFunctions);
  const { type, function: called } = tree as { type?: unknown; function?: { function_name: string } };
  return type === "TABLE_FUNCTION" && called ? [called.function_name.toLowerCase(), ...below] : below;
}

export function queryError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("QUERY", "usage", message, options);
}
