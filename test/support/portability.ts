import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { childNodes, commonTables, parseSelect, type SqlNode } from "../../src/engines/duckdb/sql-tree.ts";

/**
 * Functions and operators that DuckDB (some as macros) and Trino share, with equal results under the rules
 * below. Without a match, regexp_extract returns an empty text in DuckDB and null in Trino: neither casts to
 * a number.
 */
const commonFunctions = new Set(
  `+ - * / % || ~~ !~~ = <> abs at_timezone avg bit_count bitwise_left_shift bitwise_or_agg bitwise_right_shift bool_and bool_or ceil ceiling chr coalesce count count_if count_star cume_dist
  date_diff date_trunc day dense_rank exp first_value floor greatest hour lag last_value lead least length like_escape
  ln lower lpad ltrim max max_by min min_by minute mod month not_like_escape nth_value ntile nullif percent_rank position power
  quarter rank regexp_extract replace round row_number rpad rtrim second sign sqrt starts_with strpos substr substring sum trim with_timezone
  year`.split(/\s+/),
);

const commonTypes = new Set([
  "BIGINT",
  "BOOLEAN",
  "DATE",
  "DOUBLE",
  "INTEGER",
  "SMALLINT",
  "TIMESTAMP",
  "VARCHAR",
]);
const integerTypes = new Set(["BIGINT", "INTEGER", "SMALLINT"]);
const intervalFunctions = new Set(
  "to_years to_months to_weeks to_days to_hours to_minutes to_seconds to_milliseconds to_microseconds".split(
    " ",
  ),
);

/** Describes parts of a select that do not run on DuckDB 1.5 and Trino 476 with the same meaning. */
export async function findUnportable(database: DuckDb, sql: string): Promise<string[]> {
  const findings = new Set<string>(findInText(sql));
  let tree: SqlNode;
  try {
    tree = await parseSelect(database, sql);
  } catch (error) {
    return [`not one plain select: ${(error as Error).message}`];
  }
  visit(tree, [], findings);
  return [...findings].sort();
}

/** Findings that the parse tree no longer shows. */
function findInText(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, "").replaceAll(/'(?:[^']|'')*'/g, "''");
  return [
    ...(/::/.test(code) ? [":: casts; write cast(… as …)"] : []),
    ...(/\$\w/.test(code) ? ["$ parameters; write ?"] : []),
    ...(/,\s*(from\b|\))/i.test(code) ? ["a comma after the last item"] : []),
    ...(/;/.test(code) ? ["a semicolon"] : []),
    ...(/\bgroup\s+by\s+all\b/i.test(code) ? ["group by all"] : []),
    ...(/\bas\s+timestamp\s*\)/i.test(code)
      ? ["timestamp without a precision (one rounds to milliseconds); write timestamp(6)"]
      : []),
  ];
}

function visit(node: SqlNode, path: readonly SqlNode[], findings: Set<string>): void {
  for (const finding of findInNode(node, path)) findings.add(finding);
  // Interval literals contain casts added by DuckDB's parser.
  if (isInterval(node)) return;
  const { cte_map: _defined, ...rest } = node;
  for (const child of [...commonTables(node).map(({ query }) => query), ...childNodes(rest)]) {
    visit(child, [node, ...path], findings);
  }
}

function findInNode(node: SqlNode, path: readonly SqlNode[]): string[] {
  switch (node.class ?? node.type) {
    case "SELECT_NODE":
      return [...findInSelect(node)];
    case "RECURSIVE_CTE_NODE":
      return ["recursion"];
    case "SET_OPERATION_NODE":
      return String(node.setop_type).endsWith("BY_NAME") ? ["union by name"] : [];
    case "JOIN":
      return findInJoin(node);
    case "TABLE_FUNCTION":
      return ["a table function (series, unnest, files)"];
    case "PIVOT":
      return ["pivot"];
    case "DISTINCT_MODIFIER":
      return isEmpty(node.distinct_on_targets) ? [] : ["distinct on"];
    case "STAR":
      return isEmpty(node.exclude_list) && isEmpty(node.replace_list) && !node.columns
        ? []
        : ["* exclude, * replace, columns() or order by all"];
    case "LAMBDA":
      return ["a lambda"];
    case "PARAMETER":
      return path[0]?.class === "CAST" ? [] : ["a parameter outside a cast; write cast(? as …)"];
    case "COLUMN_REF":
      return (node.column_names as string[]).some((name) => /^(current_\w+|localtime\w*)$/i.test(name))
        ? ["the current time; pass it as a parameter"]
        : [];
    case "CONSTANT":
      return findInConstant(node);
    case "CAST":
      return findInCast(node, path);
    case "OPERATOR":
      return /^(ARRAY_|STRUCT_|OPERATOR_TRY)/.test(String(node.type)) ? ["lists and structs"] : [];
    case "WINDOW":
      return [
        ...(node.ignore_nulls ? ["ignore nulls"] : []),
        ...findInFunction(node, path, String(node.function_name)),
      ];
    case "FUNCTION":
      return findInFunction(node, path, String(node.function_name));
    default:
      return [];
  }
}

