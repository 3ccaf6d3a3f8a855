import { join } from "node:path";
import { ReferenceFileError } from "../../../load/reference/errors.ts";
import { readFileOrWorkbook } from "../../../load/reference/reference-file.ts";
import { ownName } from "../../../mart/own/own-file.ts";
import {
  parseViewOptions,
  readParameters,
  reportParameters,
} from "../../../report/address/view-parameters.ts";
import { ReportOptionError, type Wording } from "../../../report/options/report-option-error.ts";
import type { ReportRequest } from "../../../report/options/report-options.ts";
import { findOwnReport } from "../../../report/own/list-own-reports.ts";
import { isReportName } from "../../../report/report-name.ts";
import { isMailAddress } from "../../../util/text/mail-address.ts";
import { VenueError } from "../../../util/venue-error.ts";
import { reportsWithoutIncidents } from "./view-rows.ts";

/** A line of `notify.csv`: what to report, when, and to whom. */
export interface Rule {
  name: string;
  lineNumber: number;
  /** Condition and view as written. If they change, the rule's incidents start over. */
  definition: string;
  condition: Condition;
  /** Absent for the overview. */
  request?: ReportRequest;
  /** The view's address relative to the root of `venue serve`, as written. */
  address: string;
  /** Each `mailto:ADDRESS` or `webhook:NAME`. */
  recipients: readonly string[];
  attach?: (typeof attachFormats)[number];
  /** Weekdays on which it may send. @default all */
  days?: readonly Weekday[];
  /** Days after which an ongoing incident is reported again. @default never */
  remindDays?: number;
}

/** `always`: the whole view once a day. `rows`: an incident per row. Otherwise: one per row that meets the comparison. */
export type Condition = "always" | "rows" | Comparison;

export interface Comparison {
  column: string;
  operator: "<" | "<=" | ">" | ">=";
  limit: number;
}

/** In the order of `Date.getDay`. */
export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
type Weekday = (typeof weekdays)[number];

const attachFormats = ["xlsx", "csv", "html"] as const;

export interface RuleFile {
  path: string;
  rules: Rule[];
  /** One message per mistake; lines with a mistake are left out. */
  mistakes: string[];
}

const ruleFileName = "notify.csv";
const required = ["name", "when", "view", "to"];
const optional = ["attach", "days", "remind_days"];
export const ruleColumns: readonly string[] = [...required, ...optional];

/**
 * Reads `notify.csv` or `notify.xlsx` in the folder of own files. If neither exists, there are no rules.
 * @throws {VenueError} if the file can't be read as a table
 */
export async function readRules(ownFolder: string): Promise<RuleFile> {
  const mistakes: { lineNumber: number; message: string }[] = [];
  const file = await readFileOrWorkbook(
    join(ownFolder, ruleFileName),
    (columns) => {
      const isKnown = columns.every(
        (name, index) => ruleColumns.includes(name) && columns.indexOf(name) === index,
      );
      return isKnown && required.every((name) => columns.includes(name))
        ? undefined
        : [columns.join(), `the columns ${required.join()}, and optionally ${optional.join()}`];
    },
    ({ lineNumber, message }) => mistakes.push({ lineNumber, message: addQuotingHint(message) }),
    required.length,
  );
  const rules: Rule[] = [];
  for (const { lineNumber, values } of file.rows) {
    try {
      const rule = { lineNumber, ...parseRule(values, ownFolder) };
      if (rules.some(({ name }) => name === rule.name)) throw new Invalid(rule.name, "a name of its own");
      rules.push(rule);
    } catch (error) {
      mistakes.push({ lineNumber, message: describeMistake(file.path, lineNumber, error) });
    }
  }
  mistakes.sort((a, b) => a.lineNumber - b.lineNumber);
  return { path: file.path, rules, mistakes: mistakes.map(({ message }) => message) };
}

/** A value that its column does not accept. */
class Invalid extends Error {
  readonly value: string;
  readonly accepted: string;

  constructor(value: string, accepted: string) {
    super(accepted);
    this.value = value;
    this.accepted = accepted;
  }
}

/** Views and recipients contain commas, so a missing quote is the most likely reason. */
function addQuotingHint(message: string): string {
  return message.replace(
    " Fix the line",
    ' Put values with commas in quotes: "/plays?by=zone,date". Fix the line',
  );
}

/** Describes what a rule's view needs that the published version lacks. */
export function describeFailedRule({ path }: RuleFile, { lineNumber }: Rule, error: VenueError): string {
  return describeMistake(path, lineNumber, error);
}

