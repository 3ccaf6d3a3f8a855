import type { Context, Hono } from "hono";
import { z } from "zod";
import { RefusalError } from "./refusal-error.ts";
import type { Service, ServiceEnv } from "./service.ts";

/**
 * Adds an endpoint.
 * @param path may contain inputs, such as `:zone_id`
 * @param shape inputs of the path, and of the query (GET), the form (if one is a file) or the JSON body
 * @param answer returns a value that is sent as JSON, or JSON as text or as a stream
 * @param cache `Cache-Control` of the response. @default for GET requests, the lifetime of a listing
 */
export type AddRoute = <Shape extends z.ZodRawShape>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  shape: Shape,
  answer: (inputs: z.output<z.ZodObject<Shape>>, c: Context<ServiceEnv>) => unknown,
  cache?: "no-store",
) => void;

/** @param scope who may cache listings */
export function routesOf(app: Hono<ServiceEnv>, service: Service, scope: "private" | "public"): AddRoute {
  const maxAge = `${scope}, max-age=${service.settings.listingMaxAgeSeconds}`;
  return (method, path, shape, answer, cache) => {
    const schema = method === "GET" ? z.object(shape) : z.strictObject(shape);
    const hasBody = method !== "GET" && Object.keys(shape).some((name) => !path.includes(`:${name}`));
    app.on(method, path, async (c) => {
      const sent = method === "GET" ? c.req.query() : hasBody ? await readBody(c, "file" in shape) : {};
      const { data, error } = schema.safeParse({ ...sent, ...c.req.param() });
      const [issue] = error?.issues ?? [];
      if (!data) {
        throw new RefusalError(400, "invalid_parameter", `${issue?.path.join(".")}: ${issue?.message}.`);
      }
      requireReadable(c, service, data);
      const response = await answer(data, c);
      const isJson = typeof response === "string" || response instanceof ReadableStream;
      return c.body(isJson ? response : JSON.stringify(response), 200, {
        "Content-Type": "application/json",
        "Cache-Control": cache ?? (method === "GET" ? maxAge : "no-store"),
      });
    });
  };
}

async function readBody(c: Context<ServiceEnv>, isForm: boolean): Promise<object> {
  const type = isForm ? "multipart/form-data" : "application/json";
  const isType = c.req.header("content-type")?.startsWith(type) ?? false;
  const read = () => (isForm ? c.req.parseBody() : c.req.json());
  const body: unknown = isType ? await read().catch(() => undefined) : undefined;
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new RefusalError(400, "invalid_body", `The body must be an object (Content-Type: ${type}).`);
}

/** @throws {RefusalError} 404 for an unknown group or zone, 403 for one that the client may not read */
function requireReadable(
  c: Context<ServiceEnv>,
  { access, faults, world }: Service,
  { group_id: groupId, zone_id: zoneId }: { group_id?: unknown; zone_id?: unknown },
): void {
  if (typeof groupId === "number") {
    if (!world.groupIds.includes(groupId)) {
      throw new RefusalError(404, "unknown_group", `Group ${groupId} does not exist.`);
    }
    const isForbidden = faults.strike("group-forbidden", c.get("endpoint"), groupId) !== undefined;
    if (isForbidden || !access.mayRead([groupId])) {
      throw new RefusalError(403, "forbidden_group", `The client may not read group ${groupId}.`);
    }
  }
  if (typeof zoneId === "number") {
    const zone = world.findZone(zoneId);
    if (!zone || faults.strike("zone-gone", c.get("endpoint"), zoneId)) {
      throw new RefusalError(404, "unknown_zone", `Zone ${zoneId} does not exist.`);
    }
    if (!access.mayRead(zone.groupIds)) {
      throw new RefusalError(403, "forbidden_zone", `The client may not read zone ${zoneId}.`);
    }
  }
}

/** An integer in a JSON body. Text is rejected. */
export const integer = z.int();

/** An integer in a path, a query or a form. */
export const integerText = z
  .string()
  .regex(/^-?\d{1,15}$/, "must be an integer")
  .transform(Number);

/** Inputs of paginated endpoints. */
export const pageInputs = {
  limit: integerText.pipe(z.int().min(1)).default(100),
  offset: integerText.pipe(z.int().min(0)).default(0),
};

/** Returns every field of a paginated response except `data`. */
export function buildPageEnvelope(totalCount: number, limit: number, offset: number): Record<string, number> {
  return {
    total_count: totalCount,
    page_size: limit,
    page: Math.floor(offset / limit) + 1,
    page_count: Math.ceil(totalCount / limit),
  };
}
