import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openService } from "./service.mjs";
import { tell } from "./tell.mjs";

const watcher = fileURLToPath(new URL("watch-memory.mjs", import.meta.url));
const megabyte = 1e6;
/** Yields a million music records of about 280 bytes in 60 days. */
const millionScale = 70;

/** Memory outside DuckDB, with many zones, a long history, and an export of this many gigabytes. */
export async function measureMemory(root, { zones, gigabytes }) {
  const many = { zones, days: 2, playScale: 0.02, ratePerSecond: 500 };
  await measure(root, `${zones} zones, exports`, many, "export");
  await measure(root, `${zones} zones, walks`, many, "walk");
  const long = {
    zones: 1,
    playScale: 0.001,
    zoneScales: [{ zoneId: 81001, kind: "music", playScale: millionScale }],
  };
  const fast = { ratePerSecond: 500, pageLimit: 1000 };
  await measure(root, "1 million records in a zone, walked", { ...long, ...fast }, "walk");
  await measure(root, "the same, unsorted", { ...long, ...fast, order: "unsorted" }, "walk");
  const scales = Array.from({ length: Math.ceil(gigabytes / 0.28) }, (_, index) => ({
    zoneId: 81001 + index,
    kind: "music",
    playScale: millionScale,
  }));
  const large = { zones: scales.length, playScale: 0.001, zoneScales: scales, ratePerSecond: 100 };
  await measure(root, `${gigabytes} GB of exports`, large, "export");
}

async function measure(root, label, options, mode) {
  const service = await openService(root, { exportSeconds: 0.5, ...options });
  const file = join(root, "memory.json");
  const { seconds } = await service.sync(["devices", "history", "--mode", mode], {
    nodeArguments: ["--import", watcher],
    environment: { WATCH_MEMORY: file },
  });
  const { beside, javaScript, total } = JSON.parse(readFileSync(file, "utf8"));
  const [all, heap] = [total, javaScript].map((bytes) => (bytes / megabyte).toFixed(0));
  console.log(`${label}: ${seconds} s; ${all} MB with DuckDB, ${heap} MB of it JavaScript's`);
  tell("  MB beside DuckDB", beside / megabyte, 300);
  tell("  figures that are not exact", await service.wrongFigures(), 0);
  await service.close();
}
