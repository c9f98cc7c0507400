/**
 * 503 with Retry-After for the requests of an overloaded node, by the plugin @fastify/under-pressure. The plugin's own samples call
 * `process.memoryUsage()` in a timer, which throws when the process has no file descriptors left. So the node's own sample of the event
 * loop is the plugin's health check, and the plugin takes none (decision 26).
 */
import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import { RefusedRequest } from "./intake.ts";

export interface Pressure {
  readonly isHigh: () => boolean;
  /** Path of the address of a request. */
  readonly pathOf: (url: string) => string;
}

/** Paths that are answered under pressure too, because health checks must see that the node is alive. */
const alwaysAnswered = /^\/(livez|readyz|v1\/status|v1\/info)(\/|\?|$)/;

const checkMs = 250;
/** The longest that a timer of the runtime can wait. */
const neverMs = 2 ** 31 - 1;

export async function answerUnderPressure(fastify: FastifyInstance, pressure: Pressure): Promise<void> {
  await fastify.register(underPressure, {
    sampleInterval: neverMs,
    healthCheckInterval: checkMs,
    healthCheck: () => Promise.resolve(!pressure.isHigh()),
    pressureHandler: async ({ raw }) => {
      if (!alwaysAnswered.test(pressure.pathOf(raw.url ?? "/"))) {
        throw new RefusedRequest(503, "Server is overloaded, try again");
      }
    },
  });
}
