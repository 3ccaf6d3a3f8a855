import { join } from "node:path";
import { readFileOrWorkbook } from "../../../load/reference/reference-file.ts";
import { customName } from "../../../mart/custom/custom-file.ts";
import {
  parseViewOptions,
  readParameters,
  reportParameters,
} from "../../../report/address/view-parameters.ts";
import { findCustomReport } from "../../../report/custom/list-custom-reports.ts";
import { ReportOptionError, type Wording } from "../../../report/options/option-error.ts";
import type { ReportRequest } from "../../../report/options/request-options.ts";
import { isReportName } from "../../../report/report-name.ts";
import { isMailAddress } from "../../../util/text/mail-address.ts";
import { parseHours } from "../../../util/text/words.ts";
import { VenueError } from "../../../util/venue-error.ts";
import { findIncidentTraits } from "./view-entities.ts";

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
  days?: readonly (typeof weekdays)[number][];
  /** Days after which an ongoing incident is reported again. @default never */
  remindDays?: number;
  /** Hours that an incident must last before it is announced. @default 0 */
  forHours?: number;
}

/** `always`: the whole view once a day. `rows`: an incident per row. Otherwise: one per row that meets the comparison. */
export type Condition = "always" | "rows" | Comparison;

export interface Comparison {
  column: string;
  operator: "<" | "<=" | ">" | ">=";
  limit: number;
  /** As written. */
  text: string;
}

/** In the order of `Date.getDay`. */
export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

const attachFormats = ["xlsx", "csv", "html"] as const;

export interface RuleFile {
  path: string;
  rules: Rule[];
  /** One message per mistake; lines with a mistake are left out. */
  mistakes: string[];
}

const required = ["name", "when", "view", "to"];
const optional = ["attach", "days", "remind_days", "for"];
export const ruleColumns: readonly string[] = [...required, ...optional];

/**
 * Reads `notify.csv` or `notify.xlsx` in the folder of custom files. If neither exists, there are no rules.
 * @throws {VenueError} if the file can't be read as a table
 */
export async function readRules(customFolder: string): Promise<RuleFile> {
  const mistakes: { lineNumber: number; message: string }[] = [];
  const file = await readFileOrWorkbook(
    join(customFolder, "notify.csv"),
    (columns) => {
      const isKnown = columns.every(
        (name, index) => ruleColumns.includes(name) && columns.indexOf(name) === index,
      );
      return isKnown && required.every((name) => columns.includes(name))
        ? undefined
        : [columns.join(), `the columns ${required.join()}, and optionally ${optional.join()}`];
    },
    ({ lineNumber, message }) => mistakes.push({ lineNumber, message: message.replace(" Fix", quotingHint) }),
    required.length,
  );
  const rules: Rule[] = [];
  for (const { lineNumber, values } of file.rows) {
    try {
      const rule = { lineNumber, ...parseRule(values, customFolder) };
      if (rules.some(({ name }) => name === rule.name))
        throw invalid(rule.name, "a name that no other rule has");
      rules.push(rule);
    } catch (error) {
      mistakes.push({ lineNumber, message: describeMistake(file.path, lineNumber, error) });
    }
  }
  mistakes.sort((a, b) => a.lineNumber - b.lineNumber);
  return { path: file.path, rules, mistakes: mistakes.map(({ message }) => message) };
}

/** Views and recipients contain commas, so a missing quote is the most likely reason. */
const quotingHint = ' Put values with commas in quotes: "/plays?by=zone,date". Fix';

export function invalid(value: string, accepted: string): VenueError {
  const message = `"${value}" is invalid; expected ${accepted}. Fix the line, and run this again.`;
  return new VenueError("NOTIFY_RULE", "usage", message);
}

/** Describes why a line, or its view on the published version, is invalid. */
export function describeMistake(path: string, lineNumber: number, error: unknown): string {
  if (!(error instanceof VenueError)) throw error;
  const message = error instanceof ReportOptionError ? error.inWords(viewWording) : error.message;
  return `${path}, line ${lineNumber}: ${message}`;
}

/** Makes messages use a view's parameters instead of flags. */
const viewWording: Wording = {
  option: (option) => option.replace(/^--/, ""),
  date: (date) => date,
  listing: () => "",
};

