import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { program } from "../measure/venue.mjs";
import { daysBefore, openService } from "./service.mjs";
import { tell } from "./tell.mjs";

const readers = 10;
const views = [
  "/",
  "/plays?by=zone",
  "/plays?by=item&top=20",
  "/compliance?by=campaign",
  "/uptime",
  "/devices",
];

/** Waiting times of ten readers who browse page after page while a day is collected and built. */
export async function measureReaders(root) {
  const service = await openService(root, { zones: 24, ratePerSecond: 20, exportSeconds: 1 });
  service.setNow(daysBefore(1));
  await service.venue("run");
  service.setNow(daysBefore(0));
  const words = ["serve", "--no-token", "--port", "0", "--data-dir", service.dataFolder];
  const server = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [address] = await once(createInterface({ input: server.stdout }), "line");
    // The program has started, and the first page was read.
    await (await fetch(address)).text();
    let isOver = false;
    const waits = [];
    const looking = Array.from({ length: readers }, async (_, reader) => {
      for (let at = reader; !isOver; at += 1) {
        const startedAt = performance.now();
        const answer = await fetch(new URL(views[at % views.length], address));
        await answer.text();
        if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
        waits.push((performance.now() - startedAt) / 1000);
        // Readers pause on each page for different times.
        await new Promise((resolve) => setTimeout(resolve, 700 + 60 * ((7 * at + reader) % 10)));
      }
    });
    await service.venue("run");
    isOver = true;
    await Promise.all(looking);
    waits.sort((a, b) => a - b);
    const median = waits[Math.floor(waits.length / 2)];
    console.log(
      `${readers} readers beside a run: ${waits.length} pages, half of them within ${median.toFixed(2)} s`,
    );
    tell("  seconds that a reader waits at most", waits.at(-1), 1);
  } finally {
    server.kill();
    await once(server, "close");
    await service.close();
  }
}
