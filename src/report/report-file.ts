import { listGroupings } from "./columns/report-columns.ts";

/** Statements for words of `--by` that need one of their own, by the file of the report's other rows. */
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

/** Returns the word among these that has a file of its own, which decides what it can be combined with. */
export function findOwnWord(file: string, by: readonly string[]): string | undefined {
  return Object.keys(filesByWord[file] ?? {}).find((word) => by.includes(word));
}

/** Returns all files of a report's rows, this one first. */
export function listRowFiles(file: string): string[] {
  return [file, ...Object.values(filesByWord[file] ?? {})];
}

/** Returns all words of `--by` that a report takes. */
export function listByWords(file: string): string[] {
  return [...new Set(listRowFiles(file).flatMap(listGroupings))];
}
