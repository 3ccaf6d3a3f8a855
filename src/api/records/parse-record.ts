import type { z } from "zod";
import { type RequestTarget, UnexpectedResponseError } from "../errors.ts";
import { UnreadableBodyError } from "../transport/read-body.ts";

/** Position of a record, and the possible effect of its request. */
interface RecordContext {
  /** Path of the record in the response. @default the response itself */
  at?: readonly PropertyKey[];
  /** True if the request changes something, so that it may have been executed even if its response is invalid. */
  outcomeUnknown?: boolean;
}

/**
 * Parses a response, or one of its records, with a schema.
 * @throws {UnexpectedResponseError} with the path of the first mismatch, never its value
 */
export function parseRecord<Answer>(
  schema: z.ZodType<Answer>,
  json: unknown,
  target: RequestTarget,
  { at = [], outcomeUnknown = false }: RecordContext = {},
): Answer {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = formatPath([...at, ...(issue?.path ?? [])]);
  const isMissing = path !== "" && issue?.message.endsWith("received undefined");
  const problem = isMissing
    ? "is missing"
    : (issue?.message ?? "does not fit").replace("Invalid input: ", "is invalid: ");
  throw new UnexpectedResponseError(target, `${path || "it"} ${problem}`, {
    cause: result.error,
    outcomeUnknown,
    ...(path === "" ? {} : { recordPath: path }),
  });
}

/** Called for a record that does not match the schema; may return an object to use instead. */
export type OnInvalidRecord = (record: unknown, error: UnexpectedResponseError) => unknown;

/**
 * Parses a record of a list. If the record must be omitted, returns the error with the reason.
 * @throws {UnexpectedResponseError} without `onInvalidRecord`, or if the replacement does not match
 */
export function parseListedRecord<Item>(
  item: z.ZodType<Item>,
  record: unknown,
  target: RequestTarget,
  { at, onInvalidRecord }: { at: readonly PropertyKey[]; onInvalidRecord?: OnInvalidRecord | undefined },
): Item | UnexpectedResponseError {
  try {
    return parseRecord(item, record, target, { at });
  } catch (error) {
    if (!onInvalidRecord || !(error instanceof UnexpectedResponseError)) throw error;
    const instead = onInvalidRecord(record, error);
    return typeof instead === "object" && instead ? parseRecord(item, instead, target, { at }) : error;
  }
}

/** Formats a path, e.g. `[3].location.zip`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

/**
 * Parses a body's text as JSON. With `mayBeText`, other text is returned unparsed. Otherwise, an HTML page is
 * an error regardless of its status, and other text is treated as truncated JSON. Errors do not contain the
 * text, because it may be secret.
 */
export function parseJson(
  text: string,
  { isHtml, mayBeText }: { isHtml: boolean; mayBeText: boolean },
): unknown {
  if ((isHtml || /^\s*</.test(text)) && !(mayBeText && text.trim() !== "")) {
    throw new UnreadableBodyError("it is a web page instead of JSON", "page");
  }
  try {
    return JSON.parse(text);
  } catch {
    if (mayBeText && text.trim() !== "") return text.trim();
    throw new UnreadableBodyError(
      text.trim() === "" ? "it is empty" : "it is not a complete JSON document",
      "cut",
    );
  }
}
