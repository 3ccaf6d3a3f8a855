import { InvalidArgumentError } from "commander";
import { largestId } from "../../../util/largest-id.ts";
import { isLocalDate } from "../../../util/local-date.ts";
import { localPath, nonEmpty, oneOf, wholeNumber } from "../../arguments.ts";
import { checkRecurrenceRule } from "./recurrence-rule.ts";

function parseId(text: string): number {
  if (/^\d{1,16}$/.test(text) && Number(text) <= largestId) return Number(text);
  throw new InvalidArgumentError(`It takes a whole number from 0 to ${largestId}.`);
}

function parseVolume(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError("It takes a whole number from 0 to 100.");
}

function parseDate(text: string): string {
  if (isLocalDate(text)) return text;
  throw new InvalidArgumentError("It takes a day that exists, as YYYY-MM-DD.");
}

function parseRule(text: string): string {
  const problem = checkRecurrenceRule(text);
  if (problem === undefined) return text;
  throw new InvalidArgumentError(
    `${problem} It takes an iCal RRULE, such as FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=9.`,
  );
}

/** A text that is sent to the service: something, on one line. */
function parseText(text: string): string {
  if (/\p{Cc}/u.test(nonEmpty(text))) throw new InvalidArgumentError("It holds control characters.");
  return text;
}

/** An id that is a text: the service's own words, which become a part of an address. */
function parseJobId(text: string): string {
  if (/^\.{1,2}$/.test(parseText(text))) throw new InvalidArgumentError("It is no id.");
  return text;
}

function id(description: string) {
  return { placeholder: "id", description, parse: parseId };
}

/** What the flags of several actions mean; each action says whether it needs them. */
export const values = {
  groupId: id("the group"),
  zoneId: id("the zone"),
  campaignId: id("the campaign"),
  assetId: id("the asset"),
  playlistId: id("the playlist"),
  overrideId: id("the override"),
  noticeId: id("the notice"),
  parentId: id("only children of this component"),
  volume: { placeholder: "n", description: "0 (silent) to 100", parse: parseVolume },
  minutes: { placeholder: "minutes", description: "how long it plays", parse: wholeNumber(1) },
  limit: {
    placeholder: "n",
    description: "records per page; the service may give fewer",
    parse: wholeNumber(1),
  },
  offset: { placeholder: "n", description: "records to skip", parse: wholeNumber(0) },
  page: { placeholder: "n", description: "this page, from 1", parse: wholeNumber(1) },
  name: { placeholder: "text", description: "its name", parse: parseText },
  startDate: { placeholder: "date", description: "first day, YYYY-MM-DD", parse: parseDate },
  endDate: {
    placeholder: "date",
    description: "last day, YYYY-MM-DD; not before the first",
    parse: parseDate,
  },
  rrule: { placeholder: "rule", description: "when it recurs: an iCal RRULE", parse: parseRule },
  jobId: { placeholder: "id", description: "the export, as `history export` printed it", parse: parseJobId },
  path: (description: string) => ({ placeholder: "path", description, parse: localPath }),
  word: <const Word extends string>(description: string, words: readonly Word[]) => ({
    placeholder: "word",
    description,
    parse: oneOf(...words),
    choices: words,
  }),
};
