import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openStorage } from "../../src/storage/open-storage.ts";
import { startConnectProxy } from "../support/connect-proxy.ts";
import { runVenue } from "../support/run-venue.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { describeStore, newPrefix } from "./use-store.ts";

describeStore("versitygw", (endpoint) => {
  it("a backup in S3 restores everything, and a damaged or missing one changes nothing", async () => {
    const workingFolder = createTempFolder();
    const data = join(workingFolder, "data");
    cpSync(await shareDemoData(), data, { recursive: true, verbatimSymlinks: true });
    const aws = Object.entries(process.env).filter(([name]) => name.startsWith("AWS_"));
    const run = (folder: string, ...args: string[]) => {
      const environment = { ...Object.fromEntries(aws), VENUE_HOME: join(workingFolder, "home") };
      return runVenue([...args, "--data-dir", folder], { environment, workingFolder });
    };
    const to = newPrefix();
    const made = await run("data", "backup", "--to", to);
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("secret-of-the-tests")]);
    expect(made.stdout).toMatch(new RegExp(`^${to} holds a backup: \\d+ plays, \\d+ files`));
    const again = await run("data", "backup", "--to", to);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("Choose a prefix without any.")]);

    const query = ["query", "select count(*), sum(duration_secs) from fact_play", "--format", "csv"];
    const restored = await run("restored", "restore", "--from", to);
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining("v000001 published.")]);
    expect((await run("restored", ...query)).stdout).toBe((await run("data", ...query)).stdout);
    expect((await run("restored", "build")).code).toBe(0);

    const storage = await openStorage(to);
    await storage.put("state.db", "damaged");
    const damaged = await run("other", "restore", "--from", to);
    expect([damaged.code, damaged.stderr]).toEqual([
      4,
      expect.stringContaining(`${to}/state.db is missing or`),
    ]);
    await storage.delete(["backup.json"]);
    const missing = await run("other", "restore", "--from", to);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining(`${to} has no backup.json`)]);
    expect(existsSync(join(workingFolder, "other"))).toBe(false);
    expect(readdirSync(workingFolder).filter((name) => name.includes("download"))).toEqual([]);
  });

  it("a secret is not sent to another machine without encryption", async () => {
    const workingFolder = createTempFolder();
    const home = join(workingFolder, "home");
    mkdirSync(home);
    writeFileSync(join(home, "credentials.json"), '{"client_id":"c1","client_secret":"5ecret"}\n');
    // Nothing resolves this name except the proxy.
    const proxy = await startConnectProxy(endpoint);
    vi.stubEnv("AWS_ENDPOINT_URL_S3", "http://store.test");
    vi.stubEnv("HTTP_PROXY", proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    cpSync(await shareDemoData(), join(workingFolder, "data"), { recursive: true, verbatimSymlinks: true });
    const backUp = (settings: Record<string, string>, ...words: string[]) =>
      runVenue(["backup", "--to", newPrefix(), ...words], {
        environment: { VENUE_HOME: home, ...settings },
        workingFolder,
      });
    const refused = await backUp({}, "--with-secret");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("http://store.test is not encrypted"),
    ]);
    expect(proxy.requested).toEqual([]);
    const accepted = await backUp({ VENUE_ALLOW_HTTP: "1" }, "--with-secret");
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(new Set(proxy.requested)).toEqual(new Set(["store.test:80"]));
    expect((await backUp({})).code).toBe(0);
  });
});
