import { readRecurrence } from "../../../load/rules/recurrence/recurrence.ts";
import { RuleError } from "../../../load/rules/recurrence/rule-error.ts";
import { splitRule } from "../../../load/rules/recurrence/rule-parts.ts";

/**
 * What is wrong with a recurrence rule, with or without `RRULE:` before it; `undefined` when nothing is. What its parts
 * mean is judged as a load judges the rules of campaigns; how they are written more strictly, because the service is
 * not known to be as lenient as a load.
 */
export function checkRecurrenceRule(rule: string): string | undefined {
  const text = rule.replace(/^RRULE:/i, "");
  for (const part of text.split(";")) {
    const [, name, value = ""] = /^([A-Za-z]+)=([^=\s]+)$/.exec(part) ?? [];
    if (name === undefined || /^DTSTART$/i.test(name))
      return `${JSON.stringify(part)} is not valid in a rule.`;
    if (/^UNTIL$/i.test(name) && !/^\d{8}(T\d{6}Z?)?$/i.test(value)) {
      return `${part} is no date (YYYYMMDD) and no time (YYYYMMDDTHHMMSSZ).`;
    }
  }
  try {
    readRecurrence(splitRule(text).parts);
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return `${error.message}.`;
    throw error;
  }
}
