import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { dateOf } from "../history/history.mjs";
import { cpuSecondsOf, peakMbOf } from "../measure/process-figures.mjs";
import { outside, program } from "../measure/venue.mjs";
import { builtFolder } from "./build-cases.mjs";

const views = [
  "/",
  "/plays",
  "/plays?by=zone,kind",
  "/plays?by=zone,date",
  "/plays?by=item&top=20",
  "/plays?by=hour",
  "/compliance?by=campaign",
  "/compliance?by=zone,date",
  "/uptime",
  "/uptime?by=device",
  "/outages",
  "/silences",
  "/devices",
  "/quality",
  "/loads",
];
const firstRows = "serve, first bytes of half of all plays as CSV";
export const wholeRows = "serve, half of all plays as CSV";

/** One round: each view once on a freshly started server, then millions of rows. */
export async function measureServe({ folder, history, figures, say }) {
  say("serve");
  const words = ["serve", "--no-token", "--port", "0", "--data-dir", builtFolder(folder)];
  const server = spawn(process.execPath, [program, ...words], outside(folder));
  try {
    const [address] = await once(createInterface({ input: server.stdout }), "line");
    const take = async (what, path, read) =>
      await figures.take(what, async () => {
        const before = cpuSecondsOf(server.pid);
        const startedAt = performance.now();
        const answer = await fetch(new URL(path, address));
        if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
        const seconds = await read(answer, startedAt);
        return { seconds, cpuSeconds: cpuSecondsOf(server.pid) - before, peakMb: peakMbOf(server.pid) };
      });
    const show = async (view) => await take(`serve ${view.replaceAll(/\d{2,}(-\d\d)*/g, "N")}`, view, whole);
    for (const view of views) await show(view);
    for (const view of await deepViews(address, history)) await show(view);
    const rows = `/single-plays.csv?from=${dateOf(history, Math.ceil(history.days / 2))}&to=${dateOf(history, history.days - 1)}`;
    await take(firstRows, rows, firstBytes);
    await take(wholeRows, rows, whole);
  } finally {
    server.kill();
    await once(server, "close");
  }
}

/** The last views of a drill-down: one zone's plays of a day, and the explanation of a compliance cell. */
async function deepViews(address, history) {
  const day = dateOf(history, history.days - 1);
  const json = async (path) => (await fetch(new URL(path, address))).json();
  const [{ zone_id: zone }] = await json(`/plays.json?by=zone&from=${day}&to=${day}`);
  const cells = await json(`/compliance.json?by=campaign,zone,date&from=${day}&to=${day}`);
  const cell = cells.find(({ scheduled_days: days }) => days > 0);
  return [
    `/single-plays?from=${day}&to=${day}&zone=${zone}`,
    ...(cell
      ? [`/cell?campaign=${cell.campaign_id}&kind=${cell.kind}&zone=${cell.zone_id}&date=${cell.date}`]
      : []),
  ];
}

async function whole(answer, startedAt) {
  for await (const _bytes of answer.body);
  return (performance.now() - startedAt) / 1000;
}

async function firstBytes(answer, startedAt) {
  const reader = answer.body.getReader();
  await reader.read();
  const seconds = (performance.now() - startedAt) / 1000;
  await reader.cancel();
  return seconds;
}

export function isView(what) {
  return what.startsWith("serve /") || what === firstRows;
}