function* findInSelect(node: SqlNode): Generator<string> {
  if (node.qualify) yield "qualify";
  yield* findInSelectList(node.select_list as SqlNode[], namedColumns(node.from_table as SqlNode));
  if (node.sample) yield "a sample";
  if (node.aggregate_handling !== "STANDARD_HANDLING") yield "group by all";
  const aliases = new Map<string, SqlNode>();
  for (const item of node.select_list as SqlNode[]) {
    if (item.alias && item.class !== "COLUMN_REF") aliases.set(String(item.alias).toLowerCase(), item);
  }
  // Trino has no aliases there; a column with an alias's name refers to the column behind it.
  for (const part of [
    ...(node.group_expressions as SqlNode[]),
    node.where_clause,
    node.having,
  ] as (SqlNode | null)[]) {
    for (const name of part ? unqualifiedColumns(part) : []) {
      const item = aliases.get(name);
      if (item && ![...unqualifiedColumns(item)].includes(name))
        yield `the alias ${name} in group by, where or having`;
    }
  }
}

/** @param joined columns of the from clause, as `table.column` */
function* findInSelectList(items: readonly SqlNode[], joined: ReadonlySet<string>): Generator<string> {
  const whole = items.filter(({ class: type }) => type === "STAR").map((item) => item.relation_name);
  for (const item of items) {
    const names = item.class === "COLUMN_REF" ? (item.column_names as string[]) : [];
    if (names.length > 1 && !item.alias && whole.includes(names[0]))
      yield `${names[0]}.${names[1]} beside ${names[0]}.*`;
    const twice = whole.find((table) => table !== names[0] && joined.has(`${table}.${names[1]}`));
    if (twice && !item.alias) yield `${names[0]}.${names[1]} beside ${twice}.*`;
    const { is_null: isNull } = (item.value ?? {}) as { is_null?: boolean };
    if (item.class === "CONSTANT" && isNull) yield "null without a type; write cast(null as …)";
  }
}

function namedColumns(node: SqlNode): Set<string> {
  const own = node.class === "COLUMN_REF" ? [(node.column_names as string[]).join(".")] : [];
  return new Set([...own, ...childNodes(node).flatMap((child) => [...namedColumns(child)])]);
}

function findInJoin(node: SqlNode): string[] {
  if (node.ref_type === "ASOF") return ["asof joins"];
  if (node.ref_type === "POSITIONAL" || node.ref_type === "NATURAL") return ["positional and natural joins"];
  return ["SEMI", "ANTI"].includes(String(node.join_type))
    ? ["semi and anti joins; write in, exists or a left join"]
    : [];
}

function findInConstant(node: SqlNode): string[] {
  const { type } = node.value as { type: { id: string } };
  // 1.5 is a decimal on both.
  return commonTypes.has(type.id) ||
    ["NULL", "DECIMAL", "INTEGER_LITERAL", "STRING_LITERAL"].includes(type.id)
    ? []
    : [`a constant of type ${type.id}`];
}

function findInCast(node: SqlNode, path: readonly SqlNode[]): string[] {
  const { id } = node.cast_type as { id: string };
  const child = node.child as SqlNode;
  return [
    ...(commonTypes.has(id) ? [] : [`the type ${id}`]),
    ...(integerTypes.has(id) && isFraction(child)
      ? ["a fraction cast to an integer (they round differently); use floor, ceil or round"]
      : []),
    ...(id === "VARCHAR" && isInstant(child) && !isCutText(path)
      ? ["an instant as text (one writes a fraction); write substr(cast(… as varchar), 1, 19)"]
      : []),
    ...(id === "VARCHAR" && isDouble(child) ? ["a double as text (they write it differently)"] : []),
  ];
}

