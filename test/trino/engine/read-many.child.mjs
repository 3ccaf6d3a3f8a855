// Reads rows of 100 characters; prints their count and the sum of their numbers.
// node read-many.child.mjs URL ROWS
import { TrinoEngine } from "../../../dist/engines/trino/trino-engine.js";
import { silentLogger } from "../../../dist/util/logger.js";

const [url, thousands] = process.argv.slice(2);
const engine = new TrinoEngine({ url, user: "tester", catalog: "system", logger: silentLogger });
const { rows } = await engine.stream(
  `select a.x * 1000 + b.y as n, rpad('', 100, 'x') as text
  from unnest(sequence(0, ? - 1)) as a (x), unnest(sequence(0, 999)) as b (y)`,
  [Number(thousands)],
);
let count = 0;
let sum = 0;
for await (const [number] of rows) {
  count += 1;
  sum += number;
}
engine.close();
process.stdout.write(`${count} ${sum}\n`);
