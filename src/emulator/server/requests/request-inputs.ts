import type { Context } from "hono";
import { type CalendarDay, findCalendarDay } from "../../world/calendar-day.ts";
import type { Zone } from "../../world/premises/zone.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";

export type BodyFields = Readonly<Record<string, unknown>>;

/** @throws {RefusalError} 400 when it is missing or not an integer */
export function requireQueryInteger(c: Context, name: string): number {
  const value = findQueryInteger(c, name);
  if (value === undefined) throw new RefusalError(400, "missing_parameter", `${name} is required.`);
  return value;
}

/** @throws {RefusalError} 400 when it is not an integer */
export function findQueryInteger(c: Context, name: string): number | undefined {
  const text = c.req.query(name);
  return text === undefined ? undefined : parseInteger(name, text);
}

/** @throws {RefusalError} 400 when it is not an integer */
export function readPathInteger(c: Context, name: string): number {
  return parseInteger(name, c.req.param(name) ?? "");
}

/** @throws {RefusalError} 400 when the body is not a JSON object, or has fields not in `fields` */
export async function readJsonBody(c: Context<ServiceEnv>, fields: readonly string[]): Promise<BodyFields> {
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

/** Like `readJsonBody`, but for commands, whose inputs appear in the request log. */
export async function readCommandBody(
  c: Context<ServiceEnv>,
  fields: readonly string[],
): Promise<BodyFields> {
  const body = await readJsonBody(c, fields);
  c.get("record").inputs = body;
  return body;
}

/** @throws {RefusalError} 400 when there are other fields */
export function checkNames(body: object, fields: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !fields.includes(name));
  if (unknown === undefined) return;
  throw new RefusalError(
    400,
    "unknown_field",
    `Unknown field ${unknown}; valid fields: ${fields.join(", ")}.`,
  );
}

/** Rejects numeric text. @throws {RefusalError} 400 when it is missing or not an integer */
export function requireBodyInteger(body: BodyFields, name: string): number {
  const value = body[name];
  if (value === undefined) throw new RefusalError(400, "missing_parameter", `${name} is required.`);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new RefusalError(
    400,
    "invalid_parameter",
    `${name} must be an integer, not ${JSON.stringify(value)}.`,
  );
}

/** @throws {RefusalError} 400 when it is missing or not an integer */
export function requireFormInteger(form: BodyFields, name: string): number {
  return parseInteger(name, requireText(form, name));
}

/** @throws {RefusalError} 400 when it is missing, empty or not text */
export function requireText(body: BodyFields, name: string): string {
  const value = body[name];
  if (value === undefined) throw new RefusalError(400, "missing_parameter", `${name} is required.`);
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new RefusalError(400, "invalid_parameter", `${name} must be text, not ${JSON.stringify(value)}.`);
}

/**
 * Reads a period, left open by missing or empty dates.
 * @throws {RefusalError} 400 for invalid or reversed dates
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

function parseInteger(name: string, text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new RefusalError(400, "invalid_parameter", `${name} must be an integer, not ${text}.`);
}

/** @throws {RefusalError} 404 for an unknown group, 403 for one that the client may not read */
export function requireReadableGroup(
  c: Context<ServiceEnv>,
  { access, faults, world }: EmulatedService,
  groupId: number,
): number {
  if (!world.groupIds.includes(groupId)) {
    throw new RefusalError(404, "unknown_group", `Group ${groupId} does not exist.`);
  }
  const isForbidden = faults.strike("group-forbidden", c.get("target"), groupId) !== undefined;
  if (isForbidden || !access.mayRead([groupId])) {
    throw new RefusalError(403, "forbidden_group", `The client may not read group ${groupId}.`);
  }
  return groupId;
}

/** @throws {RefusalError} 404 for an unknown zone, 403 for one that is in none of the client's groups */
export function requireReadableZone(
  c: Context<ServiceEnv>,
  { access, faults, world }: EmulatedService,
  zoneId: number,
): Zone {
  const zone = world.findZone(zoneId);
  if (!zone || faults.strike("zone-gone", c.get("target"), zoneId)) {
    throw new RefusalError(404, "unknown_zone", `Zone ${zoneId} does not exist.`);
  }
  if (access.mayRead(zone.groupIds)) return zone;
  throw new RefusalError(403, "forbidden_zone", `The client may not read zone ${zoneId}.`);
}
