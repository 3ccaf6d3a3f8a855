import { isLocalDate } from "../../util/local-date.ts";
import { closestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { ReportName } from "../report-name.ts";

/** What whoever reads a message calls an option, and how they read dates: on a command line, or on a page. */
export interface Wording {
  /** @param option e.g. `--from` */
  option(option: string): string;
  date(date: string): string;
  /** What to say of a listing in a message; nothing where a link leads to it. */
  listing(listing: Listing): string;
}

/** Whole sentences: what is wrong, the value, what to do. */
type Sentences = string | ((wording: Wording) => string);

/** A report whose rows name what can be asked for, e.g. `plays` by `zone`. */
export interface Listing {
  report: ReportName;
  by?: string;
}

const typed: Wording = {
  option: (option) => option,
  date: (date) => date,
  listing: ({ report, by }) => ` See \`venue report ${report}${by === undefined ? "" : ` --by ${by}`}\`.`,
};

/** A report was asked for in words that mean nothing. */
export class ReportOptionError extends VenueError {
  /** E.g. `--by`. */
  readonly option: string;
  readonly listing: Listing | undefined;
  readonly #sentences: Sentences;

  /** @param listing where what there is can be seen */
  constructor(option: string, sentences: Sentences, listing?: Listing) {
    super("REPORT_OPTION", "usage", inWords(sentences, typed));
    this.option = option;
    this.listing = listing;
    this.#sentences = sentences;
  }

  /** What is wrong, for who knows other words than those of a command line. */
  inWords(wording: Wording): string {
    return inWords(this.#sentences, wording);
  }
}

function inWords(sentences: Sentences, wording: Wording): string {
  return typeof sentences === "string" ? sentences : sentences(wording);
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
    (wording) =>
      `${wording.option(option)} does not take ${JSON.stringify(value)}.${suggest(value, words)} It takes ${words.join(", ")}.`,
  );
}

/** @throws {ReportOptionError} where a report is given what it does not take */
export function refuseUnless(isTaken: boolean, report: string, option: string, value: unknown): void {
  if (value === undefined || isTaken) return;
  throw new ReportOptionError(
    option,
    (wording) => `The ${report} report does not take ${wording.option(option)}.`,
  );
}

/** Pages draw each day of a period; these are more than the calendar of the mart has. */
const [firstDate, lastDate] = ["1900-01-01", "2099-12-31"];

/** Whether reports cover it. @param date that exists */
export function isReportDate(date: string): boolean {
  return date >= firstDate && date <= lastDate;
}

/** @throws {ReportOptionError} */
export function parseDate(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return text;
  const refusal = (reason: string) =>
    new ReportOptionError(option, (wording) => `${wording.option(option)} (${text}) ${reason}`);
  if (!isLocalDate(text)) throw refusal("is not a date. Write one that exists, as YYYY-MM-DD.");
  if (isReportDate(text)) return text;
  throw refusal(`is not a date that reports cover. Write one from ${firstDate} to ${lastDate}.`);
}

/** E.g. ` Did you mean week?`; empty where no word is near. */
function suggest(typed: string, words: readonly string[]): string {
  const meant = closestWord(typed, words);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}
