import type { Link } from "../address/address.ts";
import { createDrillDown } from "../address/drill-down.ts";
import { type EqualNames, nameCampaign, nameZone } from "../findings/names.ts";
import type { HeatMap } from "../html/charts/chart.ts";
import {
  chooseSteps,
  countMissed,
  drawComplianceMap,
  drawnMeasures,
  maxDrawnRows,
  type Steps,
  sortByMissed,
} from "../html/pages/compliance-map.ts";
import { buildStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, ReportValue } from "../report.ts";
import { type Table, toRecords } from "./subject-tables.ts";

type Row = Readonly<Record<string, ReportValue>>;

const keyColumns = { campaign: "campaign_key", zone: "zone_id" } as const;
const titles = { campaign: "Campaigns", zone: "Zones" } as const;

export interface DrawnSubjects {
  /** Campaigns, whose zones are drawn, or zones, whose campaigns are drawn. */
  own: "campaign" | "zone";
  /** Keys, in drawing order. */
  subjects: readonly string[];
  /** Compliance of a subject's zones or campaigns, by its key. */
  tables: ReadonlyMap<string, Table>;
  /** Maximum rows per statement; a single subject may have more. @default 20,000, some 35 MB */
  maxRows?: number;
  /** Zones or campaigns drawn per subject; others are only counted. @default 40, the rows of a heat map */
  maxDrawn?: number;
}

/**
 * Draws, day by day, the zones or campaigns of a subject that missed most; the summary counts all of them.
 * Reads the days of several subjects in one statement, because hundreds of statements would take minutes.
 */
export function drawDays(
  mart: PublishedMart,
  { own, subjects, tables, maxRows = 20_000, maxDrawn = maxDrawnRows }: DrawnSubjects,
  names: EqualNames,
): (subject: string, link: Link) => Promise<HeatMap[]> {
  const drawn = own === "campaign" ? "zone" : "campaign";
  const key = keyColumns[drawn];
  const nameOf = (row: Row): Name => ({
    key: String(row[key]),
    label: drawn === "zone" ? nameZone(row, names) : nameCampaign(row, names),
  });
  const batches = createBatches({ own, subjects, tables, maxRows, maxDrawn }, nameOf);
  let last: { batch: Batch; days: Map<string, Row[]> } | undefined;
  return async (subject, link) => {
    const batch = batches.find(({ parts }) => parts.has(subject));
    const part = batch?.parts.get(subject);
    if (!batch || !part) return [];
    if (last?.batch !== batch) {
      // Frees the last batch before reading the next.
      last = undefined;
      last = { batch, days: await readDays(mart, own, batch) };
    }
    const { period, steps } = batch;
    const hrefOf = (row: Row) => link(createDrillDown(part.table.request, period, [drawn], row));
    const days = (last.days.get(subject) ?? []).filter((row) => part.worst.has(Number(row[key])));
    return drawComplianceMap({
      title: titles[drawn],
      subject: drawn,
      other: own,
      steps,
      // The other rows have no day, so they are counted but not drawn.
      found: [...days, ...part.others],
      nameOf,
      hrefOf,
      nameHrefOf: hrefOf,
    });
  };
}

interface Name {
  key: string;
  label: string;
}

interface Part {
  table: Table;
  /** Keys of the zones or campaigns that missed most. */
  worst: ReadonlySet<number>;
  others: readonly Row[];
}

/** Subjects whose days are read in one statement. */
interface Batch {
  period: Period;
  steps: Steps;
  parts: Map<string, Part>;
  /** Keys of all zones or campaigns drawn for any of the subjects. */
  worst: Set<number>;
}

function createBatches(
  { subjects, tables, maxRows, maxDrawn }: Required<DrawnSubjects>,
  nameOf: (row: Row) => Name,
): readonly Batch[] {
  const batches: Batch[] = [];
  for (const subject of subjects) {
    const table = tables.get(subject);
    if (!table?.report.period) continue;
    const rows = sortByMissed(
      toRecords(table).map((row) => ({ row, ...nameOf(row), missed: countMissed(row) })),
    );
    const keys = rows.slice(0, maxDrawn).map(({ key }) => Number(key));
    const part = { table, worst: new Set(keys), others: rows.slice(maxDrawn).map(({ row }) => row) };
    const last = batches.at(-1);
    const union = new Set([...(last?.worst ?? []), ...keys]);
    if (last && (last.parts.size + 1) * union.size * last.steps.dates.length <= maxRows) {
      last.parts.set(subject, part);
      last.worst = union;
    } else {
      const { period, dataDays } = table.report;
      const steps = chooseSteps(period, dataDays);
      batches.push({ period, steps, parts: new Map([[subject, part]]), worst: part.worst });
    }
  }
  return batches;
}

/** @returns one row per zone, campaign and step in the batch, grouped by the subject's key */
async function readDays(
  mart: PublishedMart,
  own: DrawnSubjects["own"],
  { period, steps, parts, worst }: Batch,
): Promise<Map<string, Row[]>> {
  const subjects = [...parts.keys()].map(Number);
  const rows = await mart.all<Row>(
    ...buildStatement("compliance", {
      campaignKeys: own === "campaign" ? subjects : [...worst],
      zoneIds: own === "zone" ? subjects : [...worst],
      by: ["campaign", "zone", steps.by],
      period,
      measures: drawnMeasures,
    }),
  );
  const days = new Map<string, Row[]>();
  for (const row of rows) {
    const subject = String(row[keyColumns[own]]);
    const known = days.get(subject);
    if (known) known.push(row);
    else days.set(subject, [row]);
  }
  return days;
}
