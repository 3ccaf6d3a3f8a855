import { isBuiltByThisVersion } from "../build/build-mart.ts";
import { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { NothingPublishedError } from "../mart/published-errors.ts";
import { type Cell, explainCell } from "../report/findings/explain-cell.ts";
import type { Report } from "../report/report.ts";
import { VenueError } from "../util/venue-error.ts";
import { findWarehouse, hasCurrentSchema } from "../workspace/warehouse.ts";

/**
 * How one cell of compliance came about. Changes nothing, and needs the warehouse for itself for a moment.
 * @throws {NothingPublishedError} before the first build
 * @throws {BuiltByAnotherVersionError} when the last build was of a version with other tables
 */
export async function explainCompliance(settings: Settings, cell: Cell): Promise<Report> {
  const { warehouseFile: path, published } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const warehouse = await findWarehouse({ path, memoryLimit: settings.get("VENUE_MEMORY_LIMIT") });
  if (!warehouse) throw new NothingPublishedError(published);
  try {
    if (
      !(await warehouse.find("select 1 from core.built_model where model = 'mart.fact_campaign_zone_day'"))
    ) {
      throw new NothingPublishedError(published);
    }
    return await explainCell(warehouse, cell);
  } catch (error) {
    if (error instanceof VenueError) throw error;
    // Only now: to compare all models takes longer than to explain a cell.
    const isOurs = (await hasCurrentSchema(warehouse, path)) && (await isBuiltByThisVersion(warehouse));
    throw isOurs ? error : new BuiltByAnotherVersionError(path, { cause: error });
  } finally {
    warehouse.close();
  }
}

/** The tables of the warehouse are those of an older version. */
class BuiltByAnotherVersionError extends VenueError {
  override readonly name = "BuiltByAnotherVersionError";
  readonly code = "BUILT_BY_ANOTHER_VERSION";
  readonly category = "usage";

  constructor(path: string, options: ErrorOptions) {
    super(
      `${path} was built by an older version of venue-analytics, so its cells can't be explained. Run \`venue build\` once, and ask again.`,
      options,
    );
  }
}
