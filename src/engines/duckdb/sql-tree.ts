import type { DuckDb } from "./duckdb.ts";

/** A node of DuckDB's parse tree, as written by `json_serialize_sql`. */
export type SqlNode = Readonly<Record<string, unknown>>;

/** Thrown for text that is not a select, with the reason and, if known, its position. */
export class SqlSyntaxError extends SyntaxError {
  /** E.g. `syntax error at or near "from"`. */
  readonly reason: string;
  /** In bytes from the start of the text. */
  readonly offset: number | undefined;

  constructor(reason: string, sql: string, offset?: number) {
    super(`${reason} in: ${sql.slice(0, 200)}`);
    this.reason = reason;
    this.offset = offset;
  }
}

/** Parses exactly one select, and throws for anything else. Tables need not exist; comments and `?` are allowed. */
export async function parseSelect(database: DuckDb, sql: string): Promise<SqlNode> {
  const { tree } = await database.get<{ tree: string }>(
    "select json_serialize_sql(cast(? as varchar)) as tree",
    [sql],
  );
  const parsed = JSON.parse(tree) as {
    error: boolean;
    error_message?: string;
    position?: string;
    statements?: { node: SqlNode }[];
  };
  const [statement, ...others] = parsed.statements ?? [];
  if (parsed.error || !statement || others.length > 0) {
    const { error_message: reason = "not exactly one select", position } = parsed;
    throw new SqlSyntaxError(reason, sql, position === undefined ? undefined : Number(position));
  }
  return statement.node;
}

/** Returns a node's direct children, in fields or lists. */
export function childNodes(node: SqlNode): SqlNode[] {
  return Object.values(node).flatMap((value) => {
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) ? [value] : [];
  });
}

/** Returns the common table expressions of a query node, in order. */
export function commonTables(node: SqlNode): { name: string; query: SqlNode }[] {
  const { map } = (node.cte_map ?? { map: [] }) as {
    map: { key: string; value: { query: { node: SqlNode } } }[];
  };
  return map.map(({ key, value }) => ({ name: key.toLowerCase(), query: value.query.node }));
}

function isNode(value: unknown): value is SqlNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
