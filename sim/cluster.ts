/**
 * A cluster of real nodes in the simulated world: the very `createNode` of production, over simulated ports. Crash ends a life (everything but
 * synced storage is lost); restart begins the next one.
 */
import { nodeConfig } from "../src/config.ts";
import { connectorFactories } from "../src/connectors/registry.ts";
import { createNode, type OrreryNode } from "../src/node.ts";
import type { Headers, HttpMethod, HttpResponse, Network } from "../src/ports/network.ts";
import type { WasmMemory } from "../src/page/memory.ts";
import type { Ports } from "../src/ports/ports.ts";
import { encodeUtf8 } from "../src/types/utf8.ts";
import type { PlannedNode, RunPlan } from "./plan.ts";
import type { Heartbeat } from "./oracles/decay.ts";
import type { FaultTarget } from "./faults/faults.ts";
import { SimulatedClock } from "./kernel/clock.ts";
import { calmDisk, SimulatedDisk } from "./kernel/disk.ts";
import { type LinkConditions, SimulatedNetwork } from "./kernel/network.ts";
import { Life, nanosPerMs, type World } from "./kernel/world.ts";
import { nodeMemoryBytes, type SharedState } from "./shared.ts";

interface Place {
  readonly planned: PlannedNode;
  readonly role: "coordinator" | "worker";
  readonly disk: SimulatedDisk;
  lives: number;
  life: Life | undefined;
  node: OrreryNode | undefined;
  ports: Ports | undefined;
  slowness: number;
  clockOffsetMs: number;
  /** Faults that hold the place down; it comes back when the last one heals. */
  downs: number;
}

export interface ClusterHooks {
  readonly onTransition: (
    place: string,
    life: number,
    change: { readonly kind: string; readonly id: string; readonly from: string; readonly to: string },
  ) => void;
  readonly onStartFailure: (place: string, error: unknown) => void;
}

export class Cluster implements FaultTarget {
  readonly network: SimulatedNetwork;
  /** Every heartbeat so far, as the network saw it. */
  readonly heartbeats: Heartbeat[] = [];
  readonly #world: World;
  readonly #plan: RunPlan;
  readonly #shared: SharedState;
  readonly #hooks: ClusterHooks;
  readonly #doubles: "DOUBLE" | "DECIMAL";
  readonly #places = new Map<string, Place>();
  readonly #extraLatency = new Map<string, number>();
  readonly #lent: { readonly wasmMemory: WasmMemory; readonly node: OrreryNode }[] = [];
  /** Until the heal, links lose, reset and duplicate as drawn; afterwards they only take time. */
  faulty = true;

