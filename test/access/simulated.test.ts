import { startSimulatedService } from "../support/simulated-service.ts";
import { accessControl } from "./rules.ts";
import { defineAccess } from "./suite.ts";

defineAccess("the simulated network", () => startSimulatedService("access", { accessControl }));
