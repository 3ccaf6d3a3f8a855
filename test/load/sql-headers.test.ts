import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listStatements } from "../../src/engines/statements.ts";
import { packageRoot, readSql } from "../../src/util/files/package-files.ts";

/** Every file in these folders below `sql/load` has a header. */
const headedFolders = ["history", "listing", "reference", "rule", "shared"];

interface SqlStep {
  /** Below `sql/load`, e.g. `listing/read_assets.sql`. */
  path: string;
  sql: string;
  /** Contract in the header; `undefined` without one. */
  header: Contract | undefined;
  /** Contract of the statements. */
  found: Contract;
}

/** Tables with their schema, and variables as `$name`, sorted. */
interface Contract {
  /** Without the temporary tables and variables that the script itself filled before. */
  reads: string[];
  leaves: string[];
}

/** The statements, without comments. */
function statementsOf(sql: string): string {
  return sql.replaceAll(/--[^\n]*/g, "");
}

const paths = readdirSync(join(packageRoot, "sql/load"), { encoding: "utf8", recursive: true })
  .filter((path) => path.endsWith(".sql"))
  .sort();
const declarations = paths
  .filter((path) => path.endsWith("/prepare.sql"))
  .map((path) => readSql(`load/${path}`))
  .join("\n");
/** A script that uses a macro reads what the macro reads. */
const macros = [...declarations.matchAll(/^create or replace temp macro (\w+)\([^)]*\) as\b([^;]+);/gm)];

function findContract(sql: string): Contract {
  const reads = new Set<string>();
  const leaves = new Set<string>();
  const filled = new Set<string>();
  for (const statement of listStatements(sql)) {
    const found = contractOf(statement);
    for (const name of found.reads) if (!filled.has(name)) reads.add(name);
    for (const name of found.leaves) leaves.add(name);
    const fills = /^(?:insert into|set variable)/.test(statement) ? found.leaves : [];
    for (const name of fills) if (!name.startsWith("core.")) filled.add(name);
  }
  return { reads: [...reads].sort(), leaves: [...leaves].sort() };
}

function contractOf(statements: string): Contract {
  const leaves = new Set<string>();
  const reads = [...statements.matchAll(/getvariable\('(\w+)'\)/g)].map(([, name]) => `$${name}`);
  for (const [, name] of statements.matchAll(/\bset variable (\w+)/g)) leaves.add(`$${name}`);
  const rest = statements
    // A macro over a table takes its name as text.
    .replaceAll(/\btyped_line\('([\w.]+)'\)/g, "$1")
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(
      /\b(insert into|merge into|update|delete from)\s+((?:core|temp)\.\w+)/g,
      (_, verb: string, table: string) => {
        leaves.add(table);
        return verb;
      },
    );
  const used = macros.flatMap(([, name, body]) => (rest.includes(`${name}(`) ? `${body}` : []));
  for (const text of [rest, ...used]) reads.push(...(text.match(/\b(?:core|temp)\.\w+/g) ?? []));
  return { reads, leaves: [...leaves] };
}

function readHeader(sql: string): Contract | undefined {
  const names = String.raw`(.+(?:\n-- {3}.+)*)\n`;
  const header = new RegExp(String.raw`^(?:-- .+\n)+?-- Reads: ${names}-- Leaves: ${names}`);
  const [, reads, leaves] = header.exec(sql) ?? [];
  const list = (text: string) => (text === "nothing" ? [] : text.split(/,\s+(?:-- {3})?/));
  return reads === undefined || leaves === undefined
    ? undefined
    : { reads: list(reads), leaves: list(leaves) };
}

const steps: SqlStep[] = paths
  .filter((path) => !path.endsWith("/prepare.sql"))
  .map((path) => ({ path, sql: readSql(`load/${path}`) }))
  .map(({ path, sql }) => ({ path, sql, header: readHeader(sql), found: findContract(sql) }));
const headed = steps.filter(({ header }) => header !== undefined);
const tables = [...declarations.matchAll(/create or replace temp table (\w+)/g)].map(([, name]) => `${name}`);
const views = [...declarations.matchAll(/create or replace temp view (\w+)/g)].map(([, name]) => `${name}`);
const variableTypes = [...declarations.matchAll(/^-- \$(\w+) (\w+): /gm)].map(
  ([, name, type]) => [`$${name}`, `${type}`] as const,
);
const variables = variableTypes.map(([name]) => name);
const code = readdirSync(join(packageRoot, "src/load"), { encoding: "utf8", recursive: true })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => readFileSync(join(packageRoot, "src/load", path), "utf8"));
/** Everything that may read a table: scripts, views, macros and TypeScript. */
const readers: { text: string; reads: string[] }[] = [
  ...steps.map(({ sql }) => ({ text: statementsOf(sql), reads: listReads(sql) })),
  ...[...statementsOf(declarations).matchAll(/^create or replace temp (?:view|macro) [^;]+;/gm)].map(
    ([text]) => ({ text, reads: listReads(text) }),
  ),
  ...code.map((text) => ({ text, reads: text.match(/\btemp\.\w+/g) ?? [] })),
];

