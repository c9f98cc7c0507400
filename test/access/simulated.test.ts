import { startSimulatedService } from "../support/simulated-service.ts";
import { defineGrants } from "./grants.ts";
import { rules } from "./rules.ts";
import { defineAccess } from "./suite.ts";

defineAccess("the simulated network", () => startSimulatedService("access", { access: rules }));
defineGrants("the simulated network", () => startSimulatedService("grants", { properties: { "catalog.management": "dynamic" } }));
