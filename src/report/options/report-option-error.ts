import { closestWord } from "../../util/closest-word.ts";
import { VenueError } from "../../util/venue-error.ts";

/** A report was asked for in words that mean nothing. */
export class ReportOptionError extends VenueError {
  override readonly name = "ReportOptionError";
  readonly code = "REPORT_OPTION";
  readonly category = "usage";
  /** E.g. `--by`. */
  readonly option: string;

  /**
   * @param value what was given; empty where nothing was
   * @param accepted ends in a punctuation mark
   */
  constructor(option: string, value: string, accepted: string) {
    const finding = value === "" ? "is missing or empty" : `${JSON.stringify(value)} is not accepted`;
    super(`${option}: ${finding}. Accepted: ${accepted}`);
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
  const meant = closestWord(value, words);
  throw new ReportOptionError(option, value, `${words.join(", ")}.${meant ? ` Did you mean ${meant}?` : ""}`);
}
