// Writes a report into the folder that it is given, as a user who may not; prints the error's message.

import { writeReportFile } from "../../../dist/report/format/write-report.js";
import { loadFormatter } from "../../../dist/report/formats.js";

// Loaded first: another user may not be let into this folder either. The superuser could write anywhere.
await loadFormatter("csv");
if (process.getuid() === 0) process.setuid(65_534);
const report = {
  title: "T",
  filters: [],
  dataAsOf: null,
  version: "v000001",
  columns: [],
  rows: [],
  notes: [],
};
await writeReportFile(report, `${process.argv[2]}/r.csv`, { format: "csv" }).catch(({ message }) =>
  process.stdout.write(message),
);
