import { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { findWarehouse } from "../engines/warehouse.ts";
import { type Cell, explainCell } from "../report/explain-cell.ts";
import { NothingPublishedError } from "../report/published-errors.ts";
import type { Report } from "../report/report.ts";

/**
 * How one cell of compliance came about. Changes nothing, and needs the warehouse for itself for a moment.
 * @throws {NothingPublishedError} before the first build
 */
export async function explainCompliance(settings: Settings, cell: Cell): Promise<Report> {
  const folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const warehouse = await findWarehouse({
    path: folder.warehouseFile,
    memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
  });
  if (!warehouse) throw new NothingPublishedError(folder.published);
  try {
    if (
      !(await warehouse.find("select 1 from core.built_model where model = 'mart.fact_campaign_zone_day'"))
    ) {
      throw new NothingPublishedError(folder.published);
    }
    return await explainCell(warehouse, cell);
  } finally {
    warehouse.close();
  }
}
