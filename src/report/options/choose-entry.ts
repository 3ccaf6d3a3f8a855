import { chooseRows, listGroupings, type ReportEntry } from "../catalog/report-entry.ts";
import { listShownColumns } from "../columns/list-columns.ts";
import { ReportOptionError, requireWord } from "./option-error.ts";
import { parseKind, strayDimensionError } from "./parse-values.ts";
import type { ChosenAttribute, ReportRequest } from "./request-options.ts";

/**
 * Returns the entry that can group by these attributes: the request's, or the one by campaign attributes.
 * @throws {ReportOptionError} when the entry by campaign attributes does not accept the rest of the request
 */
export function chooseEntry(
  request: Omit<ReportRequest, "chosen">,
  attributes: readonly ChosenAttribute[],
): ReportEntry {
  const { entry, by, kinds, onlyStates, sort } = request;
  const known = chooseRows(entry, by).attributes;
  const other = attributes.find(({ subject }) => !known.includes(subject));
  const chosen = entry.byCampaignAttributes;
  if (other === undefined || chosen === undefined) return entry;
  const [words, customWords] = [listGroupings(chosen, by), listGroupings(entry, by)];
  const stray = by.find((word) => customWords.includes(word) && !words.includes(word));
  if (stray !== undefined) throw strayDimensionError(other.name, stray, words);
  for (const kind of kinds) parseKind(kind, { isExplained: true, name: `${entry.name} by ${other.name}` });
  if (sort) {
    const columns = listShownColumns(chosen, request).map(({ name }) => name);
    requireWord("--sort", sort.column, columns);
  }
  if (onlyStates)
    throw new ReportOptionError(
      "--only",
      ({ option }) =>
        `${option("--only")} can't be combined with ${option("--by")} ${other.name}. Remove one of them.`,
    );
  return chosen;
}
