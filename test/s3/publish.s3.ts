import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { testPublishing } from "../publish/publish-suite.ts";
import { certificateFile, proxyPassword, serveTls, startConnectProxy } from "../support/connect-proxy.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { abandonUpload, ageUploads, describeStore, expireReplaced, newPrefix } from "./use-store.ts";

describeStore("versitygw", (endpoint) => {
  testPublishing({
    createTarget: newPrefix,
    abandonUpload,
    expireReplaced,
    age: (target, key, hours) => {
      const at = new Date(Date.now() - hours * 3_600_000);
      const path = join(inject("bucketFolder"), target.slice("s3://venue/".length), key);
      if (key === "uploads") ageUploads(hours);
      else utimesSync(path, at, at);
    },
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
    expect([code, stdout]).toEqual([0, `${to} now shows v000001.\n`]);
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
    const { code, stdout, stderr } = await run("lake", "status", "--lake", to);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("No machine has published")]);
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
    expect([published.code, published.stdout]).toEqual([0, `${to} now shows v000001.\n`]);
    expect(new Set(proxy.requested)).toEqual(new Set(["venue.test:443"]));
    expect(refused.stderr + published.stderr).not.toContain(encodeURIComponent(proxyPassword));
  });
});