function describeMistake(path: string, lineNumber: number, error: unknown): string {
  if (error instanceof Invalid)
    return new ReferenceFileError(path, lineNumber, error.value, error.accepted).message;
  if (error instanceof ReportOptionError) return `${path}, line ${lineNumber}: ${error.inWords(viewWording)}`;
  if (error instanceof VenueError) return `${path}, line ${lineNumber}: ${error.message}`;
  throw error;
}

/** Makes messages name a view's parameters instead of flags. */
const viewWording: Wording = {
  option: (option) => option.replace(/^--/, ""),
  date: (date) => date,
  listing: () => "",
};

function parseRule(values: Readonly<Record<string, string>>, ownFolder: string): Omit<Rule, "lineNumber"> {
  const {
    name = "",
    when = "",
    view = "",
    to = "",
    attach = "",
    days = "",
    remind_days: remind = "",
  } = values;
  if (!ownName.test(name))
    throw new Invalid(name, "a name of lower-case letters, digits, - and _, beginning with a letter");
  const condition = parseCondition(when);
  const request = parseView(view, condition, ownFolder);
  const rule: Omit<Rule, "lineNumber"> = {
    name,
    definition: `${when} ${view}`,
    condition,
    address: view.slice(1),
    recipients: parseRecipients(to),
    ...(request && { request }),
  };
  if (attach !== "") rule.attach = requireOne(attach.toLowerCase(), attachFormats);
  if (rule.attach && !request) throw new Invalid(attach, "no attachment for the overview");
  if (days !== "") rule.days = splitWords(days).map((day) => requireOne(day.toLowerCase(), weekdays));
  if (remind !== "") rule.remindDays = parseRemindDays(remind, condition);
  if (typeof condition === "object" && !request) throw new Invalid(when, "always or rows for the overview");
  return rule;
}

function parseCondition(text: string): Condition {
  if (text === "always" || text === "rows") return text;
  const [, column, operator, number, percent] =
    /^([a-z_]\w*)\s*(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)\s*(%?)$/i.exec(text) ?? [];
  if (column === undefined || operator === undefined)
    throw new Invalid(text, "always, rows, or a comparison such as compliance < 0.9");
  return {
    column: column.toLowerCase(),
    operator: operator as Comparison["operator"],
    limit: Number(number) / (percent ? 100 : 1),
  };
}

/** @returns `undefined` for the overview */
function parseView(text: string, condition: Condition, ownFolder: string): ReportRequest | undefined {
  const accepted = "the address of a page of venue serve, such as /compliance?by=campaign,zone&only=missed";
  if (!text.startsWith("/") || text.startsWith("//")) throw new Invalid(text, accepted);
  const { pathname, searchParams } = new URL(text, "http://localhost");
  const view = pathname.slice(1);
  if (view === "" && searchParams.size === 0) return undefined;
  const own = isReportName(view) ? undefined : findOwnReport(ownFolder, view);
  if (!isReportName(view) && own === undefined) throw new Invalid(text, accepted);
  if (own?.problem) throw own.problem;
  if ((reportsWithoutIncidents as readonly string[]).includes(view) && condition !== "always")
    throw new Invalid(
      text,
      `the page of another report, or "always" in the column when: rows of ${view} do not begin and end`,
    );
  const parameters = readParameters(searchParams, reportParameters);
  if (parameters.asOf !== undefined) throw new Invalid(text, "an address without as-of");
  return parseViewOptions(view, parameters, own);
}

function parseRecipients(text: string): string[] {
  const [, scheme, rest = ""] = /^(mailto|webhook):(.+)$/i.exec(text) ?? [];
  const names = splitWords(rest);
  const isName = scheme?.toLowerCase() === "mailto" ? isMailAddress : (name: string) => ownName.test(name);
  if (scheme === undefined || names.length === 0 || !names.every(isName))
    throw new Invalid(
      // The URL of a webhook is a secret.
      text.replace(/https?:.*/is, "https:…"),
      "mailto: and addresses, or webhook: and names from venue notify add; a view with commas needs quotes",
    );
  return [...new Set(names.map((name) => `${scheme.toLowerCase()}:${name}`))];
}

function parseRemindDays(text: string, condition: Condition): number {
  if (condition === "always") throw new Invalid(text, "no remind_days with always");
  if (/^\d{1,3}$/.test(text) && Number(text) > 0) return Number(text);
  throw new Invalid(text, "a number of days from 1 to 999");
}

function splitWords(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== "");
}

function requireOne<Word extends string>(text: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw new Invalid(text, words.join(", "));
  return word;
}
