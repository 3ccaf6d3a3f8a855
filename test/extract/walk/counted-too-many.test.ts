import { describe, expect, it } from "vitest";
import { itEachSampled } from "../../support/long-suite.ts";
import { clamp, numbersOf, type Play, shuffled, slice, sorted } from "./page-lists.ts";
import { plays, servePages } from "./page-server.ts";

describe.each(["newest", "oldest", "unsorted"] as const)(
  "listed %s first, one record too many counted",
  (order) => {
    const listed = (list: readonly Play[]) =>
      order === "unsorted" ? shuffled(list, 5) : order === "newest" ? list.toReversed() : [...list];
    /** A zone whose total is too high by a number set per walk. */
    async function serveSurplus(all: Play[]) {
      const told: { surplus: number; hidden: number | undefined } = { surplus: 0, hidden: undefined };
      const zone = await servePages((request) => {
        const shown = all.filter((_one, index) => index !== told.hidden);
        return { data: slice(listed(shown), request), total: shown.length + told.surplus, pageSize: clamp };
      });
      return {
        zone,
        async walk(surplus: number, hidden?: number) {
          Object.assign(told, { surplus, hidden });
          const { why, note, pages } = await zone.walk();
          return { why, note, pages };
        },
      };
    }

    it("twice in a row is complete, with a note", async () => {
      const all = plays(110);
      const { zone, walk } = await serveSurplus(all);
      expect((await walk(1)).why).toBe("the service counts 111 records but lists 110");
      const second = await walk(1);
      expect(second.why).toBeUndefined();
      expect(second.note).toBe("the service counts 111 records but lists 110, as in the previous walk");
      expect(second.pages).toBeLessThanOrEqual(9);
      for (const from of [110, 117]) {
        all.push(...plays(7, from));
        expect((await walk(1)).why).toBeUndefined();
        expect(sorted(zone.found)).toEqual(numbersOf(all));
      }
      // The service corrected its total.
      all.push(...plays(3, 124));
      expect(await walk(0)).toMatchObject({ why: undefined, note: undefined });
      expect(sorted(zone.found)).toEqual(numbersOf(all));
    });

    it("is not accepted after a walk without it, nor with two more records", async () => {
      const { walk } = await serveSurplus(plays(110));
      expect((await walk(1)).why).toBeDefined();
      expect(await walk(0)).toMatchObject({ why: undefined, note: undefined });
      if (order !== "newest") expect((await walk(1)).why).toBeDefined();
      for (let time = 0; time < 3; time += 1)
        if (order !== "newest") expect((await walk(2)).why).toBeDefined();
    });

    itEachSampled([0, 40, 109], 1)("is explained by record %i, which is listed later", async (hidden) => {
      const all = plays(110);
      const { zone, walk } = await serveSurplus(all);
      expect((await walk(1, hidden)).why).toBe("the service counts 110 records but lists 109");
      expect((await walk(0)).why).toBeUndefined();
      expect(sorted(zone.found)).toEqual(numbersOf(all));
    });

    itEachSampled([40, 0, 109], 1)(
      "is record %i, which is listed only after it was accepted",
      async (hidden) => {
        const all = plays(110);
        const { zone, walk } = await serveSurplus(all);
        for (let time = 0; time < 4; time += 1) await walk(1, hidden);
        expect(zone.found.size).toBe(109);
        expect(await walk(0)).toMatchObject({ why: undefined, note: undefined });
        expect(sorted(zone.found)).toEqual(numbersOf(all));
      },
    );
  },
);