/** All tables that any statement reads, whoever filled them. */
function listReads(sql: string): string[] {
  return listStatements(sql).flatMap((statement) => contractOf(statement).reads);
}

function isRead(name: string): boolean {
  return readers.some(({ reads }) => reads.includes(name));
}

function columnsOf(table: string): string[] {
  const declared = new RegExp(`^create or replace temp table ${table} \\(([^;]+)\\);`, "m");
  const [, columns = ""] = declared.exec(statementsOf(declarations)) ?? [];
  return [...columns.matchAll(/^ {4}(\w+) /gm)].map(([, column]) => `${column}`);
}

describe.each(headed)("$path", ({ sql, header, found }) => {
  it("reads and leaves what its header declares", () => {
    expect(header).toEqual(found);
  });

  it("shares only declared tables and variables with other steps", () => {
    const used = [...found.reads, ...found.leaves].filter((name) => !name.startsWith("core."));
    const declared = [...variables, ...[...tables, ...views].map((name) => `temp.${name}`)];
    expect(used.filter((name) => !declared.includes(name))).toEqual([]);
    expect(statementsOf(sql)).not.toMatch(/\b(create|drop|alter)\b/);
  });

  it("qualifies each temporary table with its schema", () => {
    const bare = [...statementsOf(sql).matchAll(/\b(?:from|join|using|into|update)\s+(\w+)\b(?!\.)/g)];
    expect(bare.map(([, name]) => `${name}`).filter((name) => tables.includes(name))).toEqual([]);
  });
});

it.each(headedFolders)("each file of %s has a header", (folder) => {
  const bare = steps.filter(({ path, header }) => path.startsWith(`${folder}/`) && !header);
  expect(bare.map(({ path }) => path)).toEqual([]);
});

it.each(tables)("%s is declared once, filled and read", (table) => {
  expect(tables.filter((name) => name === table)).toHaveLength(1);
  const taken = new RegExp(`\\bappendRows\\([^)]*, "${table}"|\\binsert into temp\\.${table}\\b`);
  const isFilled = steps.some(({ found }) => found.leaves.includes(`temp.${table}`));
  expect(isFilled || code.some((text) => taken.test(text))).toBe(true);
  expect(isRead(`temp.${table}`)).toBe(true);
});

it.each(views)("%s is read", (view) => {
  expect(isRead(`temp.${view}`)).toBe(true);
});

it.each(tables)("each column of %s is used elsewhere, by name or with all others", (table) => {
  const unused = columnsOf(table).filter((column) => {
    const named = new RegExp(`\\b${column}\\b`);
    const read = new RegExp(`${named.source}|[\\s.]\\*`);
    return !(
      readers.some(({ text }) => named.test(text)) &&
      readers.some(({ text, reads }) => reads.includes(`temp.${table}`) && read.test(text))
    );
  });
  expect(columnsOf(table)).not.toEqual([]);
  expect(unused).toEqual([]);
});

it.each(variableTypes)("%s %s is declared once, created and read", (name, type) => {
  expect(variables.filter((other) => other === name)).toHaveLength(1);
  const set = new RegExp(`\\bsetVariables\\(warehouse, \\{[^}]*\\s${name.slice(1)}[:,\\s}]`);
  const isSet = code.some((text) => set.test(text));
  // Variables set by TypeScript are typed there; those set by scripts are not.
  expect(code.some((text) => text.includes(`  ${name.slice(1)}: "${type}",\n`))).toBe(isSet);
  expect(isSet || steps.some(({ found }) => found.leaves.includes(name))).toBe(true);
  expect(isRead(name)).toBe(true);
});

it.each<[string, Contract]>([
  [
    "insert into temp.a select 1; update core.b set c = 1 from temp.a",
    { reads: [], leaves: ["core.b", "temp.a"] },
  ],
  ["select 1", { reads: [], leaves: [] }],
  ["insert into temp.b select * from core.a -- temp.c", { reads: ["core.a"], leaves: ["temp.b"] }],
  ["delete from core.a using temp.b as b where a.c = 'core.d'", { reads: ["temp.b"], leaves: ["core.a"] }],
  ["update core.a set b = 1 from core.a as c", { reads: ["core.a"], leaves: ["core.a"] }],
  [
    "merge into core.a as a using temp.b as b using (c) when matched then update set c = 1",
    { reads: ["temp.b"], leaves: ["core.a"] },
  ],
  ["set variable a = getvariable('b')", { reads: ["$b"], leaves: ["$a"] }],
])("%s", (sql, contract) => {
  expect(findContract(sql)).toEqual(contract);
});
