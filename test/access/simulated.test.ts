import { startSimulatedService } from "../support/simulated-service.ts";
import { rules } from "./rules.ts";
import { defineAccess } from "./suite.ts";

defineAccess("the simulated network", () => startSimulatedService("access", { access: rules }));
