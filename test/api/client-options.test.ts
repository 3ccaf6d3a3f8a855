import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createStatusClient, createVenueClient } from "../../src/api/venue-analytics.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const options = { baseUrl: "https://player.example.com/v5", credentials: { clientId: "client" } };

it.each([
  ["a base URL without http", { baseUrl: "player.example.com/v5" }, "must start with http:// or https://"],
  ["an empty base URL", { baseUrl: "" }, "must start with http:// or https://"],
  [
    "a base URL with another protocol",
    { baseUrl: "ftp://player.example.com/v5" },
    "must start with http:// or https://",
  ],
  [
    "a base URL that would send secrets unencrypted",
    { baseUrl: "http://player.example.com/v5" },
    "allowHttp",
  ],
  ["no rate", { ratePerSecond: 0 }, "ratePerSecond is 0"],
  ["a negative rate, which would not limit anything", { ratePerSecond: -1 }, "ratePerSecond is -1"],
  ["a rate that is not a number", { ratePerSecond: Number("ten") }, "ratePerSecond is NaN"],
  ["an infinite rate", { ratePerSecond: Number.POSITIVE_INFINITY }, "ratePerSecond is Infinity"],
])("refuses %s", (_label, wrong, message) => {
  const stateFile = join(createTempFolder(), "client.db");
  const create = () => createVenueClient({ ...options, stateFile, ...wrong });
  expect(create).toThrow(expect.objectContaining({ code: "CLIENT_OPTION_UNUSABLE" }));
  expect(create).toThrow(message);
  expect(existsSync(stateFile)).toBe(false);
});

it("rejects a status URL without http", () => {
  const stateFile = join(createTempFolder(), "client.db");
  expect(() => createStatusClient({ statusUrl: "status.example.com", stateFile })).toThrow(
    expect.objectContaining({ code: "CLIENT_OPTION_UNUSABLE" }),
  );
});

it.each(["http://player.example.com/v5", "http://10.0.0.7/v5", "http://localhost.example.com/v5"])(
  "accepts %s if the caller allows http, but not as a status URL",
  async (url) => {
    const stateFile = join(createTempFolder(), "client.db");
    const { credentials } = options;
    await createVenueClient({ baseUrl: url, credentials, stateFile, allowHttp: true }).close();
    await createStatusClient({ statusUrl: url, stateFile, allowHttp: true }).close();
    expect(() => createStatusClient({ statusUrl: url, stateFile })).toThrow(
      expect.objectContaining({ code: "CLIENT_OPTION_UNUSABLE" }),
    );
  },
);

it.each([
  "http://localhost:8080/v5",
  "http://127.0.0.2/v5",
  "http://[::1]:8080/v5",
  "https://example.com/v5",
])("accepts %s", async (baseUrl) => {
  const stateFile = join(createTempFolder(), "client.db");
  await createVenueClient({ ...options, baseUrl, stateFile }).close();
});
