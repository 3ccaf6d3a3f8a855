import { daysBefore, describeTrace, openService } from "./service.mjs";
import { tell } from "./tell.mjs";

/** Walks half the demo world: the first time and a day later. */
export async function measureRequests(root) {
  const rate = 10;
  const service = await openService(root, { ratePerSecond: rate, zones: 6, now: daysBefore(1) });
  for (const label of ["first walk of half the demo world", "a day later"]) {
    const { requests, seconds, trace } = await service.sync(["history", "--mode", "walk"]);
    const fewest = label === "a day later" ? service.deepestPages() : service.wholePages();
    tell(`${label}: ${requests} requests; ÷ the fewest, ${fewest}`, requests / fewest, 1.1);
    console.log(describeTrace(trace));
    // With few requests, startup dominates the time.
    if (requests > 100) {
      tell(`  time ÷ (requests ÷ rate): ${seconds} s`, seconds / (requests / rate), 1.05);
      tell("  asking ÷ what the rate alone takes", trace.asking / trace.atPace, 1.05);
    }
    service.setNow(service.emulator.world.endsAt);
  }
  await service.close();
}
