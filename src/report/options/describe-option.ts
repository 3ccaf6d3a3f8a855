import { catalog } from "../catalog/catalog.ts";
import { listDimensions } from "../catalog/report-entry.ts";
import { reportNames } from "../report-name.ts";
import { isTaken, requestOptions, type Word } from "./option-list.ts";

/** Maximum reports listed for a flag. If more accept it, none is listed. */
const maxNamed = 6;

/** Describes a flag, with the reports that accept it. */
export function describeOption(word: Word): string {
  const takers = reportNames.filter((name) => isTaken(catalog[name], word));
  const named = takers.map((name) => {
    const entry = catalog[name];
    if (isTaken(entry, word, [])) return name;
    return `${name} by ${listDimensions(entry).find((by) => isTaken(entry, word, [by]))}`;
  });
  return `${requestOptions[word].help}${named.length > maxNamed ? "" : ` (${named.join(", ")})`}`;
}
