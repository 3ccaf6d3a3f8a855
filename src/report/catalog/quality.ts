import { filters } from "./filters.ts";
import type { ReportEntry } from "./report-entry.ts";

const { zone, location, group, kind } = filters;

/** Data quality: how far figures can be trusted. Each file of `sql/reports/quality/` has sections, in order. */
export const quality: ReportEntry = {
  name: "quality",
  summary: "whether the figures can be trusted: freshness, rejected lines, restated days",
  columns: {
    section: { label: "Section", unit: "text", definition: "Topic of the row." },
    subject: { label: "Subject", unit: "text", definition: "Object that the row describes." },
    value: { label: "Value", unit: "text", definition: "Its value." },
    note: { label: "Note", unit: "sentences", definition: "Explanation of the value." },
  },
  facts: {
    data_as_of: {
      label: "Data as of",
      unit: "instant",
      definition: "The oldest of the latest complete responses of the sources that this page reads.",
    },
    loads: {
      label: "Loads",
      unit: "count",
      definition: "The newest load of each source, and every file loaded by hand.",
    },
    lines: {
      like: "fact_load.lines",
      definition: "Lines of the newest load of each source.",
      note: "Each is accounted for: new, changed, unchanged, duplicate, rejected or blank.",
    },
    duplicates: { like: "fact_load.duplicate" },
  },
  filters: { zone, location, group, kind },
  attributes: [],
  collected: ["history", "campaigns", "devices"],
};
