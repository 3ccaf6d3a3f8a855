import { sqlName } from "../../engines/sql-text.ts";
import { readModel } from "../../mart/model.ts";

/**
 * Statements that make views of `staging` over what is published, each after what it reads: the models' own SQL, which
 * names published tables `mart.table`.
 * @param names as `staging.view`, of models that are made from published tables alone
 */
export function stagingViewStatements(names: readonly string[]): string {
  const statements = new Map<string, string>();
  for (const name of names) addView(name, statements);
  return [
    "create schema if not exists mart",
    "create schema if not exists staging",
    ...statements.values(),
  ].join(";\n");
}

function addView(name: string, statements: Map<string, string>): void {
  if (statements.has(name)) return;
  const [schema, table = ""] = name.split(".");
  if (schema === "mart") {
    statements.set(name, `create view if not exists ${name} as select * from main.${sqlName(table)}`);
    return;
  }
  const { sql, reads } = readModel("staging", table);
  for (const read of reads) addView(read, statements);
  statements.set(name, `create view if not exists ${name} as ${sql}`);
}
