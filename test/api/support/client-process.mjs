// A client in a separate process: sends the requested calls, then prints the results as JSON.
import { createStatusClient, createVenueClient } from "../../../dist/api/venue-analytics.js";

const { baseUrl, statusUrl, stateFile, ratePerSecond, requests } = JSON.parse(process.argv[2]);
const credentials = { clientId: "client-7", clientSecret: "s3cret-of-client-7" };
const client = statusUrl
  ? createStatusClient({ statusUrl, stateFile, ratePerSecond })
  : createVenueClient({ baseUrl, stateFile, ratePerSecond, credentials });

async function ask(groupId) {
  if (statusUrl) return await client.page();
  for await (const _record of client.devices.status({ groupId })) {
    // Only the arrival of a response matters.
  }
}

let failures = 0;
await Promise.all(
  Array.from({ length: requests }, async (_, index) => {
    try {
      await ask(index);
    } catch {
      failures += 1;
    }
  }),
);
await client.close();
process.stdout.write(JSON.stringify({ failures, sent: client.requestsSent }));