function parseRule(values: Readonly<Record<string, string>>, customFolder: string): Omit<Rule, "lineNumber"> {
  const {
    name = "",
    when = "",
    view = "",
    to = "",
    attach = "",
    days = "",
    remind_days = "",
    for: wait = "",
  } = values;
  if (!customName.test(name))
    throw invalid(name, "a name of lower-case letters, digits, - and _, beginning with a letter");
  const condition = parseCondition(when);
  const request = parseView(view, condition, customFolder);
  if (!request && typeof condition === "object") throw invalid(when, "always or rows for the overview");
  if (!request && attach !== "") throw invalid(attach, "no attachment for the overview");
  if (condition === "always" && remind_days !== "") throw invalid(remind_days, "no remind_days with always");
  if (!/^([1-9]\d{0,2})?$/.test(remind_days)) throw invalid(remind_days, "a number of days from 1 to 999");
  if (condition === "always" && wait !== "") throw invalid(wait, 'no "for" with always');
  const forHours = parseHours(wait);
  if (wait !== "" && forHours === undefined)
    throw invalid(wait, "minutes, hours or days, such as 30m, 2h or 1d");
  return {
    name,
    definition: `${when} ${view}`,
    condition,
    address: view.slice(1),
    recipients: parseRecipients(to),
    ...(request && { request }),
    ...(attach !== "" && { attach: pick(attach, attachFormats) }),
    ...(days !== "" && { days: splitWords(days).map((day) => pick(day, weekdays)) }),
    ...(remind_days !== "" && { remindDays: Number(remind_days) }),
    ...(forHours !== undefined && { forHours }),
  };
}

function parseCondition(text: string): Condition {
  if (text === "always" || text === "rows") return text;
  const [, column, operator, number, percent] =
    /^([a-z_]\w*)\s*(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)\s*(%?)$/i.exec(text) ?? [];
  if (column === undefined || operator === undefined)
    throw invalid(text, "always, rows, or a comparison such as compliance < 0.9");
  return {
    column: column.toLowerCase(),
    operator: operator as Comparison["operator"],
    limit: Number(number) / (percent ? 100 : 1),
    text,
  };
}

/** @returns `undefined` for the overview */
function parseView(text: string, condition: Condition, customFolder: string): ReportRequest | undefined {
  const accepted = "the address of a page of venue serve, such as /compliance?by=campaign,zone&only=missed";
  if (!text.startsWith("/") || text.startsWith("//")) throw invalid(text, accepted);
  const { pathname, searchParams } = new URL(text, "http://localhost");
  const view = pathname.slice(1);
  if (view === "" && searchParams.size === 0) return undefined;
  const custom = isReportName(view) ? undefined : findCustomReport(customFolder, view);
  if (!isReportName(view) && custom === undefined) throw invalid(text, accepted);
  if (custom?.problem) throw custom.problem;
  const parameters = readParameters(searchParams, reportParameters);
  if (parameters.asOf !== undefined) throw invalid(text, "an address without as-of");
  const request = parseViewOptions(view, parameters, custom);
  if (condition !== "always" && findIncidentTraits(request) === undefined)
    throw invalid(
      text,
      `the page of another report, or "always" in the column when: rows of ${view} do not begin and end`,
    );
  return request;
}

function parseRecipients(text: string): string[] {
  const [, scheme, rest = ""] = /^(mailto|webhook):(.+)$/i.exec(text) ?? [];
  const names = splitWords(rest);
  const isName = scheme?.toLowerCase() === "mailto" ? isMailAddress : (name: string) => customName.test(name);
  if (scheme === undefined || names.length === 0 || !names.every(isName))
    throw invalid(
      // The URL of a webhook is a secret.
      text.replace(/https?:.*/is, "https:…"),
      "mailto: and addresses, or webhook: and names from venue notify add; a view with commas needs quotes",
    );
  return [...new Set(names.map((name) => `${scheme.toLowerCase()}:${name}`))];
}

function splitWords(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== "");
}

function pick<Word extends string>(text: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === text.toLowerCase());
  if (word === undefined) throw invalid(text.toLowerCase(), words.join(", "));
  return word;
}
