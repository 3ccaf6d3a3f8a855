// Waits in the request queue of the given database until it is killed.
import { openClientState } from "../../../dist/state/client/client-state.js";
import { computePace } from "../../../dist/state/client/pace.js";
import { RequestBudget } from "../../../dist/state/client/request-budget.js";

const budget = new RequestBudget(openClientState(process.argv[2]), "api", computePace(1000));
const ticket = budget.join();
budget.claimTurn(ticket);
setInterval(() => budget.claimTurn(ticket), 500);
process.stdout.write("waiting\n");
