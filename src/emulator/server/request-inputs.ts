import type { Context } from "hono";
import { ApiError } from "./api-error.ts";

/**
 * An integer of the query string.
 * @throws {ApiError} 400 when it is missing or none
 */
export function requiredQueryInteger(c: Context, name: string): number {
  const value = findQueryInteger(c, name);
  if (value === undefined) throw new ApiError(400, "missing_parameter", `${name} is required.`);
  return value;
}

/**
 * An integer of the query string that may be left out.
 * @throws {ApiError} 400 when it is there but none
 */
export function findQueryInteger(c: Context, name: string): number | undefined {
  const text = c.req.query(name);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text)) {
    throw new ApiError(400, "invalid_parameter", `${name} must be an integer, not ${text}.`);
  }
  return Number(text);
}

/**
 * The JSON object in the body.
 * @throws {ApiError} 400 when it is none
 */
export async function jsonBody(c: Context): Promise<Record<string, unknown>> {
  const isJson = /^application\/json\b/.test(c.req.header("content-type") ?? "");
  const body: unknown = isJson ? await c.req.json().catch(() => undefined) : undefined;
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw new ApiError(400, "invalid_body", "The body must be a JSON object (Content-Type: application/json).");
}

/**
 * An integer of a JSON body; numeric text is none.
 * @throws {ApiError} 400 when it is missing or none
 */
export function requiredBodyInteger(body: Record<string, unknown>, name: string): number {
  const value = body[name];
  if (value === undefined) throw new ApiError(400, "missing_parameter", `${name} is required.`);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new ApiError(400, "invalid_parameter", `${name} must be an integer, not ${JSON.stringify(value)}.`);
}
