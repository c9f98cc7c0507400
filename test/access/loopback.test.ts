import { startLoopbackCluster } from "../support/loopback-cluster.ts";
import { rules } from "./rules.ts";
import { defineAccess } from "./suite.ts";

defineAccess("Fastify on the loopback address", () => startLoopbackCluster({ access: rules }));
