import type { Context } from "hono";
import { type CalendarDay, findCalendarDay } from "../../world/calendar-day.ts";
import type { Zone } from "../../world/premises/zone.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Fields of a request's body, by name. */
export type BodyFields = Readonly<Record<string, unknown>>;

/**
 * Returns an integer of the query string.
 * @throws {RefusalError} 400 when it is missing or not an integer
 */
export function requiredQueryInteger(c: Context, name: string): number {
  const value = findQueryInteger(c, name);
  if (value === undefined) throw new RefusalError(400, "missing_parameter", `${name} is required.`);
  return value;
}

/**
 * Returns an optional integer of the query string.
 * @throws {RefusalError} 400 when it is not an integer
 */
export function findQueryInteger(c: Context, name: string): number | undefined {
  const text = c.req.query(name);
  return text === undefined ? undefined : integerOf(name, text);
}

/**
 * Returns an integer in the path.
 * @throws {RefusalError} 400 when it is not an integer
 */
export function pathInteger(c: Context, name: string): number {
  return integerOf(name, c.req.param(name) ?? "");
}

/**
 * Returns the JSON object in the body.
 * @param fields accepted names
 * @throws {RefusalError} 400 when the body is not an object, or has other fields
 */
export async function jsonBody(c: Context<ServiceEnv>, fields: readonly string[]): Promise<BodyFields> {
  const isJson = /^application\/json\b/.test(c.req.header("content-type") ?? "");
  const body: unknown = isJson ? await c.req.json().catch(() => undefined) : undefined;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new RefusalError(
      400,
      "invalid_body",
      "The body must be a JSON object (Content-Type: application/json).",
    );
  }
  checkNames(body, fields);
  return { ...body };
}

/** Like `jsonBody`, for a command, whose inputs the request log shows. */
export async function commandBody(c: Context<ServiceEnv>, fields: readonly string[]): Promise<BodyFields> {
  const body = await jsonBody(c, fields);
  c.get("record").inputs = body;
  return body;
}

/** @throws {RefusalError} 400 when there are other fields */
export function checkNames(body: object, fields: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !fields.includes(name));
  if (unknown === undefined) return;
  throw new RefusalError(400, "unknown_field", `There is no field ${unknown}, only ${fields.join(", ")}.`);
}

/**
 * Returns an integer of a JSON body; numeric text is not accepted.
 * @throws {RefusalError} 400 when it is missing or not an integer
 */
export function requiredBodyInteger(body: BodyFields, name: string): number {
  const value = body[name];
  if (value === undefined) throw new RefusalError(400, "missing_parameter", `${name} is required.`);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new RefusalError(
    400,
    "invalid_parameter",
    `${name} must be an integer, not ${JSON.stringify(value)}.`,
  );
}

/**
 * Returns an integer of a form, whose values are all text.
 * @throws {RefusalError} 400 when it is missing or not an integer
 */
export function requiredFormInteger(form: BodyFields, name: string): number {
  return integerOf(name, requiredText(form, name));
}

/** @throws {RefusalError} 400 when it is missing, empty or not text */
export function requiredText(body: BodyFields, name: string): string {
  const value = body[name];
  if (value === undefined) throw new RefusalError(400, "missing_parameter", `${name} is required.`);
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new RefusalError(400, "invalid_parameter", `${name} must be text, not ${JSON.stringify(value)}.`);
}

/**
 * Returns the first and last day, each open if missing or empty.
 * @throws {RefusalError} 400 for an invalid date, and for an end before the start
 */
export function findDates(body: BodyFields): {
  startDay: CalendarDay | undefined;
  endDay: CalendarDay | undefined;
} {
  const [startDay, endDay] = [findDay(body, "start_date"), findDay(body, "end_date")];
  if (startDay !== undefined && endDay !== undefined && endDay < startDay) {
    throw new RefusalError(400, "invalid_parameter", "end_date must not be before start_date.");
  }
  return { startDay, endDay };
}

function findDay(body: BodyFields, name: string): CalendarDay | undefined {
  const value = body[name];
  if (value === undefined || value === "") return undefined;
  const day = typeof value === "string" ? findCalendarDay(value) : undefined;
  if (day !== undefined) return day;
  throw new RefusalError(
    400,
    "invalid_parameter",
    `${name} must be a date, YYYY-MM-DD, not ${JSON.stringify(value)}.`,
  );
}

function integerOf(name: string, text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new RefusalError(400, "invalid_parameter", `${name} must be an integer, not ${text}.`);
}

/**
 * Returns the group if the client may read it.
 * @throws {RefusalError} 404 for an unknown group, 403 for one that is not the client's
 */
export function readableGroup(
  c: Context<ServiceEnv>,
  { access, faults, world }: EmulatedService,
  groupId: number,
): number {
  if (!world.groupIds.includes(groupId)) {
    throw new RefusalError(404, "unknown_group", `There is no group ${groupId}.`);
  }
  const isForbidden = faults.strike("group-forbidden", c.get("target"), groupId) !== undefined;
  if (isForbidden || !access.mayRead([groupId])) {
    throw new RefusalError(403, "forbidden_group", `The client may not read group ${groupId}.`);
  }
  return groupId;
}

/**
 * Returns the zone if it is in one of the client's groups.
 * @throws {RefusalError} 404 for an unknown zone, 403 for one in none of them
 */
export function readableZone(
  c: Context<ServiceEnv>,
  { access, faults, world }: EmulatedService,
  zoneId: number,
): Zone {
  const zone = world.findZone(zoneId);
  if (!zone || faults.strike("zone-gone", c.get("target"), zoneId)) {
    throw new RefusalError(404, "unknown_zone", `There is no zone ${zoneId}.`);
  }
  if (access.mayRead(zone.groupIds)) return zone;
  throw new RefusalError(403, "forbidden_zone", `The client may not read zone ${zoneId}.`);
}
