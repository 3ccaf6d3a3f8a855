import type { Engine } from "../../engines/engine.ts";
import { listWholeRanges } from "../dirty-days.ts";
import type { Workbench } from "../workbench.ts";
import { listTableModels } from "./table-models.ts";

/** Plays that are grouped, or checked, in one statement: in about half a gigabyte over all workers. */
export const playsAtOnce = 5_000_000;

/** The workbench of a cluster: Iceberg tables on a branch of their own, of which readers see nothing before it is merged. */
export function onBranch(engine: Engine): Workbench {
  return {
    engine,
    models: listTableModels(),
    atomically: (body) => body(),
    listBuilt: async () => {
      const built = await engine.all<{ name: string }>(
        `select table_schema || '.' || table_name as name from information_schema.tables
        where table_schema in ('staging', 'mart')`,
      );
      return new Map(built.map(({ name }) => [name, "table"]));
    },
    fillTable: async ({ name, built }, select) => {
      const byMonth = built.by === "day" ? " with (partitioning = array['month(date)'])" : "";
      await engine.run(`create or replace table ${name}${byMonth} as ${select}`);
    },
    listWholeRanges: (topic) => listWholeRanges(engine, topic, playsAtOnce),
  };
}
