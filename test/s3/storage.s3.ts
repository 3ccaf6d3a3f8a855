import { CreateMultipartUploadCommand } from "@aws-sdk/client-s3";
import { createClient } from "../../src/storage/s3/create-client.ts";
import { testStorage } from "../storage/storage-suite.ts";
import { describeStore, newPrefix } from "./use-store.ts";

for (const name of ["versitygw", "moto"] as const) {
  describeStore(name, () => {
    testStorage({
      createTarget: newPrefix,
      // moto dates all uploads to 2010.
      hasClock: name !== "moto",
      abandonUpload: async (target, key) => {
        const Key = `${target.slice("s3://venue/".length)}/${key}`;
        await createClient().send(new CreateMultipartUploadCommand({ Bucket: "venue", Key }));
      },
    });
  });
}
