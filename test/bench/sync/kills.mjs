import { openService } from "./service.mjs";
import { tell } from "./tell.mjs";

export async function measureKills(root, kills) {
  const service = await openService(root, {
    zones: 4,
    days: 8,
    playScale: 0.3,
    pageLimit: 20,
    ratePerSecond: 100,
    exportSeconds: 0.3,
    faults: [{ name: "job-fails", endpoint: "POST /v5/ext/data/music" }],
  });
  const { requests } = service.emulator;
  let seed = 7;
  const ends = [];
  for (let kill = 0; kill < kills; kill += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    const target = requests.length + 1 + (seed % 9);
    await service.killed(["sync", "history", "--mode", "export"], () => requests.length >= target);
    ends.push(requests.length);
  }
  await service.venue("sync", "history", "--mode", "export");
  tell(`killed ${kills} times, finished: figures that are not exact`, await service.wrongFigures(), 0);
  tell(
    "  exports beyond those needed",
    Math.max(0, service.emulator.jobs.length - 10 - service.unanswered()),
    0,
  );
  tell("  pages of a zone asked again after a kill, at most", askedAgain(requests, ends), 1);
  await service.close();
}

function askedAgain(requests, ends) {
  const earlier = new Set();
  let most = 0;
  for (const [run, from] of [0, ...ends].entries()) {
    const again = new Map();
    const pages = requests.slice(from, ends[run]).filter(({ path }) => path.endsWith("/history"));
    for (const { path, query } of pages) {
      const zone = `${path} ${query.split("&")[0]}`;
      if (earlier.has(`${path} ${query}`)) again.set(zone, (again.get(zone) ?? 0) + 1);
    }
    most = Math.max(most, ...again.values());
    for (const { path, query } of pages) earlier.add(`${path} ${query}`);
  }
  return most;
}
