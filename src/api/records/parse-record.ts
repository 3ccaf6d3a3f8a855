import type { z } from "zod";
import { type RequestTarget, UnexpectedResponseError } from "../errors.ts";
import { UnreadableBodyError } from "../transport/read-body.ts";

/** Where a record stands, and what its request may have done. */
interface RecordContext {
  /** The place of the record in the answer. @default the answer itself */
  at?: readonly PropertyKey[];
  /** The request changes something, and may have been carried out whatever its answer is. */
  mayBeCarriedOut?: boolean;
}

/**
 * An answer, or a record of it, as its schema has it.
 * @throws {UnexpectedResponseError} naming the first place that does not fit, never what stands there
 */
export function parseRecord<Answer>(
  schema: z.ZodType<Answer>,
  json: unknown,
  target: RequestTarget,
  { at = [], mayBeCarriedOut = false }: RecordContext = {},
): Answer {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = formatPath([...at, ...(issue?.path ?? [])]);
  const isMissing = path !== "" && issue?.message.endsWith("received undefined");
  const problem = isMissing
    ? "is missing"
    : (issue?.message ?? "does not fit").replace("Invalid input: ", "is off: ");
  throw new UnexpectedResponseError(target, `${path || "it"} ${problem}`, {
    cause: result.error,
    mayBeCarriedOut,
    ...(path === "" ? {} : { recordPath: path }),
  });
}

/** Told of a record that does not fit; answers an object that is to be read in its place, if there is one. */
export type OnMisfit = (record: unknown, error: UnexpectedResponseError) => unknown;

/**
 * A record of a list, or why it is left out.
 * @throws {UnexpectedResponseError} where nobody is told of records that do not fit, or what is to be read in its place
 *   does not fit either
 */
export function fitRecord<Item>(
  item: z.ZodType<Item>,
  record: unknown,
  target: RequestTarget,
  { at, onMisfit }: { at: readonly PropertyKey[]; onMisfit?: OnMisfit | undefined },
): Item | UnexpectedResponseError {
  try {
    return parseRecord(item, record, target, { at });
  } catch (error) {
    if (!onMisfit || !(error instanceof UnexpectedResponseError)) throw error;
    const instead = onMisfit(record, error);
    return typeof instead === "object" && instead ? parseRecord(item, instead, target, { at }) : error;
  }
}

/** `[3].location.zip` */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

/**
 * A body's text as JSON; what is none comes as it is where that may be. Else a page is no answer, whatever its status
 * says; anything else that is no JSON was probably cut off. The text itself is in no error: it may be a secret.
 */
export function parseJson(
  text: string,
  { isHtml, mayBeText }: { isHtml: boolean; mayBeText: boolean },
): unknown {
  if ((isHtml || /^\s*</.test(text)) && !(mayBeText && text.trim() !== "")) {
    throw new UnreadableBodyError("it is a web page instead of JSON", "page");
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    if (mayBeText && text.trim() !== "") return text.trim();
    throw new UnreadableBodyError(text.trim() === "" ? "it is empty" : "it is no whole JSON document", "cut");
  }
  if (!isTooDeep(json)) return json;
  if (mayBeText) return text.trim();
  throw new UnreadableBodyError(tooDeep, "form");
}

/** No answer comes near this many arrays and objects in each other. Writing JSON ends the program at some thousands. */
const deepest = 500;

export const tooDeep = `it is nested more than ${deepest} levels deep`;

/** Whether a JSON value is nested deeper than any answer. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1));
}
