import { parentPort, workerData } from "node:worker_threads";
import { cutInBatches } from "./cut-file.ts";

await cutInBatches(workerData, (batch) => parentPort?.postMessage(batch));
