// A process of its own with a client: sends requests as told, and prints what came of them as JSON.
import { createVenueClient } from "../../../dist/api/client.js";

const { baseUrl, stateFile, ratePerSecond, requests } = JSON.parse(process.argv[2]);
const client = createVenueClient({
  baseUrl,
  stateFile,
  ratePerSecond,
  credentials: { clientId: "client-7", clientSecret: "s3cret-of-client-7" },
});
let failures = 0;
await Promise.all(
  Array.from({ length: requests }, async (_, index) => {
    try {
      for await (const _record of client.devices.status({ groupId: index })) {
        // Only that it is answered counts.
      }
    } catch {
      failures += 1;
    }
  }),
);
await client.close();
process.stdout.write(JSON.stringify({ failures, sent: client.requestsSent }));
