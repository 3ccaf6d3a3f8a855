import { expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";
import { stableText } from "../support/stable-text.ts";

const world = { days: 1, zones: 1, playScale: 0.01 };

const lacking = [
  ["build"],
  ["build", "--from", "core", "--accept-loss"],
  ["run"],
  ["build", "--from", "core"],
  ["check"],
  ["check", "--nessie-url", "http://127.0.0.1:1"],
];

it.each(lacking.map((words) => [words]))("venue %j --engine trino names missing settings", async (words) => {
  const setup = await setUp(world);
  const { code, stderr } = await runVenue([...words, "--engine", "trino"], setup);
  expect(stableText(stderr)).toMatchSnapshot();
  expect(code).toBe(2);
});

it("venue doctor checks the cluster if it is the engine", async () => {
  const setup = await setUp(world);
  const address = "http://127.0.0.1:1";
  Object.assign(setup.environment, { VENUE_TRINO_URL: address, VENUE_NESSIE_URL: address });
  const partsOf = async (engine: string) => {
    const { stdout } = await runVenue(["doctor", "--json", "--engine", engine], setup);
    const { checks }: { checks: { part: string; ok: boolean }[] } = JSON.parse(stdout);
    return checks.filter(({ part }) => /Trino|Nessie/.test(part)).map(({ part, ok }) => `${part} ${ok}`);
  };
  expect(await partsOf("duckdb")).toEqual([]);
  expect(await partsOf("trino")).toEqual(["Trino false", "Nessie false"]);
});

it("never sends a password unencrypted", async () => {
  const setup = await setUp(world);
  Object.assign(setup.environment, {
    VENUE_TRINO_URL: "http://trino.example",
    VENUE_TRINO_PASSWORD: "sesame",
    VENUE_NESSIE_URL: "http://127.0.0.1:1",
  });
  const { code, stderr } = await runVenue(["check", "--engine", "trino"], setup);
  expect(stderr).toMatch(/https/);
  expect(stderr).not.toContain("sesame");
  expect(code).toBe(2);
});
