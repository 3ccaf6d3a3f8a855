import { ReportOptionError } from "../options/option-error.ts";
import { formatWhere, parseWhere } from "../options/parse-values.ts";

/** Prefix of the form fields that filter by an attribute; the attribute's name follows. */
export const attributeField = "where-";

/** Joins the values of each attribute field into a filter. If a value has a comma, each value is a separate filter. */
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
