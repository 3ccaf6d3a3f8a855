import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { itInAll } from "../support/long-suite.ts";
import { runProcess } from "../support/run-process.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { answerJson, startService } from "./support/scripted-service.ts";

const consumer = readFileSync(new URL("support/consumer.txt", import.meta.url), "utf8");

const compilerOptions = {
  target: "es2023",
  lib: ["es2023"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
};

// Only packages need the types; the program does not.
beforeAll(() => {
  execFileSync("npm", ["run", "--silent", "build:types"], { cwd: packageRoot, stdio: "inherit" });
});

/** A folder of another program with this package installed. */
function createProgram(source: string): string {
  const folder = createTempFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(packageRoot, join(folder, "node_modules/venue-analytics"));
  symlinkSync(join(packageRoot, "node_modules/@types"), join(folder, "node_modules/@types"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  writeFileSync(join(folder, "consumer.ts"), source);
  return folder;
}

async function compile(folder: string): Promise<string> {
  const compiler = join(packageRoot, "node_modules/typescript/bin/tsc");
  const run = promisify(execFile)(process.execPath, [compiler, "--project", folder]);
  return await run.then(
    () => "",
    ({ stdout }) => String(stdout),
  );
}

itInAll("works in another program that checks its types", async () => {
  const folder = createProgram(consumer);
  expect(await compile(folder)).toBe("");
  const service = await startService((request, response) => {
    if (request.path.endsWith("/token")) return answerJson(response, { access_token: "token-1" });
    if (request.path.includes("/api/v1/notices")) {
      const notice = { id: 1, type: "planned", timeline_state: "present" };
      return answerJson(response, { notices: [notice], meta: { total_count: 1 } });
    }
    if (request.path.includes("/playlists")) {
      return answerJson(response, { total_count: 1, data: [{ playlist_id: 3, name: "Morning" }] });
    }
    if (request.path.includes("/music")) return response.writeHead(404).end();
    answerJson(response, [{ zone_id: 1, device_id: 2, status: "online", location: { name: "Shop" } }]);
  });
  const printed = await runProcess(join(folder, "consumer.js"), [
    service.baseUrl,
    service.origin,
    join(folder, "home/client.db"),
  ]);
  expect(JSON.parse(printed)).toEqual({
    places: ["Shop"],
    playlists: ["Morning"],
    notices: [1],
    error: "NOT_FOUND",
    unusable: ["SQLITE_DAMAGED", "SQLITE_UNUSABLE"],
    parts: "UNEXPECTED_RESPONSE",
  });
});
