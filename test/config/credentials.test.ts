import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import { expect, it } from "vitest";
import { getCredentials } from "../../src/config/credentials.ts";
import { Settings } from "../../src/config/settings.ts";
import { stableText } from "../support/stable-text.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const secret = "s3cr3t-value";

function credentialsOf(environment: NodeJS.ProcessEnv, files: Record<string, string> = {}) {
  const folder = createTempFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return getCredentials(
    new Settings({ flags: {}, environment: { VENUE_HOME: folder, ...environment }, workingFolder: folder }),
  );
}

it("reads them from the environment, a secret file or credentials.json", () => {
  const file = JSON.stringify({ client_id: "c2", client_secret: "of-c2" });
  const sources = [
    credentialsOf({ VENUE_CLIENT_ID: "c1", VENUE_CLIENT_SECRET: secret }, { "credentials.json": file }),
    credentialsOf(
      { VENUE_CLIENT_ID: "c1", VENUE_CLIENT_SECRET_FILE: "secret.txt" },
      { "secret.txt": `${secret}\n` },
    ),
    credentialsOf({}, { "credentials.json": file }),
  ];
  expect(sources.map((found) => [found.clientId, found.revealSecret()])).toEqual([
    ["c1", secret],
    ["c1", secret],
    ["c2", "of-c2"],
  ]);
});

it("never shows the secret in a dump", () => {
  const credentials = credentialsOf({ VENUE_CLIENT_ID: "c1", VENUE_CLIENT_SECRET: secret });
  expect(
    inspect({ credentials }, { depth: 9, showHidden: true }) +
      JSON.stringify(credentials) +
      String(credentials),
  ).not.toContain(secret);
});

it.each<[string, NodeJS.ProcessEnv, Record<string, string>]>([
  ["missing credentials", {}, {}],
  ["a secret without an id", { VENUE_CLIENT_SECRET: secret }, {}],
  ["a missing secret file", { VENUE_CLIENT_ID: "c", VENUE_CLIENT_SECRET_FILE: "nowhere" }, {}],
  ["an empty secret file", { VENUE_CLIENT_ID: "c", VENUE_CLIENT_SECRET_FILE: "e" }, { e: "\n" }],
  [
    "a secret file with more than one line, such as a private key",
    { VENUE_CLIENT_ID: "c", VENUE_CLIENT_SECRET_FILE: "key" },
    { key: `-----BEGIN-----\n${secret}\n` },
  ],
  [
    "a secret file that is another folder's credentials.json",
    { VENUE_CLIENT_ID: "c", VENUE_CLIENT_SECRET_FILE: "other.json" },
    { "other.json": `{"client_id":"c","client_secret":"${secret}"}` },
  ],
  [
    "credentials.json of another base URL",
    { VENUE_BASE_URL: "https://elsewhere.example/v5" },
    {
      "credentials.json": `{"client_id":"d","client_secret":"${secret}","base_url":"https://api.example/v5"}`,
    },
  ],
  [
    "credentials.json with an invalid base URL",
    { VENUE_BASE_URL: "https://api.example/v5" },
    { "credentials.json": `{"client_id":"d","client_secret":"${secret}","base_url":null}` },
  ],
  ["a broken credentials.json", {}, { "credentials.json": `{"client_secret": "${secret}"` }],
  [
    "another client's credentials.json",
    { VENUE_CLIENT_ID: "c" },
    { "credentials.json": `{"client_id":"d","client_secret":"${secret}"}` },
  ],
])("rejects %s without showing the secret", (_label, environment, files) => {
  let error: unknown;
  try {
    credentialsOf(environment, files);
  } catch (caught) {
    error = caught;
  }
  expect(stableText((error as Error).message)).toMatchSnapshot();
  expect(inspect(error, { depth: 9 })).not.toContain(secret);
});

it("reserves space for a secret completely or fails, and leaves nothing", async () => {
  const home = createTempFolder();
  const script = `
    import { reserveCredentialsFile } from ${JSON.stringify(fileURLToPath(new URL("../../dist/config/credentials-file.js", import.meta.url)))};
    const client = { clientId: "c1", baseUrl: new URL("https://service.example/v5") };
    try { reserveCredentialsFile(process.argv[1], client, { isReplacing: false }).release(); }
    catch (error) { process.stdout.write(error.cause.code); }`;
  // Files may have only 8,192 bytes.
  const limited = ["-c", 'ulimit -f 16; exec "$0" "$@"', process.execPath, "--input-type=module"];
  const { stdout } = await promisify(execFile)("sh", [...limited, "--eval", script, home]);
  expect([stdout, readdirSync(home)]).toEqual(["EFBIG", []]);
});
