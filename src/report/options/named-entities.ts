import type { PublishedMart } from "../published/published-mart.ts";
import { type Subject, subjects } from "./request-options.ts";

export interface NamedSubject {
  /** Value that filters compare: a campaign's key, otherwise the id. */
  key: number;
  /** Id in the service. Signage and messaging share campaign ids. */
  id: number;
  name: string;
  /** Distinguishes equal names and ids, e.g. `signage`, or a zone's location. */
  detail: string | null;
}

const selects: Readonly<Record<Subject, string>> = {
  group:
    "select group_id as key, group_id as id, group_name as name, cast(null as varchar) as detail from dim_group",
  zone: `select z.zone_id as key, z.zone_id as id, z.zone_name as name, l.location_name as detail
    from dim_zone as z left join dim_location as l on l.location_id = z.location_id`,
  location:
    "select location_id as key, location_id as id, location_name as name, city as detail from dim_location",
  campaign:
    "select campaign_key as key, campaign_id as id, campaign_name as name, kind as detail from dim_campaign",
};

/** Lists all published entities of one type, sorted by id. */
export async function listNamedEntities(mart: PublishedMart, subject: Subject): Promise<NamedSubject[]> {
  return sortById(await mart.all<NamedSubject>(selects[subject]));
}

/** Lists entities that share a name. Uses a single statement, because each one takes time on a cluster. */
export async function listNamesakes(mart: PublishedMart): Promise<Record<Subject, NamedSubject[]>> {
  const all = subjects.map(
    (subject) => `select '${subject}' as subject, s.* from (${selects[subject]}) as s`,
  );
  const found = await mart.all<NamedSubject & { subject: Subject }>(
    `with known as (${all.join(" union all ")}),
    namesake as (select subject, name from known group by subject, name having count(*) > 1)
    select k.subject, k.key, k.id, k.name, k.detail
    from known as k
    inner join namesake as n on n.subject = k.subject and n.name = k.name`,
  );
  const of = (subject: Subject) => sortById(found.filter((one) => one.subject === subject));
  return { group: of("group"), zone: of("zone"), location: of("location"), campaign: of("campaign") };
}

function sortById(found: readonly NamedSubject[]): NamedSubject[] {
  return found
    .map(({ key, id, name, detail }) => ({ key: Number(key), id: Number(id), name: name ?? "", detail }))
    .sort((a, b) => a.id - b.id || a.key - b.key);
}

/** E.g. `Fulton Bar (81003)`. */
export function formatNameWithId({ id, name }: NamedSubject): string {
  return `${name} (${id})`;
}

/** E.g. `81003 (Fulton Bar)`, `signage 13 (Late Night)`. */
export function formatLabel(subject: Subject, { id, name, detail }: NamedSubject): string {
  return `${subject === "campaign" ? `${detail} ` : ""}${id} (${name})`;
}

/** Normalizes a name, so that comparisons ignore case, spaces and the encoding of accents. */
export function normalizeName(name: string): string {
  return name.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
