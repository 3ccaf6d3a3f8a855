// Uploads a small file and then the one that is named; prints by how much that made this process grow.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVenueClient } from "../../../dist/api/venue-analytics.js";
import { peakBytes } from "./peak-memory.mjs";

const [baseUrl, folder, file] = process.argv.slice(2);
const client = createVenueClient({
  baseUrl,
  stateFile: join(folder, "client.db"),
  ratePerSecond: 1000,
  credentials: { clientId: "client-7", clientSecret: "s3cret-of-client-7" },
});
const small = join(folder, "small.mp4");
writeFileSync(small, "x");
await client.signage.uploadAssetToGroup({ groupId: 7, name: "small", file: small });
const base = peakBytes();
await client.signage.uploadAssetToGroup({ groupId: 7, name: "long", file });
process.stdout.write(JSON.stringify({ grownBytes: peakBytes() - base }));
await client.close();
