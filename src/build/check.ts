import { listSql, readSql } from "../util/files/package-files.ts";

/** One select under `sql/checks/`: each row that it returns is a failure. */
export interface Check {
  /** The file's name, without `.sql`. */
  name: string;
  /** `error` stops the publish; `warn` is reported. */
  severity: "error" | "warn";
  /** What holds when it returns nothing. */
  description: string;
  sql: string;
}

/** All checks, by name. @throws {SyntaxError} when a header is malformed */
export function listChecks(): Check[] {
  return listSql("checks").map((file) =>
    parseCheck(file.slice(0, -".sql".length), readSql(`checks/${file}`)),
  );
}

/** The header is a sentence, over one or more lines, then `Severity: error` or `Severity: warn`. */
export function parseCheck(name: string, sql: string): Check {
  const [header] = /^(--.*\n)+/.exec(sql) ?? [""];
  const words = header.replaceAll(/^-- ?/gm, "").replaceAll("\n", " ");
  const [, description, severity] = /^(\S.*) Severity: (error|warn)\s*$/.exec(words) ?? [];
  if (!description || (severity !== "error" && severity !== "warn")) {
    throw new SyntaxError(
      `check ${name}: the header should say what holds, then "Severity: error" or "warn"`,
    );
  }
  return { name, severity, description, sql };
}
