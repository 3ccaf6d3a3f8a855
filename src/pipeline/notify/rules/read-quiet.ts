import { join } from "node:path";
import { instant } from "../../../config/parsers.ts";
import { readFileOrWorkbook } from "../../../load/reference/reference-file.ts";
import { isLocalDate } from "../../../util/local-date.ts";
import { VenueError } from "../../../util/venue-error.ts";
import type { Today } from "../plan-incidents.ts";
import { describeMistake, invalid, type Rule, type RuleFile } from "./read-rules.ts";

/** A line of `quiet.csv`: a time in which rules send nothing. Dates are local and inclusive, instants ISO 8601. */
export interface Quiet {
  /** As written: a rule's view, or its page without parameters; empty for all rules. */
  view: string;
  from: string;
  to: string;
  reason: string;
}

const quietColumns = ["view", "from", "to", "reason"];

/**
 * Reads `quiet.csv` or `quiet.xlsx` in the folder of custom files. Lines with a mistake are ignored.
 * @param file the rules; if any has a mistake, unknown views are not reported
 */
export async function readQuiet(
  customFolder: string,
  { rules, mistakes: ofRules }: Pick<RuleFile, "rules" | "mistakes">,
): Promise<{ quiet: Quiet[]; mistakes: string[] }> {
  const mistakes: string[] = [];
  const quiet: Quiet[] = [];
  try {
    const { path, rows } = await readFileOrWorkbook(
      join(customFolder, "quiet.csv"),
      quietColumns,
      ({ message }) => mistakes.push(message),
      3,
    );
    for (const { lineNumber, values } of rows) {
      const { view = "", from = "", to = "", reason = "" } = values;
      const line = { view, from, to, reason };
      try {
        assertTimes(line);
        const isKnown = ofRules.length > 0 || view === "" || rules.some((rule) => coversView(line, rule));
        if (!isKnown)
          throw invalid(view, "the view of a rule in notify.csv, its page such as /devices, or nothing");
        quiet.push(line);
      } catch (error) {
        mistakes.push(describeMistake(path, lineNumber, error));
      }
    }
  } catch (error) {
    if (!(error instanceof VenueError)) throw error;
    mistakes.push(error.message);
  }
  return { quiet, mistakes };
}

/** Returns the line that currently holds back a rule's messages. */
export function findQuiet(quiet: readonly Quiet[], rule: Rule, { now, dateOf }: Today): Quiet | undefined {
  const today = dateOf(now);
  return quiet.find((line) => {
    const hasBegun = isLocalDate(line.from) ? today >= line.from : now >= new Date(line.from);
    const hasEnded = isLocalDate(line.to) ? today > line.to : now >= new Date(line.to);
    return hasBegun && !hasEnded && coversView(line, rule);
  });
}

function coversView({ view }: Quiet, { address }: Rule): boolean {
  return view === "" || [address, address.replace(/\?.*/, "")].includes(view.replace(/^\//, ""));
}

function assertTimes({ from, to }: Quiet): void {
  for (const time of [from, to])
    if (!isLocalDate(time) && instant.parse(time) === undefined)
      throw invalid(time, `a date, such as 2026-11-21, or ${instant.accepted}`);
  const isSameKind = isLocalDate(from) === isLocalDate(to);
  if (isSameKind && Date.parse(to) < Date.parse(from)) throw invalid(to, `an end after ${from}`);
}
