import { z } from "zod";
import { runQuery } from "../../report/query/run-query.ts";
import { createWholeBasis } from "../answers/basis.ts";
import { readRowPage, rowPageInput } from "../answers/row-page.ts";
import { answerWithTable, tableOutput } from "../answers/table.ts";
import { defineTool } from "../define-tool.ts";

/** Equivalent to `venue query`: one select, which can read nothing but the published tables. */
export const queryTool = defineTool({
  name: "query",
  title: "SQL query",
  description:
    "Runs one SQL select on the published tables, which the tool dictionary describes, for questions that no report answers. " +
    "DuckDB's dialect. Prefer the daily aggregates, such as fact_play_day, to fact_play. Names are not unique, so group by the id as well. " +
    "Add an order by, so that rows can be paged. Timestamps are in UTC unless the column's name ends in _local.",
  input: { sql: z.string().describe("one select statement"), ...rowPageInput },
  output: tableOutput,
  async answer({ sql, ...words }, context) {
    const report = await runQuery(context.mart, sql);
    const page = await readRowPage(report.rows, words);
    return await answerWithTable({
      report: {
        ...report,
        notes: [
          ...report.notes,
          "Definitions are those of columns with these names in reports; the query may have changed their meaning.",
        ],
      },
      page,
      basis: await createWholeBasis(context),
      narrow: "add conditions or aggregate",
    });
  },
});
