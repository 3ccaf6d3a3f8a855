// Holds the run lock of the given database until it is killed.
import { openDataState } from "../../../dist/state/data/data-state.js";

openDataState(process.argv[2]).runs.begin("sync");
process.stdout.write("held\n");
setInterval(() => {}, 60_000);
