import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasTerminals, startOnTerminal } from "../support/run-on-terminal.ts";
import { runVenue } from "../support/run-venue.ts";
import { stableText } from "../support/stable-text.ts";
import { createTempFolder } from "../support/temp-folder.ts";

function setUp() {
  const workingFolder = createTempFolder();
  const home = join(workingFolder, "home");
  const run = (args: string[], input = "") =>
    runVenue(["notify", ...args], { workingFolder, environment: { VENUE_HOME: home }, input });
  return { workingFolder, home, run, file: join(home, "webhooks.json") };
}

it.each([
  ["https://hooks.slack.com/services/T0/B0/secret", [], "slack"],
  ["https://prod-1.westeurope.logic.azure.com/workflows/secret?sig=secret", [], "teams"],
  ["https://x.11.environment.api.powerplatform.com/secret?sig=secret", [], "teams"],
  ["https://x.webhook.office.com/secret", [], "teams"],
  ["https://hooks.slack.com.evil.example/secret", [], "json"],
  ["http://127.0.0.1:8080/secret", [], "json"],
  ["https://chat.example.com/secret", ["--form", "slack"], "slack"],
])("stores the URL %s, and never shows it", async (url, flags, form) => {
  const { run, file, home } = setUp();
  const { code, stdout, stderr } = await run(["add", "ops", ...flags], `${url}\n`);
  expect([code, stdout, stderr]).toEqual([
    0,
    `The webhook ops is stored. It gets messages as ${form}.\n`,
    "",
  ]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ops: { url, form } });
  expect([statSync(file).mode & 0o777, statSync(home).mode & 0o777]).toEqual([0o600, 0o700]);
});

it("adds, replaces and removes by name", async () => {
  const { run, file } = setUp();
  await run(["add", "ops"], "https://a.example/1");
  await run(["add", "boss"], "https://a.example/2");
  await run(["add", "ops"], "https://a.example/3");
  expect((await run(["remove", "boss"])).code).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    ops: { url: "https://a.example/3", form: "json" },
  });
  const { code, stderr } = await run(["remove", "boss"]);
  expect([code, stderr]).toMatchSnapshot();
});

it.each([
  ["a name", "Ops!", "https://a.example/secret"],
  ["a URL without TLS", "ops", "http://a.example/secret"],
  ["a URL with a password", "ops", "https://me:secret@a.example/"],
  ["Discord", "ops", "https://discord.com/api/webhooks/1/secret"],
  ["Google Chat", "ops", "https://chat.googleapis.com/v1/spaces/A/messages?key=secret"],
  ["no URL", "ops", ""],
  ["two lines", "ops", "https://a.example/secret\nhttps://a.example/secret2"],
  ["too much", "ops", `https://a.example/${"secret".repeat(2_000)}`],
])("rejects %s", async (_, name, url) => {
  const { run } = setUp();
  const { code, stdout, stderr } = await run(["add", name], url);
  expect([code, stdout, stderr]).toMatchSnapshot();
  expect(stderr).not.toContain("secret");
});

it("an unreadable list of webhooks is kept, and not shown", async () => {
  const { run, file } = setUp();
  await run(["add", "ops"], "https://a.example/1");
  for (const text of ['{"ops": https://a.example/secret}', '{"ops": {"url": "secret"}}', "[1]", "null"]) {
    writeFileSync(file, text);
    const { code, stderr } = await run(["add", "ops"], "https://a.example/1");
    expect([code, stableText(stderr)]).toMatchSnapshot();
    expect(stderr).not.toContain("secret");
    expect(readFileSync(file, "utf8")).toBe(text);
  }
});

it.runIf(hasTerminals)("does not show a typed URL", async () => {
  const { workingFolder, home, file } = setUp();
  const terminal = startOnTerminal(["notify", "add", "ops"], {
    workingFolder,
    environment: { VENUE_HOME: home },
  });
  await terminal.until("not shown");
  terminal.type("https://a.example/secret\r");
  expect(await terminal.finished).toBe(0);
  expect(terminal.shown()).not.toContain("secret");
  expect(readFileSync(file, "utf8")).toContain("https://a.example/secret");
});

it("stores a template for receivers that need another format", async () => {
  const { workingFolder, run, file } = setUp();
  const url = "https://discord.com/api/webhooks/1/secret";
  const text = '{"content": "{subject}", "count": {count}}';
  writeFileSync(join(workingFolder, "chat.json"), text);
  const { code, stdout } = await run(["add", "ops", "--body", "chat.json"], url);
  expect([code, stdout]).toEqual([0, "The webhook ops is stored. It gets messages as chat.json.\n"]);
  const stored = { ops: { url, form: "body", body: { text, isJson: true } } };
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(stored);

  writeFileSync(join(workingFolder, "unknown.txt"), "{subject} {tags}");
  writeFileSync(join(workingFolder, "none.json"), '{"content": "Look!"}');
  writeFileSync(join(workingFolder, "unquoted.json"), '{"content": {subject}}');
  for (const name of ["unknown.txt", "none.json", "unquoted.json", "missing.json"]) {
    const refused = await run(["add", "ops", "--body", name], url);
    expect([refused.code, stableText(refused.stderr)]).toMatchSnapshot();
  }
  expect((await run(["add", "ops", "--body", "chat.json", "--form", "slack"], url)).code).toBe(2);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(stored);
});
