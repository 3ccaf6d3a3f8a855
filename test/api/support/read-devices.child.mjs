// Reads a short listing, then a longer one; prints the record counts and how far the second grew the process.

import { createVenueClient } from "../../../dist/api/venue-analytics.js";
import { peakBytes } from "./peak-memory.mjs";

const [baseUrl, stateFile] = process.argv.slice(2);
const client = createVenueClient({
  baseUrl,
  stateFile,
  ratePerSecond: 1000,
  credentials: { clientId: "client-7", clientSecret: "s3cret-of-client-7" },
});

async function count(groupId) {
  let records = 0;
  for await (const _record of client.devices.status({ groupId })) records += 1;
  return records;
}

const short = await count(1);
const before = peakBytes();
const long = await count(2);
process.stdout.write(JSON.stringify({ short, long, grownBytes: peakBytes() - before }));
await client.close();