function findInFunction(node: SqlNode, path: readonly SqlNode[], name: string): string[] {
  const parameters = (node.children ?? []) as SqlNode[];
  const isCast = path[0]?.class === "CAST";
  if (isInterval(node)) return [];
  if (!commonFunctions.has(name)) return [`the function ${name}`];
  if (["+", "-"].includes(name) && parameters.some(isInterval) && !isCast) {
    return ["a date or instant ± an interval without a cast (the types differ)"];
  }
  if (name === "date_trunc" && !isCast) return ["date_trunc without a cast (the types differ)"];
  if (name === "/" && !parameters.some(isDouble)) return ["/ without a cast to double"];
  if (name === "sum" && !parameters.some(isDouble) && !isCastSum(path)) {
    return ["sum without a cast to bigint or double"];
  }
  if (["greatest", "least"].includes(name) && !parameters.every(isNeverNull)) {
    return [`${name} of what may be null; use coalesce`];
  }
  if (["max_by", "min_by"].includes(name) && !parameters.slice(0, 1).every(isNeverNull)) {
    return [`${name} of what may be null (one skips it, one answers it); use coalesce`];
  }
  if (name.endsWith("_shift") && !parameters.slice(1).every(isInteger)) {
    return [`${name} by what is not an integer; write cast(… as integer)`];
  }
  if (name.startsWith("substr") && constantOf(parameters[1]) === 0) {
    return ["substr from 0 (one counts from there); count from 1"];
  }
  if (name === "date_diff" && !isCommonDateDiff(parameters)) {
    return ["date_diff other than of seconds, or of days between dates"];
  }
  if (name === "date_diff" && parameters.some(isOfClock)) {
    return ["date_diff of an instant with a fraction (one counts boundaries); cut it by date_trunc"];
  }
  return [];
}

/** `cast(sum(…) as bigint)`, or `cast(coalesce(sum(…), 0) as bigint)`. */
function isCastSum([parent, grandparent]: readonly SqlNode[]): boolean {
  const outer = parent?.type === "OPERATOR_COALESCE" ? grandparent : parent;
  return outer?.class === "CAST";
}

function isInterval(node: SqlNode): boolean {
  return (
    intervalFunctions.has(String(node.function_name)) ||
    (node.class === "CAST" && (node.cast_type as { id: string }).id === "INTERVAL") ||
    (node.function_name === "*" && ((node.children ?? []) as SqlNode[]).some(isInterval))
  );
}

function isDouble(node: SqlNode): boolean {
  if (node.class === "COLUMN_REF") return /^weighted_/i.test((node.column_names as string[]).at(-1) ?? "");
  const [rounded] = node.function_name === "round" ? ((node.children ?? []) as SqlNode[]) : [];
  if (rounded) return isDouble(rounded);
  return node.class === "CAST" && (node.cast_type as { id: string }).id === "DOUBLE";
}

function isFraction(node: SqlNode): boolean {
  return isDouble(node) || ["/", "avg", "sqrt", "power", "exp", "ln"].includes(String(node.function_name));
}

function isInteger(node: SqlNode): boolean {
  return (
    node.class === "CONSTANT" ||
    (node.class === "CAST" && (node.cast_type as { id: string }).id === "INTEGER")
  );
}

/** Checks names too: a parse tree has no types, and our instants' names end in `_at`. */
function isInstant(node: SqlNode): boolean {
  if (node.class === "COLUMN_REF")
    return /_(at|until|local)$/i.test((node.column_names as string[]).at(-1) ?? "");
  return node.class === "CAST" && (node.cast_type as { id: string }).id === "TIMESTAMP";
}

/** Instants of our clock have milliseconds; those of the service are whole seconds in `staging`. */
function isOfClock({ column_names: names }: SqlNode): boolean {
  return /^(requested_at|built_at|data_as_of)$/i.test((names as string[] | undefined)?.at(-1) ?? "");
}

/** Within `substr(…, 1, 10)`, `substr(…, 12, 8)` or similar: at most whole seconds. */
function isCutText([parent]: readonly SqlNode[]): boolean {
  const [, from, length] = (parent?.children ?? []) as SqlNode[];
  return parent?.function_name === "substr" && Number(constantOf(from)) + Number(constantOf(length)) <= 20;
}

function constantOf(node: SqlNode | undefined): unknown {
  return (node?.value as { value?: unknown } | undefined)?.value;
}

function isNeverNull(node: SqlNode): boolean {
  return node.type === "OPERATOR_COALESCE" || node.class === "CONSTANT";
}

function isCommonDateDiff([unit, ...ends]: readonly SqlNode[]): boolean {
  const name = constantOf(unit);
  const areDates = ends.every(
    (end) => end.class === "CAST" && (end.cast_type as { id: string }).id === "DATE",
  );
  return name === "second" || (name === "day" && areDates);
}

function* unqualifiedColumns(node: SqlNode): Generator<string> {
  if (node.class === "COLUMN_REF") {
    const names = node.column_names as string[];
    if (names.length === 1 && names[0]) yield names[0].toLowerCase();
  }
  if (node.class === "SUBQUERY") return;
  for (const child of childNodes(node)) yield* unqualifiedColumns(child);
}

function isEmpty(list: unknown): boolean {
  return !Array.isArray(list) || list.length === 0;
}
