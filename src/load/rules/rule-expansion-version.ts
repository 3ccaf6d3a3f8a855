import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot, readSql } from "../../util/files/package-files.ts";

let version: string | undefined;

/**
 * A fingerprint of all that decides which dates a rule has: the code in this folder, the text of the query that finds
 * the period that rules are expanded over, and the library's version. Rules that were expanded by another one are
 * expanded again.
 */
export function ruleExpansionVersion(): string {
  version ??= createHash("sha256").update(JSON.stringify(readTexts())).digest("hex");
  return version;
}

function readTexts(): string[] {
  const here = fileURLToPath(import.meta.url);
  const files = readdirSync(dirname(here), { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(extname(here)))
    .sort();
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(packageRoot, "package.json"), "utf8"),
  );
  return [
    ...files.map((name) => readFileSync(join(dirname(here), name), "utf8")),
    readSql("load/rule/find_rules_to_expand.sql"),
    String(dependencies["rrule-temporal"]),
  ];
}
