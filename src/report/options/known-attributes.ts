import { type AttributeEntity, attributeSubjects } from "../../mart/attribute.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { normalizeName } from "./named-entities.ts";

/** Value shown for rows without one, and accepted by `--where`. */
export const noValue = "(none)";

export interface PublishedAttribute {
  subject: AttributeEntity;
  name: string;
}

/** Lists the published attributes of these entities, in their order, by name. */
export async function listAttributes(
  mart: PublishedMart,
  subjects: readonly AttributeEntity[],
): Promise<PublishedAttribute[]> {
  const found = await readBridges<PublishedAttribute>(mart, subjects, "attribute_name as name");
  return found.sort(bySubject(subjects));
}

export async function listValues(
  mart: PublishedMart,
  { subject, name }: PublishedAttribute,
): Promise<string[]> {
  const rows = await mart.all<{ value: string }>(
    `select distinct attribute_value as value from bridge_${subject}_attribute where attribute_name = ? order by 1`,
    [name],
  );
  return rows.map(({ value }) => value);
}

export interface KnownAttribute extends PublishedAttribute {
  /** In order, `(none)` last; at most `mostValues`. */
  values: readonly string[];
}

/** Maximum values suggested for an attribute; others can be typed. */
const mostValues = 500;

/** Lists all published attributes by name, with their values, in one statement. */
export async function listKnownAttributes(mart: PublishedMart): Promise<KnownAttribute[]> {
  const rows = await readBridges<PublishedAttribute & { value: string }>(
    mart,
    attributeSubjects,
    "attribute_name as name, attribute_value as value",
    (pairs) => `select subject, name, value
    from (
      select v.*, row_number() over (partition by subject, name order by value) as place
      from (${pairs}) as v
    ) as ranked
    where place < ${mostValues}`,
  );
  const found = new Map<string, PublishedAttribute & { values: string[] }>();
  for (const { subject, name, value } of rows) {
    const attribute = found.get(`${subject} ${name}`) ?? { subject, name, values: [] };
    attribute.values.push(value);
    found.set(`${subject} ${name}`, attribute);
  }
  return [...found.values()]
    .map((attribute) => ({ ...attribute, values: [...attribute.values.sort(inOrder), noValue] }))
    .sort(bySubject(attributeSubjects));
}

/** Returns the attributes of these entities, by name. If several share a name, the first is used. */
export function selectAttributes(
  subjects: readonly AttributeEntity[],
  known: readonly KnownAttribute[],
): KnownAttribute[] {
  const all = subjects.flatMap((subject) => known.filter((one) => one.subject === subject));
  const first = new Map(all.toReversed().map((attribute) => [attribute.name, attribute]));
  return [...first.values()].sort((a, b) => inOrder(a.name, b.name));
}

/** Matches values ignoring case and spaces. A text with commas is a list, unless the whole text is a value. */
export function matchValues(text: string, known: readonly string[]): { word: string; found: string[] }[] {
  if (known.includes(text)) return [{ word: text, found: [text] }];
  const find = (word: string) => known.filter((value) => normalizeName(value) === normalizeName(word));
  const whole = find(text);
  if (whole.length > 0) return [{ word: text, found: whole }];
  return text.split(",").map((word) => ({ word, found: find(word) }));
}

/** Orders attributes by entity, then by name. */
function bySubject(
  subjects: readonly AttributeEntity[],
): (a: PublishedAttribute, b: PublishedAttribute) => number {
  const rank = ({ subject }: PublishedAttribute) => subjects.indexOf(subject);
  return (a, b) => rank(a) - rank(b) || inOrder(a.name, b.name);
}

let collator: Intl.Collator | undefined;

/** Orders texts so that numbers in them are compared as numbers. */
function inOrder(a: string, b: string): number {
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b);
}

/** Returns distinct values of the entities' bridge tables, which versions built by older releases lack. */
async function readBridges<Row extends PublishedAttribute>(
  mart: PublishedMart,
  subjects: readonly AttributeEntity[],
  columns: string,
  selectFrom: (rows: string) => string = (rows) => rows,
): Promise<Row[]> {
  const selects = attributeSubjects
    .filter((subject) => subjects.includes(subject) && mart.tables.includes(`bridge_${subject}_attribute`))
    .map((subject) => `select distinct '${subject}' as subject, ${columns} from bridge_${subject}_attribute`);
  if (selects.length === 0) return [];
  return await mart.all<Row & Record<string, string>>(selectFrom(selects.join(" union all ")));
}
