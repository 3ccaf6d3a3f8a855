import { addDays, formatWeek } from "../../../src/util/local-date.ts";
import { cityOf, groupBy, locationOf, type Subject, subjectOf, toAttributeName } from "../drawn-world.ts";
import type { DrawnQuery } from "./drawn-queries.ts";
import { dayparts, groupsOf, type variedWorld } from "./varied-world.ts";

type Fact = Record<string, string | number | boolean | null>;
type Row = Record<string, unknown>;
type Rows = ReturnType<typeof variedWorld>["rows"];

/** Answers a query in plain TypeScript. @returns rows as JSON, sorted */
export function countPlainly(file: string, query: DrawnQuery, rows: Rows): string[] {
  const { facts: all, measure } = readFacts(file, query, rows);
  const chosen = all.filter((fact) => isChosen(fact, query));
  const inGroups = query.by.includes("group") ? chosen.flatMap((fact) => withGroups(fact, query)) : chosen;
  const groups = groupBy(inGroups, (fact) => JSON.stringify(query.by.map((word) => findValue(fact, word))));
  if (query.by.length === 0 && groups.size === 0 && (query.onlyStates ?? []).length === 0)
    groups.set("[]", []);
  return [...groups]
    .filter(([, of]) => !query.onlyStates?.length || of.some(({ state }) => isIn(query.onlyStates, state)))
    .map(([key, of]) => JSON.stringify([JSON.parse(key), measure(of)]))
    .sort();
}

/** Returns the part of a compiled row that `countPlainly` counts, as JSON. */
export function pickCounted(row: Row, { by }: DrawnQuery, measures: readonly string[]): string {
  const keys = by.map((word) => row[keyColumns[word] ?? word] ?? null);
  return JSON.stringify([keys, Object.fromEntries(measures.map((name) => [name, row[name]]))]);
}

const keyColumns: Readonly<Record<string, string>> = {
  group: "group_id",
  location: "location_id",
  zone: "zone_id",
  device: "device_id",
  item: "item_key",
  artist: "artist_id",
  campaign: "campaign_key",
};

function isIn(values: readonly unknown[] | undefined, value: unknown): boolean {
  return values === undefined || values.length === 0 || values.includes(value);
}

function isChosen(fact: Fact, query: DrawnQuery): boolean {
  const { period, attributes = [] } = query;
  const zone = Number(fact.zone_id);
  return (
    String(fact.date) >= period.from &&
    String(fact.date) <= period.to &&
    isIn(query.zoneIds, zone) &&
    isIn(query.locationIds, locationOf(zone)) &&
    (!query.groupIds?.length || groupsOf(zone).some((group) => isIn(query.groupIds, group))) &&
    isIn(query.deviceIds, fact.device_id) &&
    isIn(query.kinds, fact.kind) &&
    isIn(query.campaignKeys, fact.campaign_key) &&
    attributes.every(({ name, values }) => isIn(values, findValue(fact, name)))
  );
}

function withGroups(fact: Fact, { groupIds }: DrawnQuery): Fact[] {
  const groups = groupsOf(Number(fact.zone_id)).filter((group) => isIn(groupIds, group));
  return groups.length === 0 ? [fact] : groups.map((group) => ({ ...fact, group_id: group }));
}

function findValue(fact: Fact, word: string): unknown {
  const date = String(fact.date);
  const keys: Record<Subject, unknown> = {
    zone: fact.zone_id,
    item: fact.item_key,
    campaign: fact.campaign_key,
  };
  if (subjectOf[word]) return toAttributeName(word, keys as Record<Subject, number>, date);
  switch (word) {
    case "location":
      return locationOf(Number(fact.zone_id));
    case "city":
      return cityOf(Number(fact.zone_id));
    case "week":
      return formatWeek(date);
    case "month":
      return date.slice(0, 7);
    case "quarter":
      return `2026-Q${date < "2026-10-01" ? 3 : 4}`;
    case "hour":
      return fact.play_hour;
    default:
      return fact[keyColumns[word] ?? word] ?? null;
  }
}

interface Facts {
  facts: readonly Fact[];
  measure(facts: readonly Fact[]): Row;
}

