import type { Service } from "../service.ts";

/** Address of a picture that can be fetched without credentials, from another origin than the main API's. */
export function pictureUrl({ origins }: Service, path: string): string {
  return `${origins.download}/pictures/${path}.png`;
}
