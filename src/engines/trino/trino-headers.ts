import type { TrinoOptions } from "./trino-options.ts";

/** The `Authorization` header, if the user proves who they are. */
export function authorizationOf({ user, password, token }: TrinoOptions): string | undefined {
  if (token !== undefined) return `Bearer ${token}`;
  if (password === undefined) return undefined;
  // Trino reads it as Latin-1, as its own clients write it.
  return `Basic ${Buffer.from(`${user}:${password}`, "latin1").toString("base64")}`;
}

/** What every statement is sent with. */
export function statementHeaders({ user, catalog, schema, session }: TrinoOptions): Record<string, string> {
  const properties = Object.entries(session ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return {
    "content-type": "text/plain; charset=utf-8",
    "user-agent": "venue-analytics",
    "x-trino-user": user,
    "x-trino-source": "venue-analytics",
    "x-trino-catalog": catalog,
    ...(schema === undefined ? {} : { "x-trino-schema": schema }),
    "x-trino-time-zone": "UTC",
    // Without it, microseconds come as milliseconds.
    "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
    ...(properties.length > 0 ? { "x-trino-session": properties.join(",") } : {}),
  };
}
