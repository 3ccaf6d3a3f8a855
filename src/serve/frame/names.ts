import { findPlayedNames } from "../../report/findings/names.ts";
import { type KnownAttribute, listKnownAttributes } from "../../report/options/known-attributes.ts";
import {
  formatNameWithId,
  listNamedEntities,
  type NamedSubject,
  normalizeName,
} from "../../report/options/named-entities.ts";
import { type ReportRequest, type Subject, subjects } from "../../report/options/request-options.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import type { VersionLease } from "../versions/version-pool.ts";

/** One value that a report can be filtered by. */
interface Choice extends NamedSubject {
  /**
   * Text that identifies only this entity: its name, its name and id if others have that name, or its id.
   */
  text: string;
}

export interface Names {
  choices: Readonly<Record<Subject, readonly Choice[]>>;
  attributes: readonly KnownAttribute[];
  /** Formats a filter for people, e.g. `Fulton Bar`. */
  formatFilter(word: string, value: string, kind?: string): string;
  /** Returns the text that a user would type for the ids in an address. Other values are returned unchanged. */
  formatField(subject: Subject, value: string, kind?: string): string;
}

const known = new WeakMap<VersionLease["opened"], Promise<Names>>();

/** Returns the names in a version, queried once per version. */
export async function readNames({ mart, opened }: VersionLease): Promise<Names> {
  const names = known.get(opened) ?? readSubjectNames(mart);
  known.set(opened, names);
  names.catch(() => known.delete(opened));
  return await names;
}

async function readSubjectNames(mart: PublishedMart): Promise<Names> {
  const lists = await Promise.all(
    subjects.map(
      async (subject) => [subject, createChoices(await listNamedEntities(mart, subject))] as const,
    ),
  );
  const choices = Object.fromEntries(lists) as Record<Subject, Choice[]>;
  /** Finds entities by id. There may be two campaigns, because signage and messaging use the same ids. */
  const find = (subject: Subject, id: string, kind?: string) =>
    choices[subject].filter(
      (one) => String(one.id) === id && (subject !== "campaign" || !kind || one.detail === kind),
    );
  return {
    choices,
    attributes: await listKnownAttributes(mart),
    formatFilter(word, value, kind) {
      const subject = subjects.find((one) => one === word);
      if (!subject) return word === "kind" ? value : `${word} ${value}`;
      const named = value.split(",").map((part) => {
        const [found] = find(subject, part, kind);
        return found?.name ?? (/^\d+$/.test(part) ? `${word} ${part}` : part);
      });
      const [first = value, ...others] = named;
      return others.length > 0 ? `${first} and ${others.length} more` : first;
    },
    formatField(subject, value, kind) {
      const parts = value.split(",");
      const texts = parts.map((part) => {
        const [found, another] = find(subject, part, kind);
        const isOne = found !== undefined && another === undefined;
        // A name that contains a comma can only stand alone, because commas separate values.
        return isOne && (parts.length === 1 || !found.text.includes(",")) ? found.text : part;
      });
      return texts.join(", ");
    },
  };
}

/** Returns the entities with their texts, sorted by name. */
function createChoices(found: readonly NamedSubject[]): Choice[] {
  const listTexts = (one: NamedSubject) => [one.name, formatNameWithId(one), String(one.id)];
  const countByText = new Map<string, number>();
  for (const text of found.flatMap(listTexts).map(normalizeName))
    countByText.set(text, (countByText.get(text) ?? 0) + 1);
  return found
    .map((one) => {
      const text = listTexts(one).find(
        (some) => some.trim() !== "" && countByText.get(normalizeName(some)) === 1,
      );
      return { ...one, text: text ?? String(one.id) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/**
 * Adds the names of the item and artist in a report's filters. There are too many items and artists to load
 * all names.
 */
export async function withPlayedNames(
  names: Names,
  mart: PublishedMart,
  options: Pick<ReportRequest, "itemIds" | "artistIds" | "kinds">,
): Promise<Names> {
  const played = await findPlayedNames(mart, options);
  return {
    ...names,
    formatFilter: (word, value, kind) =>
      (word === "item" || word === "artist" ? played[word] : undefined) ??
      names.formatFilter(word, value, kind),
  };
}
