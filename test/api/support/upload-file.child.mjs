// Another program that uses this package: uploads the named file.
import { join } from "node:path";
import { createVenueClient } from "../../../dist/api/venue-analytics.js";

const [baseUrl, folder, file] = process.argv.slice(2);
const client = createVenueClient({
  baseUrl,
  stateFile: join(folder, "client.db"),
  ratePerSecond: 1000,
  credentials: { clientId: "client-7", clientSecret: "s3cret-of-client-7" },
});
await client.signage.uploadAssetToGroup({ groupId: 7, name: "long", file });
await client.close();
