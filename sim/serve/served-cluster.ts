/**
 * A simulated cluster for clients outside of the simulator: real time drives the world, and requests enter it as events of the place
 * `client`. The plan's faults come again in every cycle; its users do not live here.
 */
import type { Advanced, ChaosTarget } from "../../src/chaos/target.ts";
import type { RequestEnding } from "../../src/chaos/door.ts";
import { type HttpRequest, type HttpResponse, type Network, NetworkError } from "../../src/ports/network.ts";
import { Cluster } from "../cluster.ts";
import { type FaultReport, Faults } from "../faults/faults.ts";
import type { Fault, PlannedStatement, RunPlan } from "../plan.ts";
import { SharedState } from "../shared.ts";
import { User } from "../user.ts";
import { SimulatedClock } from "../world/clock.ts";
import { SimulatedNetwork } from "../world/network.ts";
import { StreamTree } from "../world/streams.ts";
import { Incarnation, nanosPerMs, nanosPerSecond, World } from "../world/world.ts";
import { Pace } from "./pace.ts";

export interface ServedClusterOptions {
  readonly plan: RunPlan;
  /** Simulated seconds a second; 0 lets time pass only when it is advanced. */
  readonly speed: number;
  readonly shared?: SharedState;
  /** Receives each fault of the plan as it starts. */
  readonly onFault?: (report: FaultReport) => void;
  /** Receives a failure that must never happen: the engine has a bug. */
  readonly onFailure: (error: unknown) => void;
}

/** Longest time in which all workers must have joined, in simulated nanoseconds. */
const joinNanosMax = 30 * nanosPerSecond;
/** Calm time between the heal and the next cycle of the plan's faults. */
const calmNanos = 5 * nanosPerSecond;
/** Longest time that a request of a client waits, in simulated milliseconds; longer than any time-out of the engine. */
const requestTimeoutMs = 3_600_000;
/** Delays of a killed worker's restart, in milliseconds, as on a real server. */
const againMsMin = 500;
const againMsMax = 60_000;
const place = "client";

export class ServedCluster implements ChaosTarget {
  readonly seed: string;
  readonly cluster: Cluster;
  readonly #world: World;
  readonly #pace: Pace;
  readonly #options: ServedClusterOptions;
  readonly #client: Network;
  readonly #deaths = new Map<string, number>();
  #faults: Faults | undefined;
  #open = 0;
  #openedNanos = 0;
  #crowds = 0;

