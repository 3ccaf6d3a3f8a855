// Opens the warehouse that it is given, and prints the name of the error.
import { openWarehouse } from "../../dist/workspace/warehouse.js";

openWarehouse({ path: process.argv[2] }).catch((error) => process.stdout.write(error.name));
