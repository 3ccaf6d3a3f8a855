import { expect, it } from "vitest";
import { wholePageAt } from "../../../src/extract/walk/walk-pager.ts";

it.each<[number, number, number, number]>([
  [0, 100, 0, 100],
  [100, 100, 100, 100],
  [99, 100, 99, 99],
  [198, 100, 198, 99],
  [110, 100, 100, 100],
  [51, 100, 51, 51],
  [1, 100, 0, 100],
  [24, 25, 24, 24],
  [7, 1, 7, 1],
])(
  "from record %d on, of pages of %d, most is shown from offset %d with a limit of %d",
  (from, most, offset, limit) => {
    expect(wholePageAt(from, most)).toEqual({ offset, limit });
  },
);

it("shows a record whether the service takes its offset as it is, or turns it into the number of a page", () => {
  for (const most of [2, 10, 25, 100, 1000])
    for (let from = 0; from < 3000; from += 7) {
      const { offset, limit } = wholePageAt(from, most);
      expect(offset % limit).toBe(0);
      expect(offset).toBeLessThanOrEqual(from);
      expect(offset + limit).toBeGreaterThan(from);
      expect(limit).toBeLessThanOrEqual(most);
      expect(limit).toBeGreaterThan(most / 2 - 1);
    }
});
