import { listGroupings } from "./columns/report-columns.ts";

/**
 * Files for `--by` words that need a statement of their own, keyed by the file for the report's other words.
 */
const filesByWord: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plays: { campaign: "plays_by_campaign", daypart: "plays_by_daypart" },
};

/**
 * Returns the SQL file that makes a report's rows by these words.
 * @param file of its rows by other words, below `sql/reports/` without extension
 */
export function chooseReportFile(file: string, by: readonly string[]): string {
  const word = findOwnWord(file, by);
  return (word !== undefined && filesByWord[file]?.[word]) || file;
}

/** Returns the `--by` word that has its own file, which decides what the word can be combined with. */
export function findOwnWord(file: string, by: readonly string[]): string | undefined {
  return Object.keys(filesByWord[file] ?? {}).find((word) => by.includes(word));
}

/** Returns true if rows are by campaign in a file of their own, which takes other filters than the report. */
export function isByCampaign(file: string, by: readonly string[]): boolean {
  return findOwnWord(file, by) === "campaign";
}

/** Returns all files for a report's rows, the given one first. */
export function listRowFiles(file: string): string[] {
  return [file, ...Object.values(filesByWord[file] ?? {})];
}

/** Returns all `--by` words that a report takes. */
export function listByWords(file: string): string[] {
  return [...new Set(listRowFiles(file).flatMap(listGroupings))];
}
