import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Manifest } from "../../src/mart/manifest.ts";
import { publishVersion } from "../../src/publish/publish-version.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { ageVersions, readShown, testPublishing } from "../publish/publish-suite.ts";
import { PublishedWarehouse, song } from "../publish/published-warehouse.ts";
import { certificateFile, proxyPassword, serveTls, startConnectProxy } from "../support/connect-proxy.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { abandonUpload, age, describeStore, newPrefix } from "./use-store.ts";

describeStore("versitygw", (endpoint) => {
  testPublishing({ createTarget: newPrefix, abandonUpload, age });

  it("continues a store of version 0.2, and removes its objects after the versions that replace it", async () => {
    const published = await PublishedWarehouse.open();
    await published.addPlays([song("2026-10-05 10:00:00")]);
    const { folder, manifest } = await published.buildAndPublish();
    const target = newPrefix();
    const storage = await openStorage(target);
    const tables: Manifest["tables"] = {};
    for (const [table, described] of Object.entries(manifest.tables)) {
      const files = described.files.map((file) => ({
        ...file,
        path: `files/${table}/${file.sha256}-0123abcd.parquet`,
      }));
      for (const [index, { path, sha256 }] of files.entries())
        await storage.putFile(path, join(folder, described.files[index]?.path ?? ""), sha256);
      tables[table] = { ...described, files };
    }
    const key = "versions/v000001-0123abcd/manifest.json";
    await storage.put(key, JSON.stringify({ ...manifest, tables }));
    age(target, key, 200);
    for (const name of ["files.json", "dictionary.json"]) await storage.put(name, "{}");
    const { version, built_at } = manifest;
    const shown = { format: 1, version, built_at, manifest: key, published_by: "host", replaced: [] };
    await storage.put("current.json", JSON.stringify({ ...shown, published_at: "2026-11-21T09:00:00Z" }));

    const publish = () => publishVersion({ from: published.last.folder, to: storage, logger });
    expect(await publish()).toMatchObject({ uploadedFiles: 0 });
    for (let day = 6; day < 8; day += 1) {
      expect((await readShown(storage)).rows.fact_play).toBe(day - 5);
      expect(await storage.findInfo(key)).toBeDefined();
      await ageVersions(storage, age);
      await published.addPlays([song(`2026-10-0${day} 10:00:00`)]);
      await published.buildAndPublish();
      await publish();
    }
    const keys: string[] = [];
    for await (const object of storage.list("")) keys.push(object.key);
    expect(keys.filter((one) => !one.startsWith("v0"))).toEqual(["current.json", "venue.ducklake"]);
  });

  it("venue publish --to s3:// publishes, and prints no access key", async () => {
    const environment = {
      VENUE_DATA_DIR: await shareDemoData(),
      AWS_ENDPOINT_URL_S3: endpoint,
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("AWS_"))),
    };
    const to = newPrefix();
    const run = (...flags: string[]) =>
      runVenue(["publish", "--to", ...flags], { environment, workingFolder: createTempFolder() });
    const { code, stdout, stderr } = await run(to);
    expect([code, stdout]).toEqual([0, `Published v000001 to ${to}.\n`]);
    expect(stderr).toContain(`published v000001 into ${to}`);
    expect(stderr).not.toMatch(/warning|AWS/i);
    for (const [value, message] of [
      ["s3://venue/a b", 'has "a b" in its prefix'],
      ["s3://key:secret-of-the-tests@venue/a", "AWS_ACCESS_KEY_ID"],
      ["gs://venue/a", "It takes a folder or s3://bucket/prefix."],
    ] as const) {
      const refused = await run(value);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(refused.stderr).not.toContain("secret-of-the-tests");
    }
  });

  it("the variables for S3 can be in .env, and the environment takes precedence", async () => {
    const workingFolder = createTempFolder();
    const aws = Object.entries({ ...process.env, AWS_ACCESS_KEY_ID: "WRONG" });
    const lines = aws
      .filter(([name]) => name.startsWith("AWS_"))
      .map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(workingFolder, ".env"), lines.join(""));
    const run = (...words: string[]) => {
      const environment = { AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID, HOME: workingFolder };
      return startVenue(words, { environment, workingFolder }).finished;
    };
    const to = newPrefix();
    const { code, stdout, stderr } = await run("build", "--engine", "trino", "--from", to);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("Nothing is published in")]);
  });

  it("the store is reached through the proxy in .env", async () => {
    const workingFolder = createTempFolder();
    const proxy = await startConnectProxy(await serveTls(endpoint));
    writeFileSync(join(workingFolder, ".env"), `HTTPS_PROXY=${proxy.url}\n`);
    const environment = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("AWS_"))),
      AWS_ENDPOINT_URL_S3: "https://venue.test",
      NODE_EXTRA_CA_CERTS: certificateFile,
      VENUE_DATA_DIR: await shareDemoData(),
    };
    const to = newPrefix();
    const run = (settings: Record<string, string>) =>
      startVenue(["publish", "--to", to], { environment: { ...environment, ...settings }, workingFolder })
        .finished;
    const refused = await run({ HTTPS_PROXY: proxy.url.replace("venue:", "other:") });
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringMatching(
        /can't be reached, because the proxy answers with status 407\. Check HTTPS_PROXY/,
      ),
    ]);
    const published = await run({});
    expect([published.code, published.stdout]).toEqual([0, `Published v000001 to ${to}.\n`]);
    expect(new Set(proxy.requested)).toEqual(new Set(["venue.test:443"]));
    expect(refused.stderr + published.stderr).not.toContain(encodeURIComponent(proxyPassword));
  });
});
