import { catalog } from "./catalog/catalog.ts";
import type { ReportEntry } from "./catalog/report-entry.ts";
import type { reportNames } from "./report-name.ts";

/** The entries of all reports. Code with a request uses the request's entry. */
export const reports: Readonly<Record<(typeof reportNames)[number], ReportEntry>> = catalog;
