import type { PublishedMart } from "../../report/published/published-mart.ts";

/** One thing that a view can be narrowed to. */
interface Choice {
  id: number;
  name: string;
  /** Of campaigns. */
  kind?: string;
}

/** What a version has of each, by name. */
export interface Names {
  choices: Readonly<Record<"group" | "location" | "zone" | "campaign", readonly Choice[]>>;
  /** A filter as people read it, e.g. `Fulton Bar`. */
  textOf(word: string, value: string, kind?: string): string;
}

const selects = {
  group: "select group_id as id, group_name as name from dim_group order by group_name, group_id",
  location:
    "select location_id as id, location_name as name from dim_location order by location_name, location_id",
  zone: "select zone_id as id, zone_name as name from dim_zone order by zone_name, zone_id",
  campaign:
    "select campaign_id as id, campaign_name as name, kind from dim_campaign order by campaign_name, campaign_id, kind",
} as const;

const known = new Map<string, Promise<Names>>();

/** Of the version that is read; each version is asked once. */
export async function readNames(mart: PublishedMart): Promise<Names> {
  const names = known.get(mart.version) ?? askNames(mart);
  known.delete(mart.version);
  known.set(mart.version, names);
  names.catch(() => known.delete(mart.version));
  const [oldest] = known.keys();
  if (known.size > 3 && oldest !== undefined) known.delete(oldest);
  return await names;
}

async function askNames(mart: PublishedMart): Promise<Names> {
  const choices: Names["choices"] = {
    group: await mart.all<Choice>(selects.group),
    location: await mart.all<Choice>(selects.location),
    zone: await mart.all<Choice>(selects.zone),
    campaign: await mart.all<Choice>(selects.campaign),
  };
  return {
    choices,
    textOf(word, value, kind) {
      const list = choices[word as keyof typeof choices] as readonly Choice[] | undefined;
      if (!list) return word === "kind" ? value : `${word} ${value}`;
      const named = value.split(",").map((id) => {
        const found = list.find(
          (choice) => String(choice.id) === id && (!kind || !choice.kind || kind === choice.kind),
        );
        return found?.name ?? `${word} ${id}`;
      });
      const [first = value, ...others] = named;
      return others.length > 0 ? `${first} and ${others.length} more` : first;
    },
  };
}
