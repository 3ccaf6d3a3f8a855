import { type Address, type Link, toAddress } from "../../report/address/address.ts";
import { withDefaultGrouping } from "../../report/address/drill-down.ts";
import { createNameLinks } from "../../report/address/name-links.ts";
import { pinVersion } from "../../report/address/view-parameters.ts";
import { renderNavigation } from "../../report/html/frame/render-page.ts";
import { html } from "../../report/html/html.ts";
import { createPage, maxServedRows, type PageFrame } from "../../report/html/render-report.ts";
import type { Sorting } from "../../report/html/render-rows.ts";
import type { ReportRequest } from "../../report/options/request-options.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { viewOf } from "../../report/report-name.ts";
import type { AnsweredReport } from "../../report/request-context.ts";
import type { Report } from "../../report/result-types.ts";
import { runReport } from "../../report/run-report.ts";
import { isNumeric } from "../../report/text/cell-text.ts";
import { listCrumbs, renderCrumbs, renderVersionNote } from "../frame/crumbs.ts";
import { type Names, readNames, withPlayedNames } from "../frame/names.ts";
import { renderFilterBar, renderSearch } from "../frame/render-bar.ts";
import type { ViewContext } from "../readers.ts";
import { isAcceptedTarget } from "../security/allowed-hosts.ts";
import { renderDownloads } from "./downloads.ts";

/**
 * Renders a report's page: the same content as `--format html`, with navigation and with links from names.
 */
export async function showReport(options: ReportRequest, context: ViewContext): Promise<string> {
  const { mart } = context.lease;
  const linkFigure: Link = (address) => {
    const target = context.link(address);
    return target !== undefined && isAcceptedTarget(target) ? target : undefined;
  };
  // Names are read before the report, because its rows must be read before any other statement runs.
  const names = await withPlayedNames(await readNames(context.lease), mart, options);
  const report = await runReport(mart, { ...options, format: "html", limit: maxServedRows + 1 }, context.now);
  const frame = createFrame(report, options, { ...context, names });
  const hrefOf = createNameLinks(report, report.context.request, linkFigure);
  return (await createPage(report, { frame, hrefOf, link: linkFigure })).text;
}

interface FrameSources extends ViewContext {
  names: Names;
}

function createFrame(
  report: AnsweredReport,
  options: ReportRequest,
  { lease, asOf, custom, names, link, share }: FrameSources,
): PageFrame {
  const period = report.comparison?.requested ?? report.period;
  const { lastDay } = report.context.days;
  // May be the entry with campaign attributes, if the request needs them.
  const { entry } = report.context.request;
  return {
    top: html`${renderNavigation(viewOf(options), (view) => link(withDefaultGrouping({ view, words: {} })), custom)}${renderVersionNote(lease, toAddress(options))}${renderCrumbs(
      listCrumbs(options, period, names),
      link,
    )}${renderFilterBar({ entry, words: toAddress(options).words, period, lastDay, names, asOf, isShared: share !== undefined, link })}`,
    search: renderSearch(toAddress(options), asOf),
    sorting: createSorting(options, link),
    bottom: renderDownloads(createDownloadAddress(options, report, lease.mart), {
      isShared: share !== undefined,
    }),
  };
}

/** Makes each heading a link that sorts by its column, then in reverse; numbers start with the largest. */
function createSorting(options: ReportRequest, link: Link): Sorting {
  const { sort } = options;
  return {
    column: sort?.column,
    isDown: sort?.isDown ?? false,
    hrefOf: (column) => {
      const isDown = sort?.column === column.name ? !sort.isDown : isNumeric(column);
      return link(toAddress({ ...options, sort: { column: column.name, isDown } }));
    },
  };
}

/** Returns an address with fixed dates and version, so that later publishes do not change the rows. */
function createDownloadAddress(
  options: ReportRequest,
  { period, comparison }: Report,
  mart: PublishedMart,
): Address {
  return pinVersion(toAddress(options, comparison?.requested ?? period), mart.version);
}
