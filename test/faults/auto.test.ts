import { meetFaults } from "./meet-faults.ts";

meetFaults("auto");
