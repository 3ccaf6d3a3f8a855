// Opens the given warehouse, waiting up to this many milliseconds, and prints the outcome.
import { openWarehouse } from "../../dist/workspace/warehouse.js";

const [path, openTimeoutMs] = process.argv.slice(2);
openWarehouse({ path, openTimeoutMs: Number(openTimeoutMs) }).then(
  () => process.stdout.write("opened"),
  (error) => process.stdout.write(error.name),
);
