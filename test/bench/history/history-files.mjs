import { spawnSync } from "node:child_process";
import {
  createReadStream,
  existsSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { lateLine } from "./late-line.mjs";
import { inOrderOfTime, shuffled, zoneByZone } from "./orders.mjs";
import { gzipFile, writeLines } from "./write-lines.mjs";

const lineBytes = 310;
/** Space for warehouses, databases and Parquet files, as a multiple of the plain files' size. */
const beside = 1.5;
const fileNames = {
  "by time": "by-time.jsonl",
  "by zone": "by-zone.jsonl",
  "by zone, one more day": "by-zone-grown.jsonl",
  shuffled: "shuffled.jsonl",
  broken: "broken.jsonl",
  gzipped: "by-time.jsonl.gz",
  "late line": "late-line.jsonl",
  "start of by time": "start.jsonl",
};
/** Lines in the file's first part. */
export const startLines = 200_000;

/**
 * Input files, created on first use. They are kept for later rounds while the disk has room; then the least
 * recently used one is removed. The file in time order, which most cases use, is always kept.
 */
export class HistoryFiles {
  #folder;
  #history;
  /** Paths, least recently used first. */
  #removable = new Set();

  constructor(folder, history) {
    this.#folder = folder;
    this.#history = history;
  }

  /** Describes the shortage if the folder cannot hold two files and the space they require. */
  findShortage() {
    const needed = (2 + beside) * plainBytes(this.#history);
    const free = freeBytes(this.#folder);
    if (free >= needed) return undefined;
    return (
      `${this.#folder} has ${gigabytes(free)} free; ${this.#history.plays} lines need ${gigabytes(needed)}. ` +
      "Point TMPDIR to a folder with more room, or take a smaller N."
    );
  }

  /**
   * Calls `use` with the path of a file, cached by the system as far as it fits, with the other files dropped
   * from the cache: if they fill memory, the system needs a core to free it, and later cases would pay for
   * earlier reads.
   */
  async with(name, use) {
    if (name === "by time, one more day") return await this.#withOneMoreDay(use);
    const path = join(this.#folder, fileNames[name]);
    if (!existsSync(path)) {
      this.#makeRoom();
      await this.#make(name, path);
    }
    this.#removable.delete(path);
    await readThrough(path);
    try {
      return await use(path);
    } finally {
      dropFromCache(path);
      if (name !== "by time") this.#removable.add(path);
    }
  }

  #makeRoom() {
    for (const path of this.#removable) {
      if (freeBytes(this.#folder) >= (1 + beside) * plainBytes(this.#history)) return;
      rmSync(path);
      this.#removable.delete(path);
    }
  }

  /** Appends a day to the file in time order, and cuts it off afterwards. */
  async #withOneMoreDay(use) {
    return await this.with("by time", async (path) => {
      const { size } = statSync(path);
      const { plays, playsOfOneDay } = this.#history;
      try {
        await writeLines(path, this.#history, inOrderOfTime(this.#history, plays, plays + playsOfOneDay), {
          flags: "a",
        });
        return await use(path);
      } finally {
        truncateSync(path, size);
      }
    });
  }

  async #make(name, path) {
    const { plays, playsOfOneDay } = this.#history;
    const write = (order, options) => writeLines(path, this.#history, order, options);
    const byTime = () => inOrderOfTime(this.#history, 0, plays);
    const makers = {
      "by time": () => write(byTime()),
      "by zone": () => write(zoneByZone(this.#history, plays)),
      "by zone, one more day": () => write(zoneByZone(this.#history, plays + playsOfOneDay)),
      shuffled: () => write(shuffled(this.#history, plays)),
      broken: () => write(byTime(), { spoils: true }),
      gzipped: () => this.with("by time", (plain) => gzipFile(plain, path)),
      "start of by time": () => write(inOrderOfTime(this.#history, 0, Math.min(plays, startLines))),
      "late line": () => writeFileSync(path, lateLine(this.#history)),
    };
    await makers[name]();
  }
}

function plainBytes({ plays }) {
  return plays * lineBytes;
}

function freeBytes(folder) {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

async function readThrough(path) {
  for await (const _chunk of createReadStream(path, { highWaterMark: 4 << 20 }));
}

/** Requires GNU `dd`; without it, the file stays in the cache. */
function dropFromCache(path) {
  spawnSync("dd", [`if=${path}`, "iflag=nocache", "count=0", "status=none"]);
}

function gigabytes(bytes) {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
