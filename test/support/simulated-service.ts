/**
 * A simulated cluster as a service for tests: each request runs the world until it is answered.
 */
import type { AccessConfiguration } from "../../src/security/access-configuration.ts";
import type { UserGroupsDocument } from "../../src/security/user-groups.ts";
import { noBody } from "../../src/ports/network.ts";
import { calmCluster } from "../../scenarios/scenario.ts";
import { Cluster } from "../../sim/cluster.ts";
import { type Sabotage, SimulatedNetwork } from "../../sim/world/network.ts";
import { StreamTree } from "../../sim/world/streams.ts";
import { Incarnation, nanosPerMs, nanosPerSecond, World } from "../../sim/world/world.ts";
import { SharedState } from "../../sim/shared.ts";
import type { Service } from "./service.ts";

export interface SimulatedService extends Service {
  readonly cluster: Cluster;
  readonly workerNames: readonly string[];
  /** Simulated milliseconds since the start. */
  readonly nowMs: () => number;
}

export async function startSimulatedService(
  seed = "conformance",
  options: {
    readonly properties?: Readonly<Record<string, string>>;
    readonly sabotage?: Sabotage;
    readonly shared?: SharedState;
    readonly doubles?: "DOUBLE" | "DECIMAL";
    readonly workerNames?: readonly string[];
    readonly access?: AccessConfiguration;
    readonly userGroups?: UserGroupsDocument;
  } = {},
): Promise<SimulatedService> {
  const workerNames = options.workerNames ?? ["w1", "w2"];
  const plan = {
    ...calmCluster(seed, {
      properties: options.properties ?? {},
      ...(options.access === undefined ? {} : { access: options.access }),
      ...(options.userGroups === undefined ? {} : { userGroups: options.userGroups }),
    }),
    workers: workerNames.map((name) => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 })),
  };
  const world = new World({ streams: StreamTree.root(seed) });
  const cluster = new Cluster(world, {
    plan,
    shared: options.shared ?? new SharedState(),
    hooks: {
      onTransition: () => undefined,
      onStartFailure: (place, error) => {
        throw new Error(`${place} does not start`, { cause: error });
      },
    },
    doubles: options.doubles ?? "DOUBLE",
  });
  cluster.network.sabotage = options.sabotage;
  for (const name of cluster.names) {
    cluster.start(name);
  }
  const incarnation = new Incarnation("client", 1);
  const network = cluster.network.attach(incarnation);
  const until = async (done: () => boolean, nanos: number): Promise<boolean> =>
    world.run({ untilNanos: world.nowNanos + nanos, eventsMax: Number.MAX_SAFE_INTEGER, done });
  await until(() => (cluster.node("c")?.cluster?.activeWorkers().length ?? 0) === workerNames.length, 60 * nanosPerSecond);
  return {
    cluster,
    workerNames: cluster.workerNames,
    nowMs: () => world.nowNanos / nanosPerMs,
    uri: SimulatedNetwork.uriOf("c"),
    workerUris: cluster.workerNames.map((name) => SimulatedNetwork.uriOf(name)),
    async request(method, url, options = {}) {
      let settled = false;
      const answer = network
        .request({ method, url, headers: options.headers ?? {}, body: options.body ?? noBody }, { timeoutMs: 120_000, label: "client" })
        .finally(() => {
          settled = true;
        });
      answer.catch(() => undefined);
      await until(() => settled, 600 * nanosPerSecond);
      return answer;
    },
    async wait(ms) {
      const end = world.nowNanos + ms * nanosPerMs;
      world.at(end, "wait", () => undefined);
      await until(() => world.nowNanos >= end, ms * nanosPerMs);
    },
    stop() {
      cluster.close();
      return Promise.resolve();
    },
  };
}
