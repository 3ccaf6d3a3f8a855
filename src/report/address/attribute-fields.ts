import { ReportOptionError } from "../options/option-error.ts";
import { formatWhere, parseWhere } from "../options/parse-values.ts";

/** Prefix of a form field's name, which the attribute's name follows. */
export const attributeField = "where-";

/** Joins attribute fields, with one value each, into filters. A value with commas is a filter by itself. */
export function joinAttributeFields(words: ReadonlyMap<string, readonly string[]>): string[] {
  return [...words].flatMap(([field, values]) => {
    if (!field.startsWith(attributeField) || values.length === 0) return [];
    const name = field.slice(attributeField.length);
    const isList = values.every((value) => !value.includes(","));
    return (isList ? [values.join(",")] : values).map((value) => `${name}=${value}`);
  });
}

/** Returns `undefined` if the attribute filters are malformed. */
export function maybeParseTypedFilters(parameters: URLSearchParams): string | undefined {
  const fields = joinAttributeFields(
    new Map(
      [...parameters.keys()].map((name) => [name, parameters.getAll(name).filter((value) => value !== "")]),
    ),
  );
  try {
    return formatWhere(parseWhere([...parameters.getAll("where"), ...fields]));
  } catch (error) {
    if (error instanceof ReportOptionError) return undefined;
    throw error;
  }
}
