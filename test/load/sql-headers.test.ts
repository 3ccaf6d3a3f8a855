import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot, readSql } from "../../src/util/files/package-files.ts";

/** In these folders below `sql/load` every file has a header. */
const headedFolders = ["history", "listing", "reference", "rule", "shared"];

interface SqlStep {
  /** Below `sql/load`, e.g. `listing/read_assets.sql`. */
  path: string;
  sql: string;
  /** What the header says; `undefined` without one. */
  header: Contract | undefined;
  /** What the statements do. */
  found: Contract;
}

/** Tables with their schema, and variables as `$name`, sorted. */
interface Contract {
  reads: string[];
  makes: string[];
}

/** The statements alone, without comments. */
function statementsOf(sql: string): string {
  return sql.replaceAll(/--[^\n]*/g, "");
}

const paths = readdirSync(join(packageRoot, "sql/load"), { encoding: "utf8", recursive: true })
  .filter((path) => path.endsWith(".sql"))
  .sort();
const declarations = paths
  .filter((path) => path.startsWith("declare/"))
  .map((path) => readSql(`load/${path}`))
  .join("\n");
/** Whoever uses one reads what it reads. */
const macros = [...declarations.matchAll(/^create or replace temp macro (\w+)\([^)]*\) as\b([^;]+);/gm)];

function findContract(sql: string): Contract {
  const makes = new Set<string>();
  const statements = statementsOf(sql);
  const reads = [...statements.matchAll(/getvariable\('(\w+)'\)/g)].map(([, name]) => `$${name}`);
  for (const [, name] of statements.matchAll(/\bset variable (\w+)/g)) makes.add(`$${name}`);
  const rest = statements
    // A macro over a table takes its name as text.
    .replaceAll(/\btyped_line\('([\w.]+)'\)/g, "$1")
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(
      /\b(insert into|merge into|update|delete from)\s+((?:core|temp)\.\w+)/g,
      (_, verb: string, table: string) => {
        makes.add(table);
        return verb;
      },
    );
  const used = macros.flatMap(([, name, body]) => (rest.includes(`${name}(`) ? `${body}` : []));
  for (const text of [rest, ...used]) reads.push(...(text.match(/\b(?:core|temp)\.\w+/g) ?? []));
  return { reads: [...new Set(reads)].sort(), makes: [...makes].sort() };
}

function readHeader(sql: string): Contract | undefined {
  const [, reads, makes] = /^(?:-- .+\n)+-- Reads: (.+)\n-- Makes: (.+)\n/.exec(sql) ?? [];
  const list = (names: string) => (names === "nothing" ? [] : names.split(", "));
  return reads === undefined || makes === undefined ? undefined : { reads: list(reads), makes: list(makes) };
}

const steps: SqlStep[] = paths
  .filter((path) => !path.startsWith("declare/"))
  .map((path) => ({ path, sql: readSql(`load/${path}`) }))
  .map(({ path, sql }) => ({ path, sql, header: readHeader(sql), found: findContract(sql) }));
const headed = steps.filter(({ header }) => header !== undefined);
const tables = [...declarations.matchAll(/create or replace temp table (\w+)/g)].map(([, name]) => `${name}`);
const views = [...declarations.matchAll(/create or replace temp view (\w+)/g)].map(([, name]) => `${name}`);
const readByViews = findContract(declarations).reads;
const variableTypes = [...declarations.matchAll(/^-- \$(\w+) (\w+): /gm)].map(
  ([, name, type]) => [`$${name}`, `${type}`] as const,
);
const variables = variableTypes.map(([name]) => name);
const code = readdirSync(join(packageRoot, "src/load"), { encoding: "utf8", recursive: true })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => readFileSync(join(packageRoot, "src/load", path), "utf8"));
/** Whatever may read a table: steps, views, macros and TypeScript. */
const readers: { text: string; reads: string[] }[] = [
  ...steps.map(({ sql, found }) => ({ text: statementsOf(sql), reads: found.reads })),
  ...[...statementsOf(declarations).matchAll(/^create or replace temp (?:view|macro) [^;]+;/gm)].map(
    ([text]) => ({ text, reads: findContract(text).reads }),
  ),
  ...code.map((text) => ({ text, reads: text.match(/\btemp\.\w+/g) ?? [] })),
];

function isRead(name: string): boolean {
  return readByViews.includes(name) || steps.some(({ found }) => found.reads.includes(name));
}

function columnsOf(table: string): string[] {
  const declared = new RegExp(`^create or replace temp table ${table} \\(([^;]+)\\);`, "m");
  const [, columns = ""] = declared.exec(statementsOf(declarations)) ?? [];
  return [...columns.matchAll(/^ {4}(\w+) /gm)].map(([, column]) => `${column}`);
}

describe.each(headed)("$path", ({ sql, header, found }) => {
  it("reads and makes what its header says", () => {
    expect(header).toEqual(found);
  });

  it("meets other steps in what is declared alone", () => {
    const used = [...found.reads, ...found.makes].filter((name) => !name.startsWith("core."));
    const declared = [...variables, ...[...tables, ...views].map((name) => `temp.${name}`)];
    expect(used.filter((name) => !declared.includes(name))).toEqual([]);
    expect(statementsOf(sql)).not.toMatch(/\b(create|drop|alter)\b/);
  });

  it("writes each temporary table with its schema", () => {
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
  expect(steps.some(({ found }) => found.makes.includes(`temp.${table}`))).toBe(true);
  expect(isRead(`temp.${table}`)).toBe(true);
});

it.each(views)("%s is read", (view) => {
  expect(isRead(`temp.${view}`)).toBe(true);
});

it.each(tables)("each column of %s is named elsewhere, and read, by its name or with all others", (table) => {
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

it.each(variableTypes)("%s %s is declared once, made and read", (name, type) => {
  expect(variables.filter((other) => other === name)).toHaveLength(1);
  const set = new RegExp(`\\bsetVariables\\(warehouse, \\{[^}]*\\s${name.slice(1)}[:,\\s}]`);
  const isSet = code.some((text) => set.test(text));
  // What TypeScript sets has its type in load-variables.ts, too; what steps make has none there.
  expect(code.some((text) => text.includes(`  ${name.slice(1)}: "${type}",\n`))).toBe(isSet);
  expect(isSet || steps.some(({ found }) => found.makes.includes(name))).toBe(true);
  expect(isRead(name)).toBe(true);
});

it.each<[string, Contract]>([
  ["select 1", { reads: [], makes: [] }],
  ["insert into temp.b select * from core.a -- temp.c", { reads: ["core.a"], makes: ["temp.b"] }],
  ["delete from core.a using temp.b as b where a.c = 'core.d'", { reads: ["temp.b"], makes: ["core.a"] }],
  ["update core.a set b = 1 from core.a as c", { reads: ["core.a"], makes: ["core.a"] }],
  [
    "merge into core.a as a using temp.b as b using (c) when matched then update set c = 1",
    { reads: ["temp.b"], makes: ["core.a"] },
  ],
  ["set variable a = getvariable('b')", { reads: ["$b"], makes: ["$a"] }],
])("%s", (sql, contract) => {
  expect(findContract(sql)).toEqual(contract);
});
