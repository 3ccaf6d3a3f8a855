import { closestWord } from "../../util/text/closest-word.ts";
import { VenueError } from "../../util/venue-error.ts";
import { isLocalDate } from "../text/local-date.ts";

/** A report was asked for in words that mean nothing. */
export class ReportOptionError extends VenueError {
  override readonly name = "ReportOptionError";
  readonly code = "REPORT_OPTION";
  readonly category = "usage";
  /** E.g. `--by`. */
  readonly option: string;

  /** @param message whole sentences: what is wrong, the value, what to do */
  constructor(option: string, message: string) {
    super(message);
    this.option = option;
  }
}

/** One of a set of words. @throws {ReportOptionError} naming the set, and the word that was probably meant */
export function requireWord<Word extends string>(
  option: string,
  value: string,
  words: readonly Word[],
): Word {
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  throw new ReportOptionError(
    option,
    `${option} does not take ${JSON.stringify(value)}.${suggest(value, words)} It takes ${words.join(", ")}.`,
  );
}

/** @throws {ReportOptionError} where a report is given what it does not take */
export function refuseUnless(isTaken: boolean, report: string, option: string, value: unknown): void {
  if (value === undefined || isTaken) return;
  throw new ReportOptionError(option, `The ${report} report does not take ${option}.`);
}

/** @throws {ReportOptionError} */
export function parseDate(option: string, text: string | undefined): string | undefined {
  if (text === undefined || isLocalDate(text)) return text;
  throw new ReportOptionError(
    option,
    `${option} (${text}) is not a date. Write one that exists, as YYYY-MM-DD.`,
  );
}

/** E.g. ` Did you mean week?`; empty where no word is near. */
function suggest(typed: string, words: readonly string[]): string {
  const meant = closestWord(typed, words);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}
