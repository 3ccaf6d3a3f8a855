// node write-plays.mjs FILE PLAYS FROM TO: writes the lines of the zones between two shares of a history with
// this many plays.
import { historyOf } from "../../bench/history/history.mjs";
import { zoneByZone } from "../../bench/history/orders.mjs";
import { writeLines } from "../../bench/history/write-lines.mjs";

const [file, ...numbers] = process.argv.slice(2);
const [plays, from, to] = numbers.map(Number);
const history = historyOf(plays);
const [first, end] = [from, to].map((share) => Math.round(share * history.zones));

function* ofZones(batches) {
  for (const batch of batches) {
    const own = { zones: new Int32Array(batch.count), plays: new Int32Array(batch.plays.length), count: 0 };
    for (let at = 0; at < batch.count; at += 1) {
      if (batch.zones[at] < first || batch.zones[at] >= end) continue;
      own.zones[own.count] = batch.zones[at];
      own.plays[own.count] = batch.plays[at];
      own.count += 1;
    }
    yield own;
  }
}

await writeLines(file, history, ofZones(zoneByZone(history, plays)));
