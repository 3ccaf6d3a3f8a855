import { findPlayedNames } from "../../report/findings/names.ts";
import type { AskedReport } from "../../report/options/report-options.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import type { Names } from "./names.ts";

/** The same, with names for the item and the artist that a view is narrowed to: of these there are too many to know all. */
export async function withPlayedNames(
  names: Names,
  mart: PublishedMart,
  options: Pick<AskedReport, "itemIds" | "artistIds" | "kinds">,
): Promise<Names> {
  const played = await findPlayedNames(mart, options);
  return {
    ...names,
    textOf: (word, value, kind) =>
      (word === "item" || word === "artist" ? played[word] : undefined) ?? names.textOf(word, value, kind),
  };
}
