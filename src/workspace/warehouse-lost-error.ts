import { VenueError } from "../util/venue-error.ts";

/** Readers see a version, and nothing is left of the warehouse that it was built from. */
export class WarehouseLostError extends VenueError {
  override readonly name = "WarehouseLostError";
  readonly code = "WAREHOUSE_LOST";
  readonly category = "damage";

  /** @param finding what is wrong, with the path */
  constructor(finding: string, version: string) {
    super(
      `${finding}, but what was built from it is published as ${version}. Was it moved away or removed? Put it back, or ` +
        "restore a backup (`venue restore`). Without one, `venue doctor --repair` loads the landings that are kept, and " +
        "the next `venue run` or `venue build --lake` brings what can be had again.",
    );
  }
}
