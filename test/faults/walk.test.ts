import { meetFaults } from "./meet-faults.ts";

meetFaults("walk");
