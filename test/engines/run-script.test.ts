import { expect, it } from "vitest";
import { listStatements } from "../../src/engines/statements.ts";

it("parts statements at semicolons that end one", () => {
  const script = `-- First; of two: it isn't long.
    select 'a; b''; c' as "d;e" -- not here; nor here
    from x;

    select 1 - 2 as f;
    -- Nothing; more.
  `;
  expect(listStatements(script)).toEqual([`select 'a; b''; c' as "d;e" \n    from x`, "select 1 - 2 as f"]);
});
