import { parentPort, workerData } from "node:worker_threads";
import { cutInBatches } from "./cut-in-batches.ts";

await cutInBatches(workerData, (batch) => parentPort?.postMessage(batch));
