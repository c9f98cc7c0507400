import { startLoopbackCluster } from "../support/loopback-cluster.ts";
import { defineGrants } from "./grants.ts";
import { rules, userGroups } from "./rules.ts";
import { defineAccess } from "./suite.ts";

defineAccess("Fastify on the loopback address", () => startLoopbackCluster({ access: rules, userGroups }));
defineGrants("Fastify on the loopback address", () => startLoopbackCluster({ properties: { "catalog.management": "dynamic" } }));