  constructor(
    world: World,
    options: {
      readonly plan: RunPlan;
      readonly shared: SharedState;
      readonly hooks: ClusterHooks;
      readonly doubles?: "DOUBLE" | "DECIMAL";
    },
  ) {
    this.#world = world;
    this.#plan = options.plan;
    this.#shared = options.shared;
    this.#hooks = options.hooks;
    this.#doubles = options.doubles ?? "DECIMAL";
    this.network = new SimulatedNetwork(world, (from, to) => this.#conditions(from, to), options.plan.fates);
    this.network.requestObserver = ({ to, label }) => this.#observe(to, label);
    this.#addPlace(options.plan.coordinator, "coordinator");
    for (const worker of options.plan.workers) {
      this.#addPlace(worker, "worker");
    }
  }

  #observe(to: string, label: string): (success: boolean) => void {
    if (label !== "heartbeat") {
      return () => undefined;
    }
    const beat: Heartbeat = { uri: SimulatedNetwork.uriOf(to), sentNanos: this.#world.nowNanos };
    this.heartbeats.push(beat);
    const { lives } = this.#place(to);
    return (success) => {
      beat.restarted = this.#place(to).lives !== lives;
      beat.endedNanos = this.#world.nowNanos;
      beat.success = success;
    };
  }

  get names(): readonly string[] {
    return [...this.#places.keys()];
  }

  get workerNames(): readonly string[] {
    return this.#plan.workers.map((worker) => worker.name);
  }

  node(name: string): OrreryNode | undefined {
    return this.#places.get(name)?.node;
  }

  isUp(name: string): boolean {
    return this.#places.get(name)?.life?.alive === true;
  }

  clockOf(name: string): Ports["clock"] | undefined {
    return this.#places.get(name)?.ports?.clock;
  }

  disk(name: string): SimulatedDisk {
    return this.#place(name).disk;
  }

  start(name: string): void {
    const place = this.#place(name);
    place.lives++;
    const life = new Life(name, place.lives);
    place.life = life;
    const tree = this.#world.streams.child(`node/${name}/life/${place.lives}`);
    const clock = new SimulatedClock(this.#world, life, {
      offsetMs: () => place.clockOffsetMs,
      driftPpm: place.planned.clockDriftPpm,
      nanosPerWorkUnit: this.#plan.nanosPerWorkUnit,
      slowness: () => place.slowness,
    });
    const log = (level: string) => (event: string, fields?: Readonly<Record<string, string | number | boolean>>) =>
      this.#world.note(name, `log-${level}`, `${event} ${JSON.stringify(fields ?? {})}`);
    const ports: Ports = {
      clock,
      network: this.network.attach(life),
      random: tree.asRandom(),
      storage: place.disk.open(life),
      openFolder: () => place.disk.open(life),
      log: { info: log("info"), warn: log("warn"), error: log("error") },
    };
    place.ports = ports;
    const config = nodeConfig(
      {
        nodeId: name,
        role: place.role,
        discoveryUri: SimulatedNetwork.uriOf(this.#plan.coordinator.name),
        catalogs: [
          { name: "memory", properties: { "connector.name": "memory" } },
          {
            name: "tpch",
            properties: {
              "connector.name": "tpch",
              "tpch.double-type-mapping": this.#doubles,
              "tpch.splits-per-node": String(this.#plan.splitsPerNode),
            },
          },
        ],
      },
      { "node.memory": `${nodeMemoryBytes}B`, "query.max-memory-per-node": "32MB", ...this.#plan.properties },
    );
    if (place.role === "coordinator") {
      // The counters of its node resource begin anew.
      this.heartbeats.length = 0;
    }
    this.#world.note(name, "start", `life ${place.lives}`);
    const wasmMemory = this.#shared.takeMemory();
    createNode(config, ports, {
      factories: connectorFactories,
      modules: this.#shared.modules,
      wasmMemory,
      onTransition: (kind, id, from, to) => this.#hooks.onTransition(name, life.number, { kind, id, from, to }),
    }).then(
      (node) => {
        this.#lent.push({ wasmMemory, node });
        if (life.alive) {
          place.node = node;
        }
      },
      (error: unknown) => this.#hooks.onStartFailure(name, error),
    );
  }

  /** Ends the place's life; what it had not synced is gone. */
  crash(name: string): void {
    const place = this.#place(name);
    place.downs++;
    if (place.life?.alive !== true) {
      return;
    }
    this.#world.endLife(place.life);
    this.network.crash(name);
    place.disk.crash();
    place.node = undefined;
    this.#world.note(name, "crash", `life ${place.lives}`);
  }

  restart(name: string): void {
    const place = this.#place(name);
    place.downs = Math.max(0, place.downs - 1);
    if (place.downs === 0 && place.life?.alive !== true) {
      this.start(name);
    }
  }

  /** The end of the run: every life is over, and the memories go back. */
  close(): void {
    for (const name of this.names) {
      this.crash(name);
    }
    for (const { wasmMemory, node } of this.#lent.splice(0)) {
      this.#shared.giveMemory(wasmMemory, node.memoryHighWaterBytes);
    }
  }

  pause(name: string, untilNanos: number): void {
    const life = this.#place(name).life;
    if (life !== undefined) {
      life.pausedUntilNanos = Math.max(life.pausedUntilNanos, untilNanos);
    }
  }

  setSlowness(name: string, factor: number): void {
    this.#place(name).slowness = factor;
  }

  setExtraLatency(from: string, to: string, nanos: number): void {
    this.#extraLatency.set(`${from}>${to}`, nanos);
  }

  /** Pages that went to a disk, on all nodes. */
  get spills(): number {
    return this.names.reduce((sum, name) => sum + this.disk(name).writes, 0);
  }

  /** The most that queries hold on one worker now. */
  get reservedBytesMax(): number {
    return this.workerNames.reduce((most, name) => Math.max(most, this.node(name)?.leftovers().reservedBytes ?? 0), 0);
  }

  stepClock(name: string, byMs: number): void {
    this.#place(name).clockOffsetMs += byMs;
  }

  setDiskBytesMax(name: string, bytesMax: number | undefined): void {
    const { disk } = this.#place(name);
    disk.conditions = { ...disk.conditions, bytesMax: bytesMax ?? calmDisk.bytesMax };
  }

  /** An orderly end: told to shut down, the node finishes its tasks, and goes when it has, or when its time is up. */
  drain(name: string, untilNanos: number): void {
    const place = this.#place(name);
    place.downs++;
    const { life, node } = place;
    if (life?.alive !== true || node === undefined) {
      return;
    }
    void node.shutdown({ graceMs: Math.ceil((untilNanos - this.#world.nowNanos) / nanosPerMs) }).then(() => {
      if (life.alive) {
        this.#world.endLife(life);
        this.network.crash(name);
        place.node = undefined;
        this.#world.note(name, "stopped", `life ${place.lives}`);
        if (place.downs === 0) {
          this.start(name);
        }
      }
    });
  }

  isWorking(name: string): boolean {
    const node = this.#places.get(name)?.node;
    if (node === undefined) {
      return false;
    }
    const { liveTasks, queries } = node.leftovers();
    return liveTasks > 0 || queries > 0;
  }

  /** A person or tool that asks the cluster something: never part of the workload. */
  operator(name: string): Operator {
    const life = new Life(name, 1);
    return new Operator(this.network.attach(life));
  }

  #addPlace(planned: PlannedNode, role: Place["role"]): void {
    this.#places.set(planned.name, {
      planned,
      role,
      disk: new SimulatedDisk(this.#world, { stream: this.#world.streams.stream(`disk/${planned.name}`), conditions: calmDisk }),
      lives: 0,
      life: undefined,
      node: undefined,
      ports: undefined,
      slowness: 1,
      clockOffsetMs: planned.clockOffsetMs,
      downs: 0,
    });
  }

  #place(name: string): Place {
    const place = this.#places.get(name);
    if (place === undefined) {
      throw new Error(`no node is called ${name}`);
    }
    return place;
  }

  #conditions(from: string, to: string): LinkConditions {
    const extra = this.#extraLatency.get(`${from}>${to}`) ?? 0;
    const drawn = this.#plan.link;
    const calm = this.faulty ? drawn : { ...drawn, lossPer10k: 0, resetPer10k: 0, duplicatePer10k: 0 };
    return extra === 0 ? calm : { ...calm, latencyNanosMin: calm.latencyNanosMin + extra, latencyNanosMax: calm.latencyNanosMax + extra };
  }
}

class Operator {
  readonly #network: Network;

  constructor(network: Network) {
    this.#network = network;
  }

  ask(
    method: HttpMethod,
    url: string,
    options: { readonly headers?: Headers; readonly body?: string; readonly timeoutMs?: number } = {},
  ): Promise<HttpResponse> {
    return this.#network.request(
      { method, url, headers: options.headers ?? {}, body: encodeUtf8(options.body ?? "") },
      { timeoutMs: options.timeoutMs ?? 30_000, label: "operator" },
    );
  }
}