  constructor(options: ServedClusterOptions) {
    const { plan } = options;
    this.#options = options;
    this.seed = plan.seed;
    this.#world = new World({ streams: StreamTree.root(plan.seed) });
    this.cluster = new Cluster(this.#world, {
      plan,
      shared: options.shared ?? new SharedState(),
      doubles: "DOUBLE",
      hooks: {
        onTransition: (_place, _incarnation, { to }) => {
          if (to === "PLANNING") {
            this.#faults?.moment("planned");
          }
        },
        onCrowd: (users, sql) => this.#addCrowd(users, sql),
        onStartFailure: (name, error) => options.onFailure(new Error(`${name} does not start`, { cause: error })),
      },
    });
    const { network } = this.cluster;
    network.observer = () => this.#faults?.poke();
    // Links in answers lead back to the door by which the request came.
    network.baseUriFor = (from, { headers }) =>
      from === place && typeof headers["host"] === "string" ? `http://${headers["host"]}` : undefined;
    this.#client = network.attach(new Incarnation(place, 1));
    this.#pace = new Pace(this.#world, { speed: options.speed, realMs: () => performance.now(), onFailure: options.onFailure });
  }

  /** Resolves when all workers have joined. Their start takes simulated time and no real time. */
  async start(): Promise<void> {
    const { plan } = this.#options;
    this.cluster.faulty = false;
    for (const name of this.cluster.names) {
      this.cluster.start(name);
    }
    const joined = (): boolean => this.#activeWorkers() === plan.workers.length;
    await this.#world.run({ untilNanos: joinNanosMax, eventsMax: Number.POSITIVE_INFINITY, done: joined });
    this.cluster.faulty = true;
    this.#openedNanos = this.#world.nowNanos;
    this.#cycle();
    this.#pace.start();
  }

  #activeWorkers(): number {
    return this.cluster.node(this.#options.plan.coordinator.name)?.cluster?.activeWorkers().length ?? 0;
  }

  async stop(): Promise<void> {
    await this.#pace.stop();
    this.cluster.close();
  }

  get workers(): readonly string[] {
    return this.cluster.workerNames;
  }

  nowMs(): number {
    return Math.floor((this.#pace.nowNanos - this.#openedNanos) / nanosPerMs);
  }

  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#world.at(this.#pace.nowNanos + delayMs * nanosPerMs, "chaos delay", resolve);
      this.#pace.poke();
    });
  }

  killWorker(name: string): void {
    const deaths = (this.#deaths.get(name) ?? 0) + 1;
    this.#deaths.set(name, deaths);
    const againMs = Math.min(againMsMax, againMsMin * 2 ** (deaths - 1));
    this.#soon("chaos kill", () => {
      this.cluster.crash(name);
      this.#world.at(this.#world.nowNanos + againMs * nanosPerMs, "chaos restart", () => this.cluster.restart(name));
    });
  }

  readonly restartCoordinator = (): Promise<void> => {
    const { name } = this.#options.plan.coordinator;
    return new Promise((resolve) => {
      this.#soon("chaos restart", () => {
        this.cluster.crash(name);
        this.cluster.restart(name);
        resolve();
      });
    });
  };

  readonly advance = async (seconds: number, untilAnswered: boolean): Promise<Advanced> => {
    const isDone = (): boolean => untilAnswered && this.#open === 0;
    const passed = await this.#pace.advance(Math.round(seconds * nanosPerSecond), isDone);
    return { seconds: passed / nanosPerSecond, open: this.#open };
  };

  /** A request of a client. `onAbortable` receives a function to call when the client leaves. */
  async request(request: HttpRequest, onAbortable: (abort: () => void) => void): Promise<RequestEnding> {
    try {
      const response = await this.#ask(request, onAbortable);
      this.#faults?.clientAnswered(response.body);
      return { kind: "answered", response };
    } catch (error) {
      if (error instanceof NetworkError) {
        return { kind: "reset", response: undefined };
      }
      throw error;
    }
  }

  /** Counts a request as open, wherever it waits. */
  async whileOpen(answer: () => Promise<RequestEnding>): Promise<RequestEnding> {
    this.#open++;
    try {
      return await answer();
    } finally {
      this.#open--;
    }
  }

  #ask(request: HttpRequest, onAbortable: (abort: () => void) => void): Promise<HttpResponse> {
    const url = `${SimulatedNetwork.uriOf(this.#options.plan.coordinator.name)}${request.url}`;
    return new Promise((resolve, reject) => {
      this.#soon("client request", () => {
        this.#client
          .request(
            { ...request, url },
            {
              timeoutMs: requestTimeoutMs,
              label: "http",
              onAbortable: (abort) => onAbortable(() => this.#soon("client left", abort)),
            },
          )
          .then(resolve, reject);
      });
    });
  }

  #soon(label: string, run: () => void): void {
    this.#world.at(this.#pace.nowNanos, label, run);
    this.#pace.poke();
  }

  /** Starts the plan's faults now, and again when they have healed. */
  #cycle(): void {
    const { plan, onFault } = this.#options;
    const startNanos = this.#world.nowNanos;
    const { cluster } = this;
    // What the network keeps for a report would grow without end.
    cluster.network.fates.length = 0;
    cluster.heartbeats.length = 0;
    cluster.faulty = true;
    const healNanos = startNanos + plan.healNanos;
    this.#faults = new Faults({
      faults: plan.faults.map((fault) => shifted(fault, startNanos)),
      healNanos,
      stage: { world: this.#world, network: cluster.network, target: cluster },
      onReport: (report) => onFault?.({ ...report, atNanos: report.atNanos - this.#openedNanos }),
    });
    this.#world.at(healNanos, "heal", () => {
      cluster.faulty = false;
    });
    this.#world.at(healNanos + calmNanos, "next cycle", () => this.#cycle());
  }

  #addCrowd(users: number, sql: string): void {
    this.#crowds++;
    for (let index = 0; index < users; index++) {
      const statement: PlannedStatement = { sql, behaviour: { kind: "reads-all" }, thinkNanos: 0 };
      const incarnation = new Incarnation(`x${this.#crowds}n${index + 1}`, 1);
      const user = new User({
        planned: { name: incarnation.place, startNanos: 0, statements: [statement] },
        network: this.cluster.network.attach(incarnation),
        clock: new SimulatedClock(this.#world, incarnation, {
          offsetMs: () => 0,
          driftPpm: () => 0,
          nanosPerWorkUnit: 0,
          slowness: () => 1,
        }),
        server: SimulatedNetwork.uriOf(this.#options.plan.coordinator.name),
        catalog: "tpch",
        schema: this.#options.plan.schema,
        hooks: { onSubmit: nothing, heardOf: () => [], onPoll: nothing, onAnswer: nothing, onEnd: nothing, onProbe: nothing },
      });
      user.live().catch(this.#options.onFailure);
    }
  }
}

function nothing(): void {}

/** Faults of a served cluster heal at the end of their cycle, also those that are permanent in a run. */
function shifted(fault: Fault, byNanos: number): Fault {
  const { permanent: _, ...rest } = fault;
  return { ...rest, atNanos: fault.atNanos + byNanos, untilNanos: fault.untilNanos + byNanos } as Fault;
}
