import type { SqlParameter } from "./engine.ts";

/**
 * Values by position, for SQL whose every parameter stands in `cast(? as TYPE) as NAME`: Trino knows no named ones.
 * @param find `undefined` of a name that is not known
 * @throws when a parameter has no name, or no value: a bug in the statement or in what calls it
 */
export function bindByName(sql: string, find: (name: string) => SqlParameter | undefined): SqlParameter[] {
  const code = sql.replaceAll(/--.*$/gm, "").replaceAll(/'(?:[^']|'')*'/g, "''");
  const names = Array.from(code.matchAll(/cast\(\? as \w+(?:\(6\))?\) as (\w+)/g), ([, name = ""]) => name);
  if (names.length !== code.split("?").length - 1) {
    throw new Error(`a parameter without a name; write cast(? as …) as …: ${sql.slice(0, 200)}`);
  }
  return names.map((name) => {
    const value = find(name);
    if (value === undefined) throw new Error(`no value for the parameter ${name}: ${sql.slice(0, 200)}`);
    return value;
  });
}
