import { testFaults } from "./meet-faults.ts";

testFaults("export");
