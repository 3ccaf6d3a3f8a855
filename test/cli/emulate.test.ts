import { once } from "node:events";
import { expect, it } from "vitest";
import { startVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("the emulator prints working settings and serves no control endpoint", async () => {
  const { child, finished } = startVenue(["emulate", "--zones", "1", "--days", "1"], {
    environment: {},
    workingFolder: createTempFolder(),
  });
  const [text] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  expect(text.toString()).toContain("\n# Requests beyond 1 per second get 429.");
  const settings = new Map(
    text
      .toString()
      .split("\n")
      .map((line) => line.split("=") as [string, string]),
  );
  const baseUrl = settings.get("VENUE_BASE_URL") ?? "";
  const token = await fetch(`${baseUrl}/api-clients/token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      client_id: settings.get("VENUE_CLIENT_ID"),
      client_secret: settings.get("VENUE_CLIENT_SECRET"),
    }),
  });
  expect(token.status).toBe(200);
  for (const path of ["clock", "faults", "requests"]) {
    expect((await fetch(`${new URL(baseUrl).origin}/_emulator/${path}`)).status).toBe(404);
  }
  child.kill("SIGINT");
  expect(await finished).toMatchObject({ code: 130, stderr: "Interrupted.\n" });
});
