import { createDrillDown } from "../../address/drill-down.ts";
import { noValue } from "../../options/known-attributes.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatQuantity, joinWords } from "../../text/readable-text.ts";
import { formatWord } from "../../text/titles.ts";
import type { PageSources } from "../page-sources.ts";
import { explainNone } from "../read/explain-nothing.ts";
import { type Ranking, rank, readRanked } from "../read/rank-rows.ts";
import type { PageDeclaration } from "../report-page.ts";

/** Plays by campaign attributes, such as advertisers, with each value's share of all plays. */
export function declareShares({ options }: PageSources): PageDeclaration {
  const names = options.attributes.flatMap(({ subject, name }) => (subject === "campaign" ? [name] : []));
  const rankings = names.map(rankShares);
  return {
    explain: explainNone("plays"),
    async headline(page) {
      const weighted = page.count("weighted_plays");
      const plays = `${formatQuantity(Math.round(weighted), "play")} of signage and messages ${page.when}`;
      const [ranking] = rankings;
      const { rows, all } = ranking ? await readRanked(ranking, page, 3) : { rows: [], all: 0 };
      if (weighted === 0 || rows.length === 0) return `${plays}.`;
      const named = rows.map(({ label, text }) => `${label === noValue ? `no ${names[0]}` : label} ${text}`);
      const others = all - rows.length;
      const rest =
        others > 0 ? `; ${formatQuantity(others, "other")} ${others === 1 ? "has" : "have"} less` : "";
      return `${plays}: ${joinWords(named, "and")}${rest}.`;
    },
    facts: [
      { figure: "weighted_plays", note: () => "each play counts once" },
      { figure: "weighted_seconds" },
    ],
    charts: rankings.map(rank),
  };
}

function rankShares(name: string): Ranking {
  const word = formatWord(name);
  return {
    title: `Share of plays by ${word}`,
    by: [name],
    value: "r.share_of_plays",
    limit: 15,
    keys: [name],
    isShare: true,
    headings: [word, "share of plays"],
    rows: (count) => `${formatQuantity(count, "value")} of ${word}`,
    textOf: (share) => formatPercent(share),
    labelOf: (row) => String(row[name]),
    addressOf: (row, { request, period }) => createDrillDown(request, period, [name], row),
  };
}
