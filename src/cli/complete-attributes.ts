import type { KnownAttribute } from "../report/options/known-attributes.ts";
import { isReportName, type ReportName } from "../report/report-name.ts";
import { listByWordsOf, listSubjectsOf } from "../report/reports.ts";
import type { CliContext } from "./cli-context.ts";

/**
 * Lists completions of the value of `--by` or `--where`; `undefined` if another word is being typed.
 * @param typed words before `current`, without those that are only `=`
 */
export async function completeAttributes(
  context: CliContext,
  typed: readonly string[],
  current: string,
): Promise<string[] | undefined> {
  const report = typed.find(isReportName);
  if (!typed.includes("report") || report === undefined) return undefined;
  const [, flag, text = ""] = /^(--by|--where)=(.*)$/s.exec(current) ?? [];
  const values = async (option: string, value: string) =>
    option === "--by"
      ? await completeBy(context, report, value)
      : await completeWhere(context, report, value);
  if (flag !== undefined) return (await values(flag, text)).map((line) => `${flag}=${line}`);
  const [before = "", last = ""] = typed.slice(-2);
  if (last === "--by" || last === "--where") return await values(last, current);
  // bash splits words at an equals sign, and replaces only what follows it.
  if (before !== "--where" || !/^[a-z][a-z0-9_]*$/.test(last)) return undefined;
  return (await values("--where", `${last}=${current}`)).map((line) => line.slice(last.length + 1));
}

async function completeBy(context: CliContext, report: ReportName, text: string): Promise<string[]> {
  const attributes = (await findAttributes(context, report)).map(({ name }) => name);
  return continueList(text, [...listByWordsOf({ report }), ...attributes]);
}

async function completeWhere(context: CliContext, report: ReportName, text: string): Promise<string[]> {
  const attributes = await findAttributes(context, report);
  const [, name, list = ""] = /^([a-z][a-z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) return attributes.map((attribute) => `${attribute.name}=`);
  const { values = [] } = attributes.find((attribute) => attribute.name === name) ?? {};
  return continueList(list, values).map((line) => `${name}=${line}`);
}

/** Completes the last part of a list with commas by words that are not in it yet. */
function continueList(text: string, words: readonly string[]): string[] {
  const chosen = text.split(",").slice(0, -1);
  const start = chosen.map((word) => `${word},`).join("");
  return words.filter((word) => !chosen.includes(word)).map((word) => `${start}${word}`);
}

/** Finds the published attributes that a report takes: none if that fails, or would ask a cluster. */
async function findAttributes(context: CliContext, report: ReportName): Promise<KnownAttribute[]> {
  const { selectAttributes, listKnownAttributes } = await import("../report/options/known-attributes.ts");
  const { withPublished } = await import("../report/published/with-published.ts");
  try {
    const settings = context.readSettings({ isLenient: true });
    if (settings.get("VENUE_ENGINE") === "trino") return [];
    return selectAttributes(
      listSubjectsOf({ report, by: [] }),
      await withPublished(settings, context.signal, listKnownAttributes),
    );
  } catch {
    return [];
  }
}
