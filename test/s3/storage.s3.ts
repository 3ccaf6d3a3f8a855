import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { openStorage } from "../../src/storage/open-storage.ts";
import { copyObject } from "../../src/storage/s3/copy-object.ts";
import { createClient } from "../../src/storage/s3/create-client.ts";
import { testStorage } from "../storage/storage-suite.ts";
import { abandonUpload, describeStore, newPrefix } from "./use-store.ts";

for (const name of ["versitygw", "moto"] as const) {
  describeStore(name, () => {
    // moto dates all uploads to 2010.
    testStorage({ createTarget: newPrefix, abandonUpload, hasClock: name !== "moto" });

    it("copies a large object in parts", async () => {
      const [target, content] = [newPrefix(), randomBytes(12_000_000)];
      const storage = await openStorage(target);
      await storage.put("source", content);
      const prefix = target.slice("s3://venue/".length);
      const sha256 = createHash("sha256").update(content).digest("hex");
      await copyObject(
        { client: createClient(), Bucket: "venue", Key: `${prefix}/copy` },
        `${prefix}/source`,
        { bytes: content.length, sha256 },
        (send) => send({}),
        5 * 1024 ** 2,
      );
      expect((await storage.find("copy"))?.content.equals(content)).toBe(true);
    });
  });
}
