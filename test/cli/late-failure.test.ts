import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { itEachSampled } from "../support/long-suite.ts";
import { setUpPlays } from "../support/published-plays.ts";
import { runVenue } from "../support/run-venue.ts";

/** Row 100,000 has a value that is not a number. */
const late =
  "select range as n, cast(case when range = 100000 then 'x' else '1' end as integer) as value from range(100001)";

itEachSampled(["csv", "xlsx", "parquet", "json", "md", "html", "arrow", "table"], 3)(
  "a failing value in a late row fails the command, in the format %s",
  async (format) => {
    const setup = await setUpPlays();
    mkdirSync(join(setup.workingFolder, "data", "own", "reports"), { recursive: true });
    writeFileSync(join(setup.workingFolder, "data", "own", "reports", "late.sql"), `-- Numbers.\n\n${late}`);
    for (const [words, problem] of [
      [["query", late], "The query failed: Conversion Error: Could not convert string 'x' to INT32"],
      [
        ["query", `${late}; -- end`],
        "The query failed: Conversion Error: Could not convert string 'x' to INT32",
      ],
      [["report", "late"], "own/reports/late.sql:3:20: Could not convert string 'x' to INT32"],
    ] as const) {
      const file = join(setup.workingFolder, `out.${format}`);
      const { code, stderr } = await runVenue([...words, "--format", format, "--out", file], setup);
      expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
      expect(existsSync(file)).toBe(false);
    }
  },
);
