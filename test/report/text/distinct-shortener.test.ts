import { expect, it } from "vitest";
import { displayWidth } from "../../../src/report/text/display-width.ts";
import { createDistinctShortener } from "../../../src/report/text/distinct-shortener.ts";
import { share } from "../../support/long-suite.ts";
import { randomNumbers } from "../../support/random-numbers.ts";

function shortenAll(texts: readonly string[], width: number): string[] {
  const shorten = createDistinctShortener(width, texts);
  return texts.map(shorten);
}

it.each<[string, number, string[], string[]]>([
  [
    "that differ early: at the end",
    12,
    ["Amsterdam Central", "Bruges Market"],
    ["Amsterdam C…", "Bruges Mark…"],
  ],
  [
    "that differ at the end: in the middle",
    16,
    ["Shopping Centre Antwerp", "Shopping Centre Bruges", "Airport"],
    ["Shopping…Antwerp", "Shopping… Bruges", "Airport"],
  ],
  [
    "that differ in the middle: at the difference",
    20,
    [
      "Shopping Centre of the City of Antwerp, ground floor",
      "Shopping Centre of the City of Bruges, ground floor",
    ],
    ["Shoppi…f Antwerp, g…", "Shoppi…f Bruges, gr…"],
  ],
  [
    "with three that differ in the middle: around the difference",
    12,
    ["Shopping Centre 1 of two A B", "Shopping Centre 2 of two A B", "Shopping Centre 3 of two A B"],
    ["Sho…e 1 of …", "Sho…e 2 of …", "Sho…e 3 of …"],
  ],
])("shortens strings %s", (_label, width, texts, labels) => {
  expect(shortenAll(texts, width)).toEqual(labels);
});

it("numbers texts that no part of that width distinguishes", () => {
  const texts = [..."abcdefgh"].map((letter, index) => {
    const letters = [..."xxxxxxxxxxxx"];
    letters[5 + (index % 2)] = letter;
    return `${letters.join("long ")}end`;
  });
  const labels = shortenAll(texts, 6);
  expect(new Set(labels).size).toBe(8);
  expect(labels.filter((label) => / \(\d\)$/.test(label))).not.toEqual([]);
});

it("keeps different texts distinct at any width, known in advance or not", () => {
  const random = randomNumbers(11);
  const words = ["Shopping", "Centre", "東京", "Café", "👩‍👩‍👧", "North", "…", "1", "2", "Store"];
  for (let round = 0; round < share(15, 60, 60); round += 1) {
    const width = 8 + random(30);
    const texts = Array.from({ length: 200 }, () =>
      Array.from({ length: 1 + random(9) }, () => words[random(words.length)]).join(" "),
    );
    const shorten = createDistinctShortener(width, texts.slice(0, 1 + random(200)));
    const labels = new Map(texts.map((text) => [text, shorten(text)]));
    expect(new Set(labels.values()).size).toBe(labels.size);
    expect([...labels.values()].filter((label) => displayWidth(label) > width)).toEqual([]);
    // A second call returns the same.
    for (const [text, label] of labels) expect(shorten(text)).toBe(label);
  }
});
