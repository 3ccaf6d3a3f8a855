/**
 * What DuckDB misreads in a path: it ends a database's name at a question mark, and takes a backslash in a pattern for a
 * slash.
 * @returns the first such character; `undefined` where there is none
 */
export function findOddCharacter(path: string): string | undefined {
  return /[?\\]/.exec(path)?.[0];
}
