import { startSimulatedService } from "../support/simulated-service.ts";
import { defineConformance } from "./suite.ts";

defineConformance("the simulated network", () => startSimulatedService());
