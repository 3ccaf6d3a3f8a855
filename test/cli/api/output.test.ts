import { expect, it } from "vitest";
import type { Inputs } from "../../../src/cli/api/flags.ts";
import { done, jsonLines, type Output, record, table } from "../../../src/cli/api/output.ts";

const options = { inputs: {} as Inputs, sentence: "Skip the song" };
const evil = "a\u001b[31mred\u0007\u009b2J\u202eback\nline";

async function written(pieces: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const piece of pieces) all += piece;
  return all;
}

/** Nothing that moves a cursor or colours, beyond line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const records = [{ id: 1, name: evil, nested: { name: evil }, list: [{ name: evil }], words: [evil] }];
const outputs: [string, Output][] = [
  ["a table", table("id name nested.name list words")],
  ["JSON Lines", jsonLines],
];

it.each(outputs)("%s shows none of the service's control characters", async (_label, output) => {
  expect(await written(output.text(records, options))).not.toMatch(controls);
  expect(await written(output.json(records, options))).not.toMatch(controls);
});

it("a record shows no control characters of the service's, not even in names of fields", async () => {
  const view = record();
  const shown = await written(view.text({ ...records[0], [evil]: evil }, options));
  expect(shown).toContain("nested.name");
  expect(shown).not.toMatch(controls);
  expect(await written(view.json({ ...records[0], [evil]: evil }, options))).not.toMatch(controls);
});

it("escaping does not change the value of JSON", async () => {
  expect(JSON.parse(await written(record().json({ [evil]: evil }, options)))).toEqual({ [evil]: evil });
});

it("a table of records as JSON is an array, also without any", async () => {
  const view = table("id");
  expect(JSON.parse(await written(view.json([{ id: 1 }, { id: 2 }], options)))).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
  expect(JSON.parse(await written(view.json([], options)))).toEqual([]);
});

it("a record for people: fields with their paths, then a table for each list", async () => {
  const shown = await written(
    record().text(
      {
        status: "active",
        volume: 40,
        now: { song: "A" },
        queue: [{ song: "B", likes: 1 }],
        recent: [],
        x: null,
      },
      options,
    ),
  );
  expect(shown).toMatchInlineSnapshot(`
    "status    active
    volume    40
    now.song  A
    recent
    x         –

    queue
    song  likes
    ────  ─────
    B         1

    1 row
    "
  `);
});

it("a command: what was done, and with JSON the service's answer", async () => {
  expect(await written(done().text(undefined, options))).toBe("Skip the song: done.\n");
  expect(await written(done().json(undefined, options))).toBe("true\n");
  expect(await written(done({}).json(undefined, options))).toBe("{}\n");
});

it("a table is written while its records come", async () => {
  const seen: string[] = [];
  const items = (async function* () {
    for (let id = 1; id <= 3; id++) {
      seen.push(`made ${id}`);
      yield { id };
    }
  })();
  for await (const piece of table("id").json(items, options)) {
    seen.push(piece.trim());
  }
  expect(seen).toEqual(["made 1", '[\n{"id":1}', "made 2", ',\n{"id":2}', "made 3", ',\n{"id":3}', "]"]);
});
