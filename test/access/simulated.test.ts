import { startSimulatedService } from "../support/simulated-service.ts";
import { defineGrants } from "./grants.ts";
import { rules, userGroups } from "./rules.ts";
import { defineAccess } from "./suite.ts";

defineAccess("the simulated network", () => startSimulatedService("access", { access: rules, userGroups }));
defineGrants("the simulated network", () => startSimulatedService("grants", { properties: { "catalog.management": "dynamic" } }));