function readFacts(file: string, query: DrawnQuery, rows: Rows): Facts {
  const table = (name: keyof Rows) => (rows[name] ?? []) as readonly Fact[];
  switch (file) {
    case "plays":
      return { facts: table("fact_play"), measure: measurePlays };
    case "plays_by_daypart":
      return { facts: table("fact_play").map(inDaypart), measure: measurePlays };
    case "plays_by_campaign":
      return {
        facts: table("fact_campaign_zone_day").filter((cell) => Number(cell.candidate_plays) > 0),
        measure: (of) => ({
          plays: sum(of, "candidate_plays"),
          unscheduled_plays: sum(
            of.filter(({ state }) => state === "unscheduled"),
            "candidate_plays",
          ),
          zones: distinct(of, "zone_id"),
        }),
      };
    case "compliance":
      return { facts: table("fact_campaign_zone_day"), measure: measureCompliance };
    default: {
      const isOfDevices =
        query.by.some((word) => ["device", "platform", "model", "firmware"].includes(word)) ||
        (query.deviceIds ?? []).length > 0;
      const facts = table(isOfDevices ? "fact_device_day" : "fact_zone_uptime");
      return { facts: facts.map((fact) => withVersion(fact, rows)), measure: measureUptime };
    }
  }
}

const sum = (facts: readonly Fact[], name: string) =>
  facts.reduce((total, fact) => total + Number(fact[name] ?? 0), 0);
const distinct = (facts: readonly Fact[], name: string) => new Set(facts.map((fact) => fact[name])).size;

function measurePlays(of: readonly Fact[]): Row {
  const [songs, others] = [
    of.filter(({ kind }) => kind === "music"),
    of.filter(({ kind }) => kind !== "music"),
  ];
  const measured = others.filter((play) => play.is_complete !== null);
  return {
    plays: of.length,
    play_seconds: sum(of, "duration_secs"),
    complete_plays: measured.length === 0 ? null : measured.filter((play) => play.is_complete).length,
    measured_plays: others.length === 0 ? null : measured.length,
    short_plays: songs.length === 0 ? null : songs.filter((play) => play.is_short).length,
    zones: distinct(of, "zone_id"),
    items: distinct(of, "item_key"),
  };
}

/** A play after midnight belongs to the daypart of the day before, if that ends later. */
function inDaypart(play: Fact): Fact {
  const seconds =
    Number(String(play.played_at_local).slice(11, 13)) * 3600 +
    Number(String(play.played_at_local).slice(14, 16)) * 60;
  for (const days of [0, 1])
    for (const { daypart, from_secs, to_secs } of dayparts) {
      const after = seconds + days * 86_400;
      if (after >= from_secs && after < to_secs)
        return { ...play, daypart, date: addDays(String(play.date), -days) };
    }
  return { ...play, daypart: "(none)" };
}

function measureCompliance(of: readonly Fact[]): Row {
  const count = (...states: unknown[]) => of.filter(({ state }) => states.includes(state)).length;
  const [ran, missed] = [count("compliant"), count("missed", "missed_offline")];
  const datesOf = (...states: unknown[]) =>
    of.flatMap(({ state, date }) => (states.includes(state) ? [String(date)] : [])).sort();
  const last = datesOf("compliant").at(-1) ?? null;
  return {
    scheduled_days: of.length - count("unscheduled"),
    compliant_days: ran,
    missed_days: count("missed"),
    pending_days: count("pending"),
    compliance: ran + missed === 0 ? null : ran / (ran + missed),
    zones_reached: distinct(
      of.filter(({ state }) => state === "compliant"),
      "zone_id",
    ),
    candidate_plays: sum(of, "candidate_plays"),
    last_played_date: last,
    first_missed_date: datesOf("missed", "missed_offline").find((date) => date > (last ?? "")) ?? null,
  };
}

function withVersion(fact: Fact, rows: Rows): Fact {
  const date = String(fact.date);
  const version = ((rows.bridge_device_firmware ?? []) as readonly Fact[]).find(
    ({ device_id, valid_from, valid_to }) =>
      device_id === fact.device_id && String(valid_from) <= date && date <= String(valid_to),
  );
  const name = (column: string) => version?.[column] || "(none)";
  return { ...fact, platform: name("platform"), model: name("model"), firmware: name("firmware") };
}

function measureUptime(of: readonly Fact[]): Row {
  const [up, down] = [sum(of, "up_seconds"), sum(of, "down_seconds")];
  return {
    up_seconds: up,
    down_seconds: down,
    silent_seconds: sum(of, "silent_seconds"),
    outages: sum(of, "outages"),
    availability: up + down === 0 ? null : up / (up + down),
  };
}
