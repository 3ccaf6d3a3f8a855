import { firstDate, isLocalDate, lastDate } from "../../util/local-date.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { ReportName } from "../report-name.ts";

/** Wording of options and dates in a message: for a command line, or for a page. */
export interface Wording {
  /** @param option e.g. `--from` */
  option(option: string): string;
  date(date: string): string;
  /** Returns a hint on where accepted values are listed; empty on a page, which has a link instead. */
  listing(listing: Listing): string;
}

/** Complete sentences: the problem, the value, the next step. */
type Sentences = string | ((wording: Wording) => string);

/** A report whose rows list accepted values, e.g. `plays` by `zone`. */
export interface Listing {
  report: ReportName;
  by?: string;
}

const cliWording: Wording = {
  option: (option) => option,
  date: (date) => date,
  listing: ({ report, by }) => ` See \`venue report ${report}${by === undefined ? "" : ` --by ${by}`}\`.`,
};

export class ReportOptionError extends VenueError {
  /** E.g. `--by`. */
  readonly option: string;
  readonly listing: Listing | undefined;
  readonly #sentences: Sentences;

  constructor(option: string, sentences: Sentences, listing?: Listing) {
    super("REPORT_OPTION", "usage", inWords(sentences, cliWording));
    this.option = option;
    this.listing = listing;
    this.#sentences = sentences;
  }

  inWords(wording: Wording): string {
    return inWords(this.#sentences, wording);
  }
}

function inWords(sentences: Sentences, wording: Wording): string {
  return typeof sentences === "string" ? sentences : sentences(wording);
}

/** @throws {ReportOptionError} with the accepted values, and the closest one */
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

/** @throws {ReportOptionError} when the report does not accept the option */
export function refuseUnless(isTaken: boolean, report: string, option: string, value: unknown): void {
  if (value === undefined || isTaken) return;
  throw new ReportOptionError(
    option,
    (wording) => `The ${report} report does not take ${wording.option(option)}.`,
  );
}

export function isReportDate(date: string): boolean {
  return date >= firstDate && date <= lastDate;
}

/** @throws {ReportOptionError} for a date that does not exist or that reports do not cover */
export function parseDate(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return text;
  if (!isLocalDate(text)) throw refuseDate(option, text, "is not a valid date. Write it as YYYY-MM-DD.");
  if (isReportDate(text)) return text;
  throw refuseDate(option, text);
}

/** @param reason what is wrong, and what to write instead. @default dates that reports do not cover */
export function refuseDate(
  option: string,
  text: string,
  reason = `is outside the dates that reports cover. Write one from ${firstDate} to ${lastDate}.`,
): ReportOptionError {
  return new ReportOptionError(option, (wording) => `${wording.option(option)} (${text}) ${reason}`);
}

/** E.g. ` Did you mean week?`; empty if nothing is similar. */
function suggest(typed: string, words: readonly string[]): string {
  const meant = findClosestWord(typed, words);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}
