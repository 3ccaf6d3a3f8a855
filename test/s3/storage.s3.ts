import { testStorage } from "../storage/storage-suite.ts";
import { abandonUpload, describeStore, newPrefix } from "./use-store.ts";

for (const name of ["versitygw", "moto"] as const) {
  describeStore(name, () => {
    // moto dates all uploads to 2010.
    testStorage({ createTarget: newPrefix, abandonUpload, hasClock: name !== "moto" });
  });
}
