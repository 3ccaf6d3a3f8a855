import type { Arrangement } from "./compile/arrange.ts";
import type { EqualNames } from "./findings/names.ts";
import type { ReportedDays } from "./findings/reported-days.ts";
import type { ReportOptions, ReportRequest } from "./options/request-options.ts";
import type { PublishedMart } from "./published/published-mart.ts";
import type { Report } from "./result-types.ts";

/** A request, with data that its rows, notes and page share. */
export interface RequestContext {
  mart: PublishedMart;
  /** As requested, before names were resolved; used for addresses. */
  request: ReportRequest;
  options: ReportOptions;
  /** Requested order, search and number of the rows. A page has a default order. */
  order: Omit<Arrangement, "columns">;
  now: Date;
  days: ReportedDays;
  names: EqualNames;
}

/** A report with its request, from which its page can be built. */
export interface AnsweredReport extends Report {
  context: RequestContext;
}
