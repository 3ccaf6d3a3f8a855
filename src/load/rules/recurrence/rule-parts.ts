/** What a rule's text holds, its values as written. */
export interface RuleParts {
  /** `FREQ` → `WEEKLY`; names in capitals, without DTSTART. */
  parts: ReadonlyMap<string, string>;
  /** The value of an embedded DTSTART, be it a line before the rule or one of its parts. */
  dtStart: string | undefined;
}

/** A property, its parameters and its value: quoted parameters may hold colons and semicolons (RFC 5545, section 3.2). */
const property = /^(\w+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/;
const properties = /(?=(?:DTSTART|RRULE|EXRULE|RDATE|EXDATE)[;:])/i;
const refused = ["EXDATE", "EXRULE", "RDATE"];

/**
 * Takes a rule apart: `FREQ=DAILY`, `RRULE:FREQ=DAILY`, `DTSTART;TZID=Europe/Berlin:20260105T090000` and a rule on
 * the next line, in any case. Blanks and empty parts don't count; DTSTART's time zone is dropped.
 * @returns no parts for a rule that says nothing
 * @throws {RuleError}
 */
export function splitRule(rule: string): RuleParts {
  const parts = new Map<string, string>();
  let dtStart: string | undefined;
  for (const line of splitLines(rule)) {
    const [, written = "RRULE", value = line] = property.exec(line) ?? [];
    const name = written.toUpperCase();
    if (name === "DTSTART") {
      if (dtStart !== undefined) throw new RuleError("DTSTART stands there twice");
      dtStart = value;
    } else if (name === "RRULE") {
      for (const part of value.split(";").filter((text) => text !== "")) addPart(parts, part);
    } else if (refused.includes(name)) {
      throw new RuleError(`${name} is not supported`);
    } else {
      throw new RuleError(`"${clip(line)}" is not a rule`);
    }
  }
  if (parts.has("DTSTART") && dtStart !== undefined) throw new RuleError("DTSTART stands there twice");
  dtStart ??= parts.get("DTSTART");
  parts.delete("DTSTART");
  if (dtStart !== undefined && parts.size === 0) throw new RuleError("DTSTART without a rule");
  return { parts, dtStart };
}

/** Without blanks. iCalendar folds long lines with a blank; ends may be written as two characters, or missing. */
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
  if (parts.has(key)) throw new RuleError(`${key} stands there twice`);
  parts.set(key, value);
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Why a rule has no dates: its message is short, for people, and becomes the campaign's `rule_error`. */
export class RuleError extends Error {
  override readonly name = "RuleError";
}
