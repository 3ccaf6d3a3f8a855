import { expect, it } from "vitest";
import { recordPieces } from "../../../../src/load/history/pieces/read-new-pieces.ts";
import { countsOf, createLoadFixture, type LoadFixture, musicLine } from "../../load-fixture.ts";

/** Each line is a piece. */
const pieceSizes = { minBytes: 1, maxBytes: 2_000_000, linesPerCut: 1 };

const ledger = ({ warehouse }: LoadFixture) =>
  warehouse.all(
    "select s.digest, p.item_id from core.piece as s left join core.play as p using (piece_id) order by 2",
  );

it.each([1, 3])("plays that recur in other pieces are assigned to these (%i)", async (count) => {
  const fixture = await createLoadFixture({ pieceSizes });
  const lines = Array.from({ length: count }, (_, index) => musicLine({ song_id: index }));
  await fixture.load(lines);
  const before = await ledger(fixture);
  const spaced = lines.map((line) => `${line} `);
  expect(countsOf(await fixture.load(spaced))).toEqual({ lines: count, unchanged: count });
  const after = await ledger(fixture);
  expect(after.map(({ item_id }) => item_id)).toEqual([...Array(count).keys()]);
  for (const { digest } of before) expect(after.some((piece) => piece.digest === digest)).toBe(false);
});

it("records nothing of an aborted load", async () => {
  const fixture = await createLoadFixture({ pieceSizes });
  await fixture.load([musicLine()]);
  await fixture.load([`${musicLine()} `]);
  await fixture.warehouse.run("delete from core.piece");
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(recordPieces(fixture.warehouse, signal)).rejects.toThrow("stopped");
  expect(await ledger(fixture)).toEqual([]);
});
