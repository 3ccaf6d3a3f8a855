import { childNodes, commonTables, type SqlNode, SqlSyntaxError } from "../../engines/duckdb/sql-tree.ts";
import { isSqlError, TrinoError } from "../../engines/errors.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import { type CustomFile, customError } from "./custom-file.ts";

/** Table functions that depend only on their arguments. All others read files or settings, or run other SQL. */
export const allowedTableFunctions = ["range", "generate_series", "unnest", "json_each", "json_tree"];

/**
 * Rejects everything but one select over the given tables.
 * @param parse returns the syntax tree of a single select, and throws for anything else
 * @param tables published tables, and relations of reports
 * @param reserved names that the surrounding statement defines, and that the file must not define again
 * @throws {VenueError} `OWN_FILE` with line and column
 */
export async function checkCustomSelect(
  { path, sql }: Pick<CustomFile, "path" | "sql">,
  parse: (sql: string) => Promise<SqlNode>,
  tables: readonly string[],
  reserved: readonly string[] = [],
): Promise<void> {
  const fail = (offset: unknown, problem: string) => {
    throw customError(`${placeText(path, sql, offset)}: ${problem}`);
  };
  const tree = await parse(sql).catch((error: unknown) => {
    if (error instanceof SqlSyntaxError && error.offset !== undefined)
      return fail(error.offset, `${error.reason}.`);
    throw customError(`${path}: Write exactly one select.`, { cause: error });
  });
  const nodes = allNodes(tree);
  const defined = new Set(nodes.flatMap((node) => commonTables(node).map(({ name }) => name)));
  const clash = reserved.find((name) => defined.has(name));
  if (clash !== undefined) fail(undefined, `the file defines ${clash}, a relation of reports. Rename it.`);
  for (const node of nodes) {
    if (node.class === "PARAMETER") fail(node.query_location, "parameters (?) are not available here.");
    if (node.type === "TABLE_FUNCTION") {
      const called = String((node.function as { function_name?: unknown }).function_name).toLowerCase();
      if (!allowedTableFunctions.includes(called))
        fail(
          node.query_location,
          `${called}() may access unpublished data. Use the published tables, and ${allowedTableFunctions.join(", ")}.`,
        );
    }
    if (node.type !== "BASE_TABLE") continue;
    const table = String(node.table_name).toLowerCase();
    const isPlain = node.schema_name === "" && node.catalog_name === "";
    if (isPlain && (tables.includes(table) || defined.has(table))) continue;
    const named = [node.catalog_name, node.schema_name, node.table_name].filter(Boolean).join(".");
    const meant = findClosestWord(table, tables);
    fail(
      node.query_location,
      `the table ${named} is not published.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
    );
  }
}

/** Returns the names of the tables that a select reads, from its tree. */
export function listTableNames(tree: SqlNode): string[] {
  const names = allNodes(tree).flatMap((node) =>
    node.type === "BASE_TABLE" ? [String(node.table_name).toLowerCase()] : [],
  );
  return [...new Set(names)];
}

function allNodes(node: SqlNode): SqlNode[] {
  const { cte_map: _defined, ...rest } = node;
  const below = [...commonTables(node).map(({ query }) => query), ...childNodes(rest)];
  return [node, ...below.flatMap(allNodes)];
}

/**
 * Explains an engine's error about a custom file, with line and column of the file. Errors with other causes, such as
 * a full disk, are returned unchanged.
 * @param lead lines of the statement that precede the file's first line
 */
export function explainCustomError(
  { path, sql }: Pick<CustomFile, "path" | "sql">,
  error: unknown,
  lead: number,
): unknown {
  if (error instanceof Error && error.message.startsWith("Out of Memory Error"))
    return customError(
      `${path} needs more memory than VENUE_MEMORY_LIMIT. Select fewer rows or columns, or raise the limit.`,
      { cause: error },
    );
  // DuckDB can't parse this after the relations of reports.
  if (error instanceof Error && error.message.includes("exprLocation NOT IMPLEMENTED")) {
    const place = placeText(path, sql, Buffer.byteLength(findBlanks(sql)));
    return customError(
      `${place}: the whole select, which begins with "with", is in parentheses. Remove them.`,
      {
        cause: error,
      },
    );
  }
  if (!isSqlError(error) && !(error instanceof TrinoError && error.category === "usage")) return error;
  const message = getErrorMessage(error);
  const [said = message] = message.split(/\n\s*LINE \d+:|\n\n/, 1);
  const problem = said
    .replace(/^[A-Z][\w ]* Error: |^Trino query \S+ failed with \w+: (?:line \d+:\d+: )?/, "")
    .replace(/ Details: \S+$/, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 500);
  const { line, column } = findPlace(sql, message, lead);
  const place = line === undefined ? path : `${path}:${line}${column === undefined ? "" : `:${column}`}`;
  return customError(`${place}: ${problem}`, { cause: error });
}

/** Finds the place of an error: from the caret below the line that DuckDB quotes, or from Trino's `line 3:5`. */
function findPlace(sql: string, message: string, lead: number): { line?: number; column?: number } {
  const [, ofTrino, at] = /\bline (\d+):(\d+)/.exec(message) ?? [];
  const [, ofDuckDb, , shown = "", blanks = ""] = /\n(LINE (\d+): )(.*)\n( *)\^/.exec(message) ?? [];
  const [, number] = /^LINE (\d+)/.exec(ofDuckDb ?? "") ?? [];
  const line = Number(number ?? ofTrino) - lead;
  if (!(line >= 1)) return {};
  // On a cluster, the line on which the select begins also defines its tables.
  if (ofDuckDb === undefined) return line === firstLine(sql) ? { line } : { line, column: Number(at) };
  const excerpt = shown.replace(/^\.\.\.|\.\.\.$/g, "");
  const text = sql.split("\n")[line - 1] ?? "";
  const start = text.indexOf(excerpt);
  const cut = shown.startsWith("...") ? 3 : 0;
  const caret = blanks.length - ofDuckDb.length - cut;
  return start < 0 || caret < 0 ? { line } : { line, column: start + caret + 1 };
}

function firstLine(sql: string): number {
  return findBlanks(sql).split("\n").length;
}

/** Returns the comments and blanks before a select. */
function findBlanks(sql: string): string {
  return /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/.exec(sql)?.[0] ?? "";
}

/** @param offset in bytes, as DuckDB counts */
function placeText(path: string, sql: string, offset: unknown): string {
  const bytes = Buffer.from(sql);
  if (typeof offset !== "number" || offset > bytes.length) return path;
  const before = bytes.subarray(0, offset).toString("utf8").split("\n");
  return `${path}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
}
