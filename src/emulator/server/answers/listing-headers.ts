import type { EmulatedService } from "../emulated-service.ts";

/** Of an answer that clients may keep for a moment. */
export function listingHeaders({ settings }: EmulatedService): Record<string, string> {
  return { "Cache-Control": `private, max-age=${settings.listingMaxAgeSeconds}` };
}

/** The same, where everyone gets the same answer. */
export function publicHeaders({ settings }: EmulatedService): Record<string, string> {
  return { "Cache-Control": `public, max-age=${settings.listingMaxAgeSeconds}` };
}

/** Of an answer that holds for the moment alone. */
export const momentHeaders = { "Cache-Control": "no-store" };
