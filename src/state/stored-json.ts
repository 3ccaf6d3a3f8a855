import { SqliteDamagedError } from "./sqlite-errors.ts";

/**
 * What this program stored as JSON in a database.
 * @param path of the database
 * @throws {SqliteDamagedError} when it is JSON no more
 */
export function parseStored<Value>(path: string, json: string): Value {
  try {
    return JSON.parse(json) as Value;
  } catch (cause) {
    throw new SqliteDamagedError(path, { cause });
  }
}
