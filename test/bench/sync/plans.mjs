import { daysBefore, describeTrace, openService } from "./service.mjs";
import { tell } from "./tell.mjs";

const both = ["export", "walk"];
/** Label, world, service, earlier ways of collecting, and number of days. */
const cases = [
  ["3 zones with much history", { zones: 3, days: 40 }, { ratePerSecond: 5 }, ["export"]],
  ["500 zones with little", { zones: 500, days: 3, playScale: 0.03 }, { ratePerSecond: 25 }, ["export"]],
  ["a first sync", { zones: 6, days: 20 }, { ratePerSecond: 5 }],
  ["a daily sync", { zones: 12, days: 30, playScale: 0.3 }, { ratePerSecond: 5, exportSeconds: 12 }, both, 2],
  [
    "a slow export",
    { zones: 12, days: 5, playScale: 0.3 },
    { ratePerSecond: 5, exportSeconds: 25 },
    ["export"],
  ],
  [
    "failing exports",
    { zones: 12, days: 5, playScale: 0.3 },
    { ratePerSecond: 5, faults: [{ name: "job-fails" }] },
    ["export"],
  ],
];

/** Tries both ways from the same state, and checks that the plan chose the cheaper one. */
export async function measurePlans(root) {
  for (const [label, world, options, earlier = [], days = 1] of cases) {
    const service = await openService(root, { exportSeconds: 2, ...world, ...options });
    for (let day = days; day > 0; day -= 1) {
      service.setNow(daysBefore(day, world.days));
      for (const mode of earlier) await service.sync(["devices", "history", "--mode", mode]);
    }
    service.setNow(service.emulator.world.endsAt);
    console.log(label);
    const tried = {};
    for (const mode of [...both, "auto"]) {
      const copy = service.copy(mode);
      const plan = await copy.venue("plan", "devices", "history", "--mode", mode);
      const done = await copy.sync(["devices", "history", "--mode", mode]);
      tried[mode] = { plan, ...done };
      console.log(
        `  ${mode}: planned ${plan.requests} requests, ${plan.seconds} s; took ${done.requests}, ${done.seconds} s`,
      );
      console.log(`  ${describeTrace(done.trace)}`);
    }
    const { auto } = tried;
    const ways = [...new Set(auto.plan.history.map(({ way }) => way))];
    const least = (figure) => Math.min(...both.map((mode) => tried[mode][figure]));
    tell(`  chosen: ${ways.join(" and ")}; its time ÷ the quicker's`, auto.seconds / least("seconds"), 1.1);
    tell("  requests planned, off by", off(auto.plan.requests, auto.requests), 0.2);
    tell("  seconds planned, off by", off(auto.plan.seconds, auto.seconds), 0.2);
    await service.close();
  }
}

function off(planned, was) {
  return Math.abs(planned - was) / was;
}
