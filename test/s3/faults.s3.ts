import { createHash, randomBytes } from "node:crypto";
import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { publishVersion } from "../../src/publish/publish-version.ts";
import { assertConditional } from "../../src/storage/assert-conditional.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { ageVersions, readShown } from "../publish/publish-suite.ts";
import { PublishedWarehouse, song } from "../publish/published-warehouse.ts";
import { itInAll } from "../support/long-suite.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { type ChooseFault, type Fault, failFirst, isListing } from "./faulty-proxy.ts";
import { age, describeStore, newPrefix, openBoth as openPrefix, throughProxy } from "./use-store.ts";

describeStore("versitygw", (endpoint) => {
  const openBoth = (choose: ChooseFault) => openPrefix(endpoint, choose);

  const faults: Fault[] = ["lost", "unsent", "500 InternalError", "503 SlowDown"];

  it.each([...faults, "cut" as const])("a conditional write is exact after a fault: %s", async (fault) => {
    const { faulty, storage } = await openBoth(failFirst(fault, "PUT"));
    const first = await faulty.put("current", "1", { ifNoneMatch: "*" });
    expect(await storage.find("current")).toMatchObject({ content: Buffer.from("1"), version: first });
    const { faulty: again } = await openBoth(failFirst(fault, "PUT"));
    await again.put("current", "1");
    await expect(again.put("current", "2", { ifNoneMatch: "*" })).rejects.toThrow(
      expect.objectContaining({ code: "STORAGE_CONFLICT" }),
    );
  });

  it("recognizes a write whose responses were all lost", async () => {
    const { faulty, storage } = await openBoth(failFirst("lost", "PUT", Number.POSITIVE_INFINITY));
    const first = await storage.put("current", "1");
    const second = await faulty.put("current", "2", { ifMatch: first });
    expect(await storage.find("current")).toMatchObject({ content: Buffer.from("2"), version: second });
  });

  it.each([
    ["unsent", /^Can't write s3:\S+\/current: the store broke the connection\. /],
    ["500 InternalError", /the store failed, even after several attempts \(InternalError, status 500\)/],
    [
      "503 SlowDown",
      /the store reports too many requests, even after several attempts \(SlowDown, status 503\)/,
    ],
  ] as const)("a store that keeps failing is one clear error: %s", async (fault, message) => {
    const { faulty, storage } = await openBoth(failFirst(fault, "PUT", Number.POSITIVE_INFINITY));
    const first = await storage.put("current", "1");
    const failed = faulty.put("current", "2", { ifMatch: first });
    await expect(failed).rejects.toThrow(
      expect.objectContaining({ code: "STORAGE_UNAVAILABLE", category: "service" }),
    );
    await expect(failed).rejects.toThrow(message);
    expect((await storage.find("current"))?.version).toBe(first);
  });

  it.each([...faults, "cut" as const])("a read is exact after a fault: %s", async (fault) => {
    const { faulty, storage } = await openBoth(failFirst(fault, "GET"));
    const content = randomBytes(300_000);
    await storage.put("object", content);
    expect((await faulty.find("object"))?.content.equals(content)).toBe(true);
  });

  it("leaves no upload if interrupted while the store begins it", async () => {
    const target = newPrefix();
    const controller = new AbortController();
    const interrupt: ChooseFault = (method, path) => {
      if (method === "POST" && path.includes("uploads")) controller.abort(new Error("Interrupted."));
      return undefined;
    };
    const { signal } = controller;
    const faulty = await throughProxy(endpoint, interrupt, () => openStorage(target, { signal }));
    const [file, content] = [join(createTempFolder(), "big"), Buffer.alloc(34_000_000)];
    writeFileSync(file, content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    await expect(faulty.putFile("big", file, sha256)).rejects.toThrow("Interrupted.");
    const storage = await openStorage(target);
    for await (const upload of storage.listUploads()) expect(upload).toBeUndefined();
  });

  it.each<[string, ChooseFault]>([
    ["a part is lost", failFirst("lost", "PUT", 1, /partNumber=2/)],
    ["a part is not sent", failFirst("unsent", "PUT", 1, /partNumber=1/)],
    ["a part is cut off", failFirst("cut", "PUT", 1, /partNumber=1/)],
    ["the response to the last request is lost", failFirst("lost", "POST", 1, /uploadId/)],
    ["the last request fails", failFirst("500 InternalError", "POST", 1, /uploadId/)],
  ])("a large file is exact after a fault: %s", async (_fault, choose) => {
    const { faulty, storage } = await openBoth(choose);
    const [file, content] = [join(createTempFolder(), "big"), randomBytes(34_000_000)];
    writeFileSync(file, content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    await faulty.putFile("big", file, sha256);
    const found = await storage.findRange("big", { start: 0, bytes: content.length });
    expect(found?.equals(content)).toBe(true);
    for await (const upload of storage.listUploads()) expect(upload).toBeUndefined();
  });

  it.each<[string, ChooseFault]>([
    [
      "SHA-256 of parts",
      (_method, path, headers) =>
        path.includes("partNumber=") && "x-amz-checksum-sha256" in headers ? "501 NotImplemented" : undefined,
    ],
    [
      "deletions of several objects",
      (_, path) => (path.includes("?delete") ? "501 NotImplemented" : undefined),
    ],
  ])("stores that lack this are used, and nothing is left: %s", async (_lacking, choose) => {
    const { faulty, storage } = await openBoth(choose);
    await assertConditional(faulty);
    const [file, content] = [join(createTempFolder(), "big"), randomBytes(17_000_000)];
    writeFileSync(file, content);
    await faulty.putFile("big", file, createHash("sha256").update(content).digest("hex"));
    await faulty.put("small", "1");
    const keys = async () => {
      const found: string[] = [];
      for await (const { key } of storage.list("")) found.push(key);
      return found;
    };
    expect(await keys()).toEqual(["big", "small"]);
    await faulty.delete(["big", "missing", "small"]);
    expect(await keys()).toEqual([]);
  });

  it("keys from a profile are used with its region", async () => {
    const file = join(createTempFolder(), "credentials");
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION } = process.env;
    const keys = `aws_access_key_id=${AWS_ACCESS_KEY_ID}\naws_secret_access_key=${AWS_SECRET_ACCESS_KEY}\n`;
    writeFileSync(file, `[default]\nregion=${AWS_REGION}\n${keys}[other]\nregion=us-west-2\n${keys}`);
    keepEnvironment();
    for (const name of ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) delete process.env[name];
    Object.assign(process.env, { AWS_SHARED_CREDENTIALS_FILE: file, AWS_CONFIG_FILE: "/nowhere" });
    expect(await (await openStorage(newPrefix())).find("missing")).toBeUndefined();
    process.env.AWS_PROFILE = "other";
    // versitygw accepts only its own region.
    await expect((await openStorage(newPrefix())).find("missing")).rejects.toThrow(/AWS_REGION/);
  });

  /** Publishes to the same place through the faulty proxy, and directly. */
  async function publishThrough(choose: ChooseFault): Promise<unknown> {
    const { faulty, storage } = await openBoth(choose);
    const from = realpathSync(join(await shareDemoData(), "published", "current"));
    const result = await publishVersion({ from, to: faulty, logger }).catch((error: unknown) => error);
    expect(await storage.find("current.json")).toEqual(
      result instanceof Error ? undefined : expect.anything(),
    );
    await publishVersion({ from, to: storage, logger });
    expect((await readShown(storage)).version).toBe("v000001");
    return result;
  }

  itInAll("a publish is complete even if every tenth request has a fault", async () => {
    let requests = 0;
    const result = await publishThrough((method) => {
      requests += 1;
      const fault = faults[Math.floor(requests / 10) % faults.length];
      // A deletion whose response was lost is repeated, which is correct, too.
      return requests % 10 === 0 && method !== "HEAD" ? fault : undefined;
    });
    expect(result).toMatchObject({ manifest: { version: "v000001" } });
    expect(requests).toBeGreaterThan(100);
  });

  it.each([
    ["403 AccessDenied", /the credentials lack a permission\. Grant them s3:PutObject/],
    ["400 ExpiredToken", /the credentials have expired\. Get new ones/],
    ["403 RequestTimeTooSkewed", /this machine's clock is wrong/],
  ] as const)("a publish ends in one clear error, and is repeated, after %s", async (fault, message) => {
    const error = await publishThrough((method, path) =>
      method === "PUT" && path.includes("/current.json") ? fault : undefined,
    );
    expect(error).toMatchObject({ code: "STORAGE_UNUSABLE", category: "usage" });
    expect(String(error)).toMatch(message);
  });

  it("a publish is exact if listings are out of date", async () => {
    let isStale = true;
    const { faulty, storage } = await openBoth((_method, path) =>
      isStale && isListing(path) ? "stale" : undefined,
    );
    const published = await PublishedWarehouse.open();
    // The first listings of all have no objects, and those of the third publish the files of three versions.
    for (const [day, stale] of [true, true, false, true, true].entries()) {
      isStale = stale;
      await published.addPlays([song(`2026-10-0${day + 1} 10:00:00`)]);
      await published.buildAndPublish();
      await publishVersion({ from: published.last.folder, to: faulty, logger });
      expect(await readShown(storage)).toMatchObject({
        version: published.last.version,
        rows: { fact_play: day + 1 },
      });
      await ageVersions(storage, age);
    }
  });

  it("reports a missing write permission, even if cleaning up is not permitted either", async () => {
    const { faulty } = await openBoth((method, path) =>
      method === "PUT" || path.includes("delete") ? "403 AccessDenied" : undefined,
    );
    await expect(assertConditional(faulty)).rejects.toThrow(/^Can't write .* Grant them s3:PutObject/);
  });

  it("errors name wrong permissions, keys, buckets and addresses, but no secret", async () => {
    const cases: [Record<string, string>, string, RegExp][] = [
      [{ AWS_ACCESS_KEY_ID: "AKIAWRONGKEY" }, newPrefix(), /does not know the access key/],
      [{ AWS_SECRET_ACCESS_KEY: "wrongsecret" }, newPrefix(), /or the secret is wrong/],
      [{}, "s3://no-such-bucket/x", /the bucket no-such-bucket does not exist/],
      [{ AWS_REGION: "us-west-2" }, newPrefix(), /Set AWS_REGION/],
      [{ AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9" }, newPrefix(), /refuses connections/],
      [{ AWS_ENDPOINT_URL_S3: "127.0.0.1:9" }, newPrefix(), /AWS_ENDPOINT_URL_S3/],
      [
        { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", HOME: "/nowhere" },
        newPrefix(),
        /Set AWS_ACCESS_KEY_ID/,
      ],
      [{ AWS_PROFILE: "nobody", AWS_ACCESS_KEY_ID: "", HOME: "/nowhere" }, newPrefix(), /AWS_PROFILE/],
    ];
    const restore = keepEnvironment();
    for (const [environment, target, message] of cases) {
      restore();
      Object.assign(process.env, environment);
      const storage = await openStorage(target);
      const error: unknown = await storage
        .put("current", "1", { ifNoneMatch: "*" })
        .catch((thrown) => thrown);
      expect(error).toMatchObject({ code: expect.stringMatching(/^STORAGE_UN/) });
      expect(String(error)).toMatch(message);
      const shown = inspect(error, { depth: 10, showHidden: true });
      for (const secret of ["AKIAWRONGKEY", "wrongsecret", "secret-of-the-tests", "AWS4-HMAC", "Signature="])
        expect(shown).not.toContain(secret);
    }
  });
});

/**
 * Restores the environment after the test. It is changed in place: `vi.unstubAllEnvs` works only on the object that the
 * process started with.
 * @returns a function that restores it at once
 */
function keepEnvironment(): () => void {
  const before = { ...process.env };
  const restore = () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  };
  onTestFinished(restore);
  return restore;
}
