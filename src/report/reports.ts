import { catalog } from "./catalog/catalog.ts";
import type { ReportEntry } from "./catalog/report-entry.ts";
import type { reportNames } from "./report-name.ts";

/** The entries of all reports; a request has that of its own. */
export const reports: Readonly<Record<(typeof reportNames)[number], ReportEntry>> = catalog;
