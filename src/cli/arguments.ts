import { InvalidArgumentError, Option } from "commander";
import { isS3Url, parseS3Url } from "../storage/s3-url.ts";
import { isUrl } from "../util/http-values.ts";
import { findClosestWord } from "../util/text/words.ts";

/** Returns a parser for integers. Both limits are inclusive. Load ids may have up to 16 digits. */
export function wholeNumber(minimum: number, maximum?: number): (text: string) => number {
  return (text) => {
    const largest = maximum ?? Number.MAX_SAFE_INTEGER;
    if (!/^\d{1,16}$/.test(text) || Number(text) < minimum || Number(text) > largest) {
      const limit = maximum === undefined ? "" : ` to ${maximum}`;
      throw new InvalidArgumentError(`It takes a whole number from ${minimum}${limit}.`);
    }
    return Number(text);
  };
}

export const portNumber = wholeNumber(0, 65_535);

export function minutes(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 10_000)) {
    throw new InvalidArgumentError("It takes minutes from 0 to 10,000; fractions are allowed.");
  }
  return value;
}

/** Rejects an empty string, because a shell passes one for an unset variable. */
export function nonEmpty(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It needs a value.");
  return text;
}

/** Parses the path of a file or folder; relative paths start at the working folder. */
export function localPath(text: string): string {
  if (isUrl(text)) {
    throw new InvalidArgumentError(
      "It takes a path on this machine, not a URL. Mount that storage, or copy the files to or from it yourself.",
    );
  }
  return nonEmpty(text);
}

/** Parses the path of a folder or an `s3://` URL. */
export function folderOrS3Url(text: string): string {
  if (!isUrl(text)) return nonEmpty(text);
  if (!isS3Url(text)) throw new InvalidArgumentError("It takes a folder or s3://bucket/prefix.");
  // This error is thrown unchanged. An invalid-argument error would quote the value, which might contain a key.
  parseS3Url(text);
  return text.trim();
}

/** Collects the values of an argument that takes several files or folders. */
export function localPaths(text: string, earlier: readonly string[] | undefined): string[] {
  return [...(earlier ?? []), localPath(text)];
}

/** A parser that lists the words it accepts, so that shells can complete them. */
export interface WordParser<Word> {
  (text: string): Word;
  words: readonly string[];
}

/**
 * Returns a parser that accepts only these words. If a word is misspelled, the error suggests the right one.
 */
export function oneOf<const Word extends string>(...words: readonly Word[]): WordParser<Word> {
  const parse = (text: string) => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    const meant = findClosestWord(text, words);
    throw new InvalidArgumentError(`${meant ? `Did you mean ${meant}? ` : ""}It takes ${words.join(", ")}.`);
  };
  return Object.assign(parse, { words });
}

/** Collects the values of a repeatable flag. */
export function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

export const defaultKeepLandingDays = 7;

/** @param what noun for the kept files, as shown in help */
export function keepLandingOption(what = "loaded downloads"): Option {
  return new Option("--keep-landing <days>", `keep ${what} at least this many days`)
    .argParser(wholeNumber(0))
    .default(defaultKeepLandingDays);
}

export function takeOverOption(): Option {
  return new Option("--take-over", "replace another machine's data folder in the landing store").default(
    false,
  );
}

export function acceptLossOption(): Option {
  return new Option("--accept-loss", "publish even if readers lose data").default(false);
}
