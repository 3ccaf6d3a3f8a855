import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { createProgressLine } from "../../../src/util/text/progress-line.ts";

function shown(parts: readonly string[], columns?: number): string[] {
  const written: string[] = [];
  const line = createProgressLine({
    write: (text) => written.push(text),
    log: (text) => written.push(text),
    isTerminal: columns !== undefined,
    intervalMs: 0,
    columns: () => columns,
  });
  line.show(...parts);
  return written;
}

const parts = [
  "34 requests, about 86 left (89 s)",
  "2 problems",
  "history 3/6",
  "campaigns 12/56",
  "0.4 MB/s",
];

it.each([
  [60, "34 requests, about 86 left (89 s); 2 problems; history 3/6"],
  [59, "34 requests, about 86 left (89 s); 2 problems; history 3/6"],
  [58, "34 requests, about 86 left (89 s); 2 problems"],
  [20, "34 requests, about "],
  [200, parts.join("; ")],
])("at %i columns fills less than one line", (columns, text) => {
  expect(shown(parts, columns)).toEqual([`\r${text}\u001b[K`]);
  expect(text.length).toBeLessThan(columns);
});

it("writes everything without a terminal", () => {
  expect(shown(parts)).toEqual([parts.join("; ")]);
});

it("continues without a terminal after the clock was set back", async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"] });
  const written: string[] = [];
  const log = (text: string) => written.push(text);
  const line = createProgressLine({ write: log, log, isTerminal: false, intervalMs: 10 });
  vi.setSystemTime(Date.now() - 3_600_000);
  await setTimeout(20);
  line.show("34 requests");
  expect(written).toEqual(["34 requests"]);
});
