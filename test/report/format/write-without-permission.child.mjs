// Writes a report into the given folder as a user without permission; prints the error's message.

import { loadFormatter } from "../../../dist/report/format/load-formatter.js";
import { writeReportFile } from "../../../dist/report/format/write-report.js";

// Loaded first: the other user may have no access to this folder either. The superuser can write anywhere.
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
