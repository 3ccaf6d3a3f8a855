/** Parts of a rule, with unparsed values. */
export interface RuleParts {
  /** Values by name, such as `FREQ` → `WEEKLY`. Names are in capitals. Excludes DTSTART. */
  parts: ReadonlyMap<string, string>;
  /** Value of an embedded DTSTART, which is either on a line before the rule or one of the rule's parts. */
  dtStart: string | undefined;
}

/** Matches a property. Quoted parameters may contain colons and semicolons (RFC 5545, section 3.2). */
const property = /^(\w+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/;
const properties = /(?=(?:DTSTART|RRULE|EXRULE|RDATE|EXDATE)[;:])/i;
const refused = ["EXDATE", "EXRULE", "RDATE"];

/**
 * Parses a rule: `FREQ=DAILY`, `RRULE:FREQ=DAILY`, or `DTSTART;TZID=Europe/Berlin:20260105T090000` and a rule
 * on the next line, in upper or lower case. Ignores white space, empty parts and the time zone of DTSTART.
 * @returns no parts for an empty rule
 * @throws {RuleError}
 */
export function splitRule(rule: string): RuleParts {
  const parts = new Map<string, string>();
  let dtStart: string | undefined;
  for (const line of splitLines(rule)) {
    const [, written = "RRULE", value = line] = property.exec(line) ?? [];
    const name = written.toUpperCase();
    if (name === "DTSTART") {
      if (dtStart !== undefined) throw new RuleError("the rule has two DTSTART values");
      dtStart = value;
    } else if (name === "RRULE") {
      for (const part of value.split(";").filter((text) => text !== "")) addPart(parts, part);
    } else if (refused.includes(name)) {
      throw new RuleError(`${name} is not supported`);
    } else {
      throw new RuleError(`"${clip(line)}" is not a rule`);
    }
  }
  if (parts.has("DTSTART") && dtStart !== undefined) throw new RuleError("the rule has two DTSTART values");
  dtStart ??= parts.get("DTSTART");
  parts.delete("DTSTART");
  if (dtStart !== undefined && parts.size === 0) throw new RuleError("DTSTART without a rule");
  return { parts, dtStart };
}

/**
 * Splits a rule into lines without white space. Joins lines that iCalendar folded, and accepts escaped or
 * missing line ends.
 */
function splitLines(rule: string): string[] {
  return rule
    .replace(/\r?\n[ \t]/g, "")
    .split(/\\[nr]|[\r\n]/)
    .flatMap((line) => line.replace(/\s/g, "").split(properties));
}

function addPart(parts: Map<string, string>, part: string): void {
  const [, name, value] = /^([^=]+)=([^=]*)$/.exec(part) ?? [];
  if (name === undefined || value === undefined) throw new RuleError(`"${clip(part)}" is not NAME=VALUE`);
  const key = name.toUpperCase();
  if (refused.includes(key)) throw new RuleError(`${key} is not supported`);
  if (value === "") throw new RuleError(`${key} has no value`);
  if (parts.has(key)) throw new RuleError(`the rule has two ${key} values`);
  parts.set(key, value);
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/**
 * Reason why a rule has no dates. The message is short, because analysts read it as the campaign's
 * `rule_error`.
 */
export class RuleError extends Error {
  override readonly name = "RuleError";
}
