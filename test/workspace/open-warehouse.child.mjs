// Opens the warehouse that it is given, waiting so many milliseconds, and prints how that ended.
import { openWarehouse } from "../../dist/workspace/warehouse.js";

const [path, patienceMs] = process.argv.slice(2);
openWarehouse({ path, patienceMs: Number(patienceMs) }).then(
  () => process.stdout.write("opened"),
  (error) => process.stdout.write(error.name),
);
