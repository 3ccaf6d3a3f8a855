import { expect, it } from "vitest";
import { TrinoError } from "../../../src/engines/errors.ts";
import { explainCustomError } from "../../../src/mart/custom/custom-select.ts";
import { VenueError } from "../../../src/util/venue-error.ts";

const file = { path: "own/reports/a.sql", sql: "select zone_nam\nfrom dim_zone\n" };
const query = { queryId: "q", link: "https://trino.example/q" };

it.each([
  [
    'Binder Error: Referenced column "zone_nam" not found\n\nLINE 3: select zone_nam\n               ^',
    'own/reports/a.sql:1:8: Referenced column "zone_nam" not found',
  ],
  [
    "Out of Memory Error: failed to allocate data of size 8.0 GiB",
    "own/reports/a.sql needs more memory than VENUE_MEMORY_LIMIT",
  ],
])("explains %j with the file", (message, expected) => {
  const error = explainCustomError(file, new Error(message), 2);
  expect(error).toMatchObject({ code: "OWN_FILE", message: expect.stringContaining(expected) });
});

it.each([
  new Error("IO Error: Could not write file: No space left on device"),
  new Error("FATAL Error: database has been invalidated"),
  new DOMException("The operation was aborted due to timeout", "TimeoutError"),
  new VenueError("QUERY_TOO_LONG", "usage", "own/reports/a.sql did not end within 1 second"),
  new TrinoError(query, { message: "gone", errorName: "REMOTE_HOST_GONE", errorType: "INTERNAL_ERROR" }),
])("leaves %s as it is", (error) => {
  expect(explainCustomError(file, error, 0)).toBe(error);
});

it.each([
  [
    "line 3:3: Column 'zone_nam' cannot be resolved",
    "own/reports/a.sql:3:3: Column 'zone_nam' cannot be resolved.",
  ],
  // The line also has definitions of tables.
  [
    "line 2:108: Column 'zone_nam' cannot be resolved",
    "own/reports/a.sql:2: Column 'zone_nam' cannot be resolved.",
  ],
])("explains what Trino says: %s", (said, message) => {
  const sql = "-- Zones.\nselect zone_id,\n  zone_nam\nfrom dim_zone\n";
  const details = { message: said, errorName: "COLUMN_NOT_FOUND", errorType: "USER_ERROR" };
  expect(explainCustomError({ ...file, sql }, new TrinoError(query, details), 0)).toMatchObject({
    code: "OWN_FILE",
    message,
  });
});
