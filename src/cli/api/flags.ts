import { accessSync, constants, statSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { readRecurrence } from "../../load/rules/recurrence/recurrence.ts";
import { RuleError, splitRule } from "../../load/rules/recurrence/rule-parts.ts";
import { kinds, largestId } from "../../util/kind.ts";
import { isLocalDate } from "../../util/local-date.ts";
import { localPath, nonEmpty, oneOf, wholeNumber } from "../arguments.ts";

/** A flag of an action. Its key is the name of the parameter that it sets. */
export interface Flag<Value = unknown> {
  /** The flag's name without dashes. @default derived from the key: `zoneId` is `--zone-id` */
  name?: string;
  /** Placeholder for the value in help; absent for a switch. */
  placeholder?: string;
  description: string;
  /** Value for the example in the help. */
  example?: string;
  /** @throws {InvalidArgumentError} naming the accepted values */
  parse: (text: string) => Value;
  choices?: readonly string[];
  /** Keys of flags that can't be combined with this one. */
  conflicts?: string[];
  isRequired?: boolean;
}

const flags = {
  groupId: id("the group", "58429"),
  zoneId: id("the zone", "77"),
  campaignId: id("the campaign", "1201"),
  assetId: id("the asset", "88"),
  playlistId: id("the playlist", "12"),
  overrideId: id("the override", "5"),
  parentId: id("only children of this component", "3"),
  id: id("the notice", "12"),
  volume: flag("n", "0 (silent) to 100", wholeNumber(0, 100), "40"),
  durationMinutes: {
    ...flag("minutes", "how long it plays", wholeNumber(1), "90"),
    name: "duration",
  },
  limit: flag("n", "records per page; the service may return fewer", wholeNumber(1)),
  offset: flag("n", "records to skip", wholeNumber(0)),
  page: flag("n", "page number, from 1", wholeNumber(1)),
  all: toggle("all records, not only one page", "page"),
  isTopLevel: { ...toggle("only components without a parent", "parentId"), name: "top-level" },
  name: flag("text", "the name", parseText, '"Spring sale"'),
  startDate: flag("date", "first day, YYYY-MM-DD", parseDate),
  endDate: flag("date", "last day, YYYY-MM-DD; not before the first", parseDate),
  rrule: flag("rule", "recurrence as an iCal RRULE, such as FREQ=DAILY;BYHOUR=9,17", parseRule),
  jobId: flag("id", "job id printed by `history export`", parseJobId, "5f2c"),
  kind: { ...word("kind of history", kinds), example: "music" },
  type: word("only notices of this type", ["general", "planned", "unplanned"]),
  timelineState: word("only notices in this state", ["future", "present", "past_recent", "past_distant"]),
  file: flag("path", "the file to upload", localPath, "spring.mp4"),
  out: flag("path", "output file; for screenshots, a folder, which is created", localPath, "music.jsonl"),
};

/** Parsed values by flag key. An action reads only the flags that it lists. Optional ones may be `undefined`. */
export type Inputs = { [Key in keyof typeof flags]: ReturnType<(typeof flags)[Key]["parse"]> };

/** Returns the flags for parameters listed as in `Endpoint.parameters`, each with its name. */
export function expandFlagKeys(keys: string): Record<string, Flag & { name: string }> {
  const found: Record<string, Flag & { name: string }> = {};
  for (const word of keys.replace("owner", "groupId? zoneId?").split(" ").filter(Boolean)) {
    const key = word.replace("?", "");
    found[key] = { name: toKebabCase(key), ...flags[key as keyof typeof flags], isRequired: key === word };
  }
  return found;
}

/** Converts a name, e.g. `zoneId` to `zone-id`. */
export function toKebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Describes a problem with the flags, if any: not exactly one owner, a reversed period, or an unusable file. */
export function findProblem(keys: string, inputs: Inputs): string | undefined {
  const { groupId, zoneId, startDate, endDate, file } = inputs;
  if (keys.startsWith("owner") && (groupId === undefined) === (zoneId === undefined)) {
    return "give exactly one of --group-id and --zone-id";
  }
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    return `--start-date ${startDate} is after --end-date ${endDate}`;
  }
  if (file === undefined) return undefined;
  try {
    const facts = statSync(file);
    if (!facts.isFile()) return `--file ${file} is not a regular file`;
    accessSync(file, constants.R_OK);
    return facts.size > 0 ? undefined : `--file ${file} is empty`;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return `--file ${file} ${isMissing ? "does not exist" : "cannot be read"}`;
  }
}

function flag<Value>(
  placeholder: string,
  description: string,
  parse: (text: string) => Value,
  example?: string,
): Flag<Value> {
  return { placeholder, description, parse, ...(example === undefined ? {} : { example }) };
}

function id(description: string, example: string): Flag<number> {
  return flag("id", description, wholeNumber(0, largestId), example);
}

function word<const Word extends string>(description: string, choices: readonly Word[]): Flag<Word> {
  return { ...flag("word", description, oneOf(...choices)), choices };
}

function toggle(description: string, ...conflicts: string[]): Flag<boolean> {
  return { description, conflicts, parse: Boolean };
}

function parseDate(text: string): string {
  if (isLocalDate(text)) return text;
  throw new InvalidArgumentError("It takes a valid date, as YYYY-MM-DD.");
}

function parseText(text: string): string {
  if (/\p{Cc}/u.test(nonEmpty(text))) throw new InvalidArgumentError("It contains control characters.");
  return text;
}

/** Rejects `.` and `..`, because a job id becomes part of a path. */
function parseJobId(text: string): string {
  if (/^\.{1,2}$/.test(parseText(text))) throw new InvalidArgumentError("It is not a job id.");
  return text;
}

/**
 * Checks a rule's meaning as a load does. Checks its syntax more strictly, because the service might reject
 * rules that a load tolerates.
 */
function parseRule(rule: string): string {
  const text = rule.replace(/^RRULE:/i, "");
  for (const part of text.split(";")) {
    const [, name, value = ""] = /^([A-Za-z]+)=([^=\s]+)$/.exec(part) ?? [];
    if (name === undefined || /^DTSTART$/i.test(name)) {
      throw ruleError(`${JSON.stringify(part)} is not valid in a rule`);
    }
    if (/^UNTIL$/i.test(name) && !/^\d{8}(T\d{6}Z?)?$/i.test(value)) {
      throw ruleError(`${part} is neither a date (YYYYMMDD) nor a time (YYYYMMDDTHHMMSSZ)`);
    }
  }
  try {
    readRecurrence(splitRule(text).parts);
    return rule;
  } catch (error) {
    throw error instanceof RuleError ? ruleError(error.message) : error;
  }
}

function ruleError(problem: string): InvalidArgumentError {
  return new InvalidArgumentError(
    `${problem}. It takes an iCal RRULE, such as FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=9.`,
  );
}
