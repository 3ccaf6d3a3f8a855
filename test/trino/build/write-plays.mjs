// node write-plays.mjs FILE PLAYS: writes the lines of a history with this many plays, zone by zone.
import { historyOf } from "../../bench/history/history.mjs";
import { zoneByZone } from "../../bench/history/orders.mjs";
import { writeLines } from "../../bench/history/write-lines.mjs";

const [file, count] = process.argv.slice(2);
const plays = Number(count);
const history = historyOf(plays);

await writeLines(file, history, zoneByZone(history, plays));
