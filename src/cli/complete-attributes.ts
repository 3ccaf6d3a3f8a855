import { catalog } from "../report/catalog/catalog.ts";
import { listDimensions, type ReportEntry } from "../report/catalog/report-entry.ts";
import { createCustomEntry } from "../report/custom/custom-entry.ts";
import type { CustomReport } from "../report/custom/custom-report.ts";
import type { KnownAttribute } from "../report/options/known-attributes.ts";
import { isReportName } from "../report/report-name.ts";
import type { CliContext } from "./cli-context.ts";
import { listKnownCustom } from "./help-topics.ts";

/**
 * Lists completions of the value of `--by`, `--where` or `--only`; `undefined` if the cursor is elsewhere.
 * @param typed words before `current`, without those that are only `=`
 */
export async function completeAttributes(
  context: CliContext,
  typed: readonly string[],
  current: string,
): Promise<string[] | undefined> {
  if (!typed.includes("report")) return undefined;
  const report = typed.find(isReportName);
  const custom = report ? undefined : listKnownCustom(context).find(({ name }) => typed.includes(name));
  if (report === undefined && custom === undefined) return undefined;
  const entry = report ? catalog[report] : createCustomEntry(custom as CustomReport);
  const [, flag, text = ""] = /^(--by|--where|--only)=(.*)$/s.exec(current) ?? [];
  const values = async (option: string, value: string) => {
    if (option === "--only") return continueList(value, entry.states ?? []);
    return option === "--by"
      ? await completeBy(context, entry, value)
      : await completeWhere(context, entry, value);
  };
  if (flag !== undefined) return (await values(flag, text)).map((line) => `${flag}=${line}`);
  const [before = "", last = ""] = typed.slice(-2);
  if (["--by", "--where", "--only"].includes(last)) return await values(last, current);
  // bash splits words at an equals sign, and replaces only what follows it.
  if (before !== "--where" || !/^[a-z][a-z0-9_]*$/.test(last)) return undefined;
  return (await values("--where", `${last}=${current}`)).map((line) => line.slice(last.length + 1));
}

async function completeBy(context: CliContext, entry: ReportEntry, text: string): Promise<string[]> {
  const words = listDimensions(entry);
  if (words.length === 0) return [];
  const attributes = (await findAttributes(context, entry)).map(({ name }) => name);
  return continueList(text, [...words, ...attributes]);
}

async function completeWhere(context: CliContext, entry: ReportEntry, text: string): Promise<string[]> {
  const attributes = await findAttributes(context, entry);
  const [, name, list = ""] = /^([a-z][a-z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) return attributes.map((attribute) => `${attribute.name}=`);
  const { values = [] } = attributes.find((attribute) => attribute.name === name) ?? {};
  return continueList(list, values).map((line) => `${name}=${line}`);
}

/** Completes the last entry of a comma-separated list with words that the list does not contain yet. */
function continueList(text: string, words: readonly string[]): string[] {
  const chosen = text.split(",").slice(0, -1);
  const start = chosen.map((word) => `${word},`).join("");
  return words.filter((word) => !chosen.includes(word)).map((word) => `${start}${word}`);
}

/** Returns the published attributes that a report accepts. Returns none if reading fails or needs a cluster. */
async function findAttributes(context: CliContext, entry: ReportEntry): Promise<KnownAttribute[]> {
  const { selectAttributes, listKnownAttributes } = await import("../report/options/known-attributes.ts");
  const { withPublished } = await import("../report/published/with-published.ts");
  try {
    const settings = context.readSettings({ isLenient: true });
    if (settings.get("VENUE_ENGINE") === "trino") return [];
    return selectAttributes(
      entry.attributes,
      await withPublished(settings, context.signal, listKnownAttributes),
    );
  } catch {
    return [];
  }
}
