import { expect, it } from "vitest";
import type { NamedSubject } from "../../../src/report/options/named-entities.ts";
import { resolveEntities } from "../../../src/report/options/resolve-entities.ts";

const zone = (id: number, name: string, detail: string | null = null): NamedSubject => ({
  key: id,
  id,
  name,
  detail,
});
const zones = [
  zone(81001, "Harbor Market"),
  zone(81003, "Fulton Bar"),
  zone(81004, "Bar", "Fulton Street"),
  zone(81005, "Bar", "Pier 7"),
  zone(81006, "Bar, upstairs"),
  zone(81007, "2026"),
  zone(81008, "Café"),
];
const campaigns: NamedSubject[] = [
  { key: 29, id: 7, name: "Rent Day", detail: "signage" },
  { key: 30, id: 7, name: "Late Night", detail: "messaging" },
  { key: 53, id: 13, name: "Late Night", detail: "signage" },
];

it.each([
  ["an id", ["81003"], [81003]],
  ["ids with commas, each once", ["81001, 81003", "81003"], [81001, 81003]],
  ["a name", ["Fulton Bar"], [81003]],
  ["a name in another case, with other blanks", [" fulton  BAR"], [81003]],
  ["an accent in another notation", ["Cafe\u0301"], [81008]],
  ["a name with a comma", ["Bar, upstairs"], [81006]],
  ["names and ids with commas", ["Fulton Bar,81001"], [81003, 81001]],
  ["a name that looks like an id", ["2026"], [81007]],
  ["a name with its id, if others have the same name", ["Bar (81005)"], [81005]],
])("finds zones by %s", (_label, words, ids) => {
  expect(resolveEntities("zone", words, zones).map(({ id }) => id)).toEqual(ids);
});

it.each([
  ["berlin", [4107, 4109]],
  ["Halle, Saale", [4108]],
  ["Mitte", [4109]],
  ["Potsdam", [4110]],
])("finds the locations of a city if no location has that name: %s", (word, ids) => {
  const locations = [
    zone(4107, "Kantstraße", "Berlin"),
    zone(4108, "Markt", "Halle, Saale"),
    zone(4109, "Mitte", "Berlin"),
    zone(4110, "Potsdam", "Berlin-Brandenburg"),
    zone(4111, "Outside", "Potsdam"),
    zone(4112, "Nowhere"),
  ];
  expect(resolveEntities("location", [word], locations).map(({ id }) => id)).toEqual(ids);
  expect(() => resolveEntities("location", [""], locations)).toThrow("No location");
  expect(() => resolveEntities("location", ["Berlinn"], locations)).toThrow("Did you mean Berlin?");
  expect(() => resolveEntities("location", ["Mitten"], locations)).toThrow("Did you mean 4109 (Mitte)?");
  expect(() => resolveEntities("zone", ["berlin"], locations)).toThrow("No zone");
});

it("finds campaigns of all kinds by id", () => {
  expect(resolveEntities("campaign", ["7"], campaigns).map(({ key }) => key)).toEqual([29, 30]);
});

it.each([
  ["81093", "There is no zone 81093. Did you mean 81003 (Fulton Bar)?"],
  ["5", "There is no zone 5. See `venue report plays --by zone`."],
  ["202", "There is no zone 202. See `venue report plays --by zone`."],
  ["99999999999999999999", "There is no zone 99999999999999999999. See `venue report plays --by zone`."],
  ["Fulton Baar", 'No zone is called "Fulton Baar". Did you mean 81003 (Fulton Bar)?'],
  ["Fultn", 'No zone is called "Fultn". Did you mean 81003 (Fulton Bar)?'],
  ["fulton", 'No zone is called "fulton". Did you mean 81003 (Fulton Bar)?'],
  ["-1", 'No zone is called "-1". See `venue report plays --by zone`.'],
  ["81093,81094,x,y,z", "There is no zone 81093, 81094, x or 2 more. See `venue report plays --by zone`."],
  ["bar", '2 zones are called "bar": 81004 (Bar, Fulton Street), 81005 (Bar, Pier 7). Choose one by its id.'],
])("does not find the zone %s", (word, message) => {
  const find = () => resolveEntities("zone", [word], zones);
  expect(find).toThrow(expect.objectContaining({ option: "--zone", message }));
});

it.each([
  ["30", "There is no campaign 30. Did you mean messaging 7 (Late Night)?"],
  [
    "late night",
    '2 campaigns are called "late night": messaging 7 (Late Night), signage 13 (Late Night). Choose one by its id and --kind.',
  ],
])("does not find the campaign %s", (word, message) => {
  expect(() => resolveEntities("campaign", [word], campaigns)).toThrow(message);
});
