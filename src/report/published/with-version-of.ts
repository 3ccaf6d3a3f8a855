import type { Settings } from "../../config/settings.ts";
import type { PublishedMart } from "./published-mart.ts";
import type { ShownOptions } from "./with-shown.ts";

/**
 * Opens a version published in the data folder or, with `VENUE_ENGINE=trino`, on the cluster, for `body`. Throws like
 * `withPublished` and `withShown`, which are loaded only when used.
 */
export async function withVersionOf<Result>(
  settings: Settings,
  { asOf, signal, logger }: ShownOptions,
  body: (mart: PublishedMart) => Promise<Result>,
): Promise<Result> {
  if (settings.get("VENUE_ENGINE") === "trino") {
    const { withShown } = await import("./with-shown.ts");
    return await withShown(settings, { asOf, signal, logger }, body);
  }
  const { withPublished } = await import("./with-published.ts");
  return await withPublished(settings, signal, body, { asOf });
}
