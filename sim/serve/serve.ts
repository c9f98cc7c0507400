/** Assembles `sim serve`: an HTTP door, the chaos rules behind it, and a simulated cluster behind those. */
import { ChaosDoor, type RequestEnding } from "../../src/chaos/door.ts";
import { isChaosPath } from "../../src/chaos/resource.ts";
import type { RunPlan } from "../plan.ts";
import { calmLink } from "../world/fates.ts";
import { nanosPerSecond } from "../world/world.ts";
import { HttpDoor, type HttpDoorOptions } from "./http-door.ts";
import { ServedCluster, type ServedClusterOptions } from "./served-cluster.ts";

export interface ServeOptions extends ServedClusterOptions, Pick<HttpDoorOptions, "host" | "port"> {}

export interface Served {
  /** `http://host:port` */
  readonly uri: string;
  readonly cluster: ServedCluster;
  close(): Promise<void>;
}

export async function serve(options: ServeOptions): Promise<Served> {
  const cluster = new ServedCluster(options);
  await cluster.start();
  const chaos = new ChaosDoor(cluster);
  const door = new HttpDoor({
    host: options.host,
    port: options.port,
    handler: (request, onLeave) => {
      const answer = (): Promise<RequestEnding> => chaos.answer(request, () => cluster.request(request, onLeave));
      return isChaosPath(request.url) ? answer() : cluster.whileOpen(answer);
    },
  });
  try {
    await door.listen();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return {
    uri: door.uri,
    cluster,
    close: async () => {
      await door.close();
      await cluster.stop();
    },
  };
}

/** The plan of a seed or scenario without its faults: links only have latency. */
export function calmed(plan: RunPlan): RunPlan {
  const { latencyNanosMin, latencyNanosMax } = plan.link;
  const { fates: _fates, points: _points, ...rest } = plan;
  return { ...rest, faults: [], link: { ...calmLink, latencyNanosMin, latencyNanosMax } };
}

/** A cluster without faults of its own, at about the speed of a real one. */
export function calmPlan(seed: string, workers: number): RunPlan {
  const node = (name: string): RunPlan["coordinator"] => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 });
  return {
    seed,
    coordinator: node("c"),
    workers: Array.from({ length: workers }, (_, index) => node(`w${index + 1}`)),
    link: calmLink,
    properties: {},
    schema: "tiny",
    users: [],
    faults: [],
    splitsPerNode: 4,
    nanosPerWorkUnit: 500,
    healNanos: 10 * nanosPerSecond,
    livenessNanos: 420 * nanosPerSecond,
  };
}
