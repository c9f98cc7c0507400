import { startLoopbackCluster } from "../support/loopback-cluster.ts";
import { defineConformance } from "./suite.ts";

defineConformance("Fastify on the loopback address", () => startLoopbackCluster());
