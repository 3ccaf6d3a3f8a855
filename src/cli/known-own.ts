import { ownFolderOf } from "../config/data-folder.ts";
import { listOwnReports } from "../report/own/list-own-reports.ts";
import type { OwnReport } from "../report/own/own-report.ts";
import type { CliContext } from "./cli-context.ts";

/** Lists the own reports; none if the settings can't be read, because help and completion still work then. */
export function listKnownOwn(context: CliContext): OwnReport[] {
  try {
    return listOwnReports(ownFolderOf(context.readSettings({ isLenient: true })));
  } catch {
    return [];
  }
}
