import type { Service } from "./service.ts";

/** Of an answer that clients may keep for a moment. */
export function listingHeaders({ settings }: Service): Record<string, string> {
  return { "Cache-Control": `private, max-age=${settings.listingMaxAgeSeconds}` };
}
