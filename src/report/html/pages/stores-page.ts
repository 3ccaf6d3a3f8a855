import { formatQuantity, joinWords } from "../../text/readable-text.ts";
import type { PageSources } from "../page-sources.ts";
import type { PageDeclaration } from "../report-page.ts";

export function declareStores({ options: { by } }: PageSources): PageDeclaration {
  const [word = "", ...others] = by;
  const noun = others.length === 0 && ["location", "zone", "group"].includes(word) ? word : "row";
  return {
    total: ({ sum }) =>
      sum(
        {
          rows: "count(*)",
          bad: "count(case when status = 'bad' then 1 end)",
          attention: "count(case when status = 'needs attention' then 1 end)",
          unknown: "count(case when status = 'not known yet' then 1 end)",
        },
        { by },
      ),
    headline({ count, when }) {
      const rows = formatQuantity(count("rows"), noun);
      if (count("rows") === 0) return `Nothing is known of any store ${when}.`;
      const part = (of: string, one: string, many: string) =>
        count(of) === 0 ? [] : [formatQuantity(count(of), one, many)];
      const parts = [
        ...part("bad", "is bad", "are bad"),
        ...part("attention", "needs attention", "need attention"),
        ...part("unknown", "is not known yet", "are not known yet"),
      ];
      return `Of ${rows} ${when}, ${parts.length === 0 ? "all are good" : joinWords(parts, "and")}.`;
    },
    facts: [],
    charts: [],
  };
}
