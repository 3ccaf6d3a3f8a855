import type { z } from "zod";
import type { RequestTarget } from "../errors/api-error.ts";
import { UnexpectedResponseError } from "../errors/unexpected-response-error.ts";

/**
 * An answer as its schema has it.
 * @throws {UnexpectedResponseError} naming the first place that does not fit, never what stands there
 */
export function parseRecord<Answer>(schema: z.ZodType<Answer>, json: unknown, target: RequestTarget): Answer {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = formatPath(issue?.path ?? []);
  const isMissing = path !== "" && issue?.message.endsWith("received undefined");
  const problem = isMissing ? "is missing" : (issue?.message ?? "does not fit");
  throw new UnexpectedResponseError(target, path === "" ? problem : `${path} ${problem}`, {
    cause: result.error,
    ...(path === "" ? {} : { recordPath: path }),
  });
}

/** `[3].location.zip` */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}
