/**
 * A cluster of real nodes in the simulated world, created by the `createNode` of production with simulated ports. A crash ends an
 * incarnation and loses everything except synced storage; a restart begins the next one.
 */
import { configOf, type PlaceRole } from "./cluster/config.ts";
import { outboundOf } from "./cluster/outbound.ts";
import { historyFolder } from "../src/coordinator/history/history-folder.ts";
import { createNode, type OrreryNode } from "../src/node.ts";
import type { HttpResponse, Network } from "../src/ports/network.ts";
import type { Clock } from "../src/ports/clock.ts";
import type { WasmMemory } from "../src/memory/memory.ts";
import { type Knobs, knobsOf } from "../src/ports/knobs.ts";
import type { Storage } from "../src/ports/storage.ts";
import type { PointName } from "../src/ports/points.ts";
import type { Ports } from "../src/ports/ports.ts";
import { splitFrames } from "../src/page/serde.ts";
import { pagesMediaType } from "../src/protocol/documents/task.ts";
import { sharedSecretProperty, signedNetwork } from "../src/protocol/http/internal-signature.ts";
import { vault } from "./workload/grants.ts";
import type { PlannedNode, RunPlan } from "./plan.ts";
import type { ModelContext } from "./checkers/models/model.ts";
import type { Heartbeat } from "./checkers/membership/decay.ts";
import type { CrashedDisk, FaultTarget, NodeBuild } from "./faults/fault.ts";
import { answerFilter, requestFilter } from "./faults/build-filter.ts";
import type { Undo } from "./world/afflicted.ts";
import { calmDisk, type DiskConditions, SimulatedDisk } from "./world/disk.ts";
import { calmLink, type LinkConditions } from "./world/fates.ts";
import { Lending } from "./world/lending.ts";
import { LinkDelays } from "./world/link-delays.ts";
import { Operator } from "./inquiries/operator.ts";
import { Machine } from "./world/machine.ts";
import { DirectoryLink, withSharedDirectory } from "./faults/directory.ts";
import { lakeCatalog, SimulatedStore, storeCatalogs } from "./store/store.ts";
import { SimulatedNetwork } from "./world/network.ts";
import type { StreamTree } from "./world/streams.ts";
import { Incarnation, nanosPerMs, type World } from "./world/world.ts";
import type { SharedState } from "./shared.ts";

interface Place {
  readonly planned: PlannedNode;
  readonly role: PlaceRole;
  readonly machine: Machine;
  node: OrreryNode | undefined;
  /** Bytes that another process on the machine has taken. */
  takenBytes: number;
  /** Build of the next incarnation. */
  build: NodeBuild;
  /** Build of the current incarnation. */
  running: NodeBuild;
  /** Whether the current incarnation was told to shut down. */
  draining: boolean;
  /** Connection to the directory that it shares with another machine. */
  readonly link: DirectoryLink;
}

export interface ClusterHooks {
  readonly onTransition: (
    place: string,
    incarnation: number,
    change: { readonly kind: string; readonly id: string; readonly from: string; readonly to: string },
  ) => void;
  readonly onStartFailure: (place: string, error: unknown) => void;
  /** Two coordinators that share a directory were its owners at a time. */
  readonly onTwoOwners?: (sentence: string) => void;
  /** Adds this many users at once. */
  readonly onCrowd?: (users: number, sql: string) => void;
}

export class Cluster implements FaultTarget {
  readonly network: SimulatedNetwork;
  /** Every heartbeat so far, as the network carried it. */
  readonly heartbeats: Heartbeat[] = [];
  /** Number of firings of each fault point. */
  readonly firedPoints = new Map<PointName, number>();
  /** Incarnation of each node that the coordinator is known to have received an announcement of. */
  readonly #announcedIncarnations = new Map<string, number>();
  readonly #world: World;
  readonly #plan: RunPlan;
  readonly #knobs: Knobs;
  readonly #shared: SharedState;
  readonly #hooks: ClusterHooks;
  readonly #doubles: "DOUBLE" | "DECIMAL";
  readonly #places = new Map<string, Place>();
  /** The machine of the coordinator that is not the owner of the directory, and the directory, if the plan has them. */
  #standby: Place | undefined;
  readonly #directory: SimulatedDisk | undefined;
  /** Incarnation of the coordinator that was the last to become the owner. */
  #owner: Incarnation | undefined;
  #epoch = 0;
  #takeovers = 0;
  /** Machines of the coordinator that faults have crashed, the first one first. */
  readonly #struck: Place[] = [];
  /** The store of the catalog of files, if the plan has one. */
  readonly lake: SimulatedDisk | undefined;
  /** Serves the files of the lake, if the plan has it. */
  readonly #store: SimulatedStore | undefined;
  readonly #delays = new LinkDelays();
  readonly #lent: { readonly wasmMemory: WasmMemory; readonly node: OrreryNode }[] = [];
  readonly #calm: LinkConditions;
  /** Whether links lose, reset and duplicate messages as drawn. After the heal they only add latency. */
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
    this.#knobs = knobsOf(options.plan.knobs ?? {});
    this.#shared = options.shared;
    this.#hooks = options.hooks;
    const { lake } = options.plan;
    this.lake =
      lake === undefined
        ? undefined
        : new SimulatedDisk(world, { stream: world.streams.stream("disk/lake"), conditions: { ...calmDisk, ...lake } });
    const { store } = options.plan;
    this.#store =
      store === undefined
        ? undefined
        : new SimulatedStore(world, {
            disk: this.lake,
            stream: world.streams.stream("store"),
            conditions: store,
            isFaulty: () => this.faulty,
          });
    this.#calm = { ...calmLink, latencyNanosMin: this.#plan.link.latencyNanosMin, latencyNanosMax: this.#plan.link.latencyNanosMax };
    this.#doubles = options.doubles ?? "DECIMAL";
    this.network = new SimulatedNetwork(world, (from, to) => this.#conditions(from, to), {
      ...options.plan,
      isOver: () => !this.faulty,
    });
    this.network.isIgnored = (incarnation) => this.#isIgnored(incarnation);
    this.network.lending = options.plan.lendsNothing ? undefined : new Lending(world.streams.named("lending"), framesOf);
    this.network.requestObserver = ({ incarnation, from, to, label }) =>
      label === "announcement" ? this.#observeAnnouncement(from) : this.#observe(incarnation, to, label);
    const { coordinator, remote, standby } = options.plan;
    if (standby !== undefined) {
      this.#directory = new SimulatedDisk(world, { stream: world.streams.stream("disk/directory"), conditions: calmDisk });
      this.#standby = this.#newPlace({ ...coordinator, ...standby }, "coordinator", 2);
    }
    this.#addPlace(coordinator, "coordinator");
    for (const worker of options.plan.workers) {
      this.#addPlace(worker, "worker");
    }
    if (remote !== undefined) {
      this.#addPlace(remote, "remote");
    }
  }

  #observeAnnouncement(from: string): (success: boolean) => void {
    const { incarnations } = this.#place(from).machine;
    return (success) => {
      if (success) {
        this.#announcedIncarnations.set(from, incarnations);
      }
    };
  }

  #observe(incarnation: Incarnation, to: string, label: string): (success: boolean) => void {
    // A former owner does not know yet that it is one.
    if (label !== "heartbeat" || this.#isIgnored(incarnation)) {
      return () => undefined;
    }
    const beat: Heartbeat = { uri: SimulatedNetwork.uriOf(to), sentNanos: this.#world.nowNanos };
    this.heartbeats.push(beat);
    // A stranger may have announced a host that does not exist.
    const incarnationsOf = (): number | undefined => this.#places.get(to)?.machine.incarnations;
    const incarnations = incarnationsOf();
    // The heartbeat was sent while the coordinator knew an earlier incarnation. The announcement of the current one may overtake the
    // response.
    const wasStrange = this.#announcedIncarnations.get(to) !== incarnations;
    return (success) => {
      beat.restarted = wasStrange || incarnationsOf() !== incarnations;
      beat.endedNanos = this.#world.nowNanos;
      beat.success = success;
    };
  }

  /** Of messages and, if there is a store, of its requests. */
  get counters(): Readonly<Record<string, number>> {
    return { ...this.network.counters, ...(this.#store !== undefined && { "store faults": this.#store.failed }) };
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

  /** Current speed of a place's clock, in its nanoseconds per nanosecond of the world. Users have the world's clock. */
  clockRate(name: string): number {
    return this.#places.get(name)?.machine.clockRate ?? 1;
  }

  /** Time of the place's monotonic clock since its current or last start, in its nanoseconds. Users have the world's clock. */
  localNanos(name: string): number {
    return this.#places.get(name)?.machine.localNanos ?? this.#world.nowNanos;
  }

  /** What the models of the checkers see of a place, besides its node. */
  get views(): Pick<ModelContext, "localNanos" | "files" | "fileBytes"> {
    const shared = (name: string): SimulatedDisk | undefined => (name === this.#plan.coordinator.name ? this.#directory : undefined);
    return {
      localNanos: (name) => this.localNanos(name),
      files: (name) => [...this.disk(name).paths(), ...(shared(name)?.paths() ?? [])],
      fileBytes: (name, path) => this.disk(name).content(path) ?? shared(name)?.content(path),
    };
  }

  /** A coordinator that is not the owner of the directory it shares, or is no longer. The checkers know one coordinator. */
  #standsBy(incarnation: Incarnation): boolean {
    return this.#isShared(incarnation.place) && incarnation !== this.#owner;
  }

  /** Of a node that the checkers do not know: a coordinator on stand-by, and the other cluster. */
  #isIgnored(incarnation: Incarnation): boolean {
    return this.#standsBy(incarnation) || incarnation.place === this.#plan.remote?.name;
  }

  /** Number of times the place has crashed or stopped, or another machine has taken over. */
  endsOf(name: string): number {
    const standby = name === this.#plan.coordinator.name ? this.#standby : undefined;
    return this.#place(name).machine.ends + (standby === undefined ? 0 : standby.machine.ends + this.#takeovers);
  }

  disk(name: string): SimulatedDisk {
    return this.#place(name).machine.disk;
  }

  start(name: string): void {
    const place = this.#place(name);
    const isFirst = place.machine.incarnations === 0;
    this.#start(place);
    if (isFirst && place.role === "coordinator" && this.#standby !== undefined) {
      this.#start(this.#standby);
    }
  }

  #start(place: Place): void {
    const { name } = place.planned;
    const isShared = place.role === "coordinator" && this.#directory !== undefined;
    const { incarnation, clock, streams: tree } = place.machine.begin();
    place.running = place.build;
    const { documents } = place.running;
    place.draining = false;
    const log = (level: string) => (event: string, fields?: Readonly<Record<string, string | number | boolean>>) =>
      this.#world.note(name, `log-${level}`, `${event} ${JSON.stringify(fields ?? {})}`);
    const network = requestFilter(this.network.attach(incarnation, answerFilter(documents), { sharesAddress: isShared }), documents);
    const ports: Ports = {
      clock,
      network: this.#signed(name, clock, isShared ? this.#watched(incarnation, network) : network),
      random: tree.asRandom(),
      storage: this.#storageOf(place, incarnation),
      openFolder: () => (this.lake ?? place.machine.disk).open(incarnation),
      ...this.#outbound(incarnation, network),
      log: { info: log("info"), warn: log("warn"), error: log("error") },
      points: { fires: (point) => this.#fires(point, name, tree) },
      knobs: this.#knobs,
    };
    const config = configOf({
      plan: this.#plan,
      place: { name, role: place.role },
      nodeVersion: place.running.nodeVersion,
      catalogs: [
        ...(this.#plan.vault === true ? [vault] : []),
        ...(this.lake === undefined ? [] : [lakeCatalog]),
        ...(this.#plan.store === undefined ? [] : storeCatalogs(this.#plan.store, this.lake !== undefined)),
      ],
      doubles: this.#doubles,
    });
    if (place.role === "coordinator") {
      // The counters of the coordinator's node resource start again.
      this.heartbeats.length = isShared ? this.heartbeats.length : 0;
    }
    this.#world.note(place.machine.label, "start", `life ${incarnation.number}`);
    const wasmMemory = this.#shared.takeMemory(config.memoryBytes);
    createNode(config, ports, {
      factories: this.#shared.factories,
      modules: this.#shared.modules,
      wasmMemory,
      instances: this.#shared.instancesOf(wasmMemory),
      onTransition: (kind, id, from, to) => {
        if (!this.#isIgnored(incarnation)) {
          // Two machines count their own lives; those of the coordinator are counted by its takeovers.
          this.#hooks.onTransition(name, isShared ? 1 + this.#takeovers : incarnation.number, { kind, id, from, to });
        }
      },
    }).then(
      (node) => {
        this.#lent.push({ wasmMemory, node });
        if (incarnation.alive) {
          place.node = node;
          node.setMemoryPressure(place.takenBytes);
          void node.lease?.acquired.then((isOwner) => isOwner && incarnation.alive && this.#takeOver(place, incarnation, tree));
          void node.closed.then(() => this.#replaced(place, incarnation));
        }
      },
      (error: unknown) => this.#hooks.onStartFailure(name, error),
    );
  }

  /** To the object store, or to the other cluster. */
  #outbound(incarnation: Incarnation, network: Network): Pick<Ports, "outbound"> {
    const outbound = this.#plan.remote === undefined ? this.#store?.open(incarnation) : outboundOf(network);
    return outbound === undefined ? {} : { outbound };
  }

  /** Watches that no coordinator answers clients once another one is the owner. */
  #watched(incarnation: Incarnation, network: Network): Network {
    const serve: Network["serve"] = (handler) =>
      network.serve(async (request, context) => {
        const response = await handler(request, context);
        if (response.status === 200 && request.url.startsWith("/v1/statement") && incarnation !== this.#owner) {
          this.#hooks.onTwoOwners?.(`life ${incarnation.number} answers ${request.url}, but life ${this.#owner?.number ?? 0} is the owner`);
        }
        return response;
      });
    return { ...network, serve };
  }

  #storageOf(place: Place, incarnation: Incarnation): Storage {
    const own = place.machine.disk.open(incarnation);
    return place.role === "worker" || this.#directory === undefined
      ? own
      : withSharedDirectory(own, { folder: historyFolder, storage: this.#directory.open(incarnation), link: place.link });
  }

  /** The coordinator has got the lease. Its address follows after a while, as health checks find out. */
  #takeOver(place: Place, incarnation: Incarnation, tree: StreamTree): void {
    const { name } = place.planned;
    const epoch = place.node?.lease?.epoch ?? 0;
    if (epoch <= this.#epoch) {
      this.#hooks.onTwoOwners?.(`life ${incarnation.number} of ${name} has epoch ${epoch} after epoch ${this.#epoch}`);
    }
    this.#epoch = epoch;
    const isFirst = this.#owner === undefined;
    const former = this.#place(name);
    if (former !== place) {
      this.#standby = former;
      this.#places.set(name, place);
    }
    this.#owner = incarnation;
    this.#takeovers += isFirst ? 0 : 1;
    this.heartbeats.length = 0;
    // To clients and workers this is a restart of the coordinator.
    if (!isFirst && former.machine.isAlive) {
      this.#world.note(name, "crash", "another machine takes over");
    }
    this.#world.note(name, "start", `life ${incarnation.number}`);
    const delayNanos = isFirst ? 0 : tree.stream("address").between(0, addressMsMax) * nanosPerMs;
    this.#world.at(this.#world.nowNanos + delayNanos, "address", () => {
      if (this.#owner === incarnation) {
        this.network.present(incarnation);
      }
    });
  }

  /** A coordinator that another one has replaced ends, and is started again, to stand by. */
  #replaced(place: Place, incarnation: Incarnation): void {
    if (incarnation.alive && place.node?.lease?.isLost === true) {
      this.#endIncarnation(place, "stopped");
      this.#world.at(this.#world.nowNanos + startAgainMs * nanosPerMs, "start-again", () => {
        if (!place.machine.isKeptDown && !place.machine.isAlive) {
          this.#start(place);
        }
      });
    }
  }

  /** As a server does it, if the plan names a secret. */
  #signed(name: string, clock: Clock, network: Network): Network {
    const secret = this.#plan.properties[sharedSecretProperty];
    const role = this.#place(name).role === "worker" ? "worker" : "coordinator";
    return secret === undefined ? network : signedNetwork(network, { secret, nodeId: name, clock, role });
  }

  #fires(point: PointName, place: string, tree: StreamTree): boolean {
    const per1000 = this.#plan.points?.[point] ?? 0;
    if (per1000 === 0 || (!this.faulty && per1000 < always)) {
      return false;
    }
    const fires = per1000 === always || tree.stream(`points/${point}`).chance(per1000, always, point);
    if (fires) {
      this.firedPoints.set(point, (this.firedPoints.get(point) ?? 0) + 1);
      if (per1000 < always) {
        this.#world.note(place, "point", point);
      }
    }
    return fires;
  }

  /** Ends the place's incarnation without warning. */
  crash(name: string, disk: CrashedDisk = "synced"): void {
    const place = this.#place(name);
    if (this.#isShared(name)) {
      this.#struck.push(place);
    }
    place.machine.hold();
    if (place.machine.isAlive) {
      place.machine.loseData(disk);
      this.#endIncarnation(place, "crash");
    }
  }

  #endIncarnation(place: Place, how: "crash" | "stopped"): void {
    place.node = undefined;
    if (this.#owner !== undefined && place.machine.incarnation === this.#owner) {
      this.#world.note(place.planned.name, how, "the owner of the directory");
    }
    place.machine.end(how);
  }

  restart(name: string): void {
    // Another machine may have the name of the one that has crashed.
    const place = (this.#isShared(name) ? this.#struck.shift() : undefined) ?? this.#place(name);
    const { machine } = place;
    machine.release();
    if (!machine.isKeptDown && machine.isAlive && place.running !== place.build && !place.draining) {
      // The node was told to shut down while it could not receive the request.
      this.#endIncarnation(place, "stopped");
    }
    if (!machine.isKeptDown && !machine.isAlive) {
      this.#start(place);
    }
  }

  /** Ends the run: stops every incarnation and returns the memories. */
  close(): void {
    for (const name of this.names) {
      this.crash(name);
    }
    this.#standby?.machine.end("crash");
    // The first node gets the same memory in the next run, with the kernels that are bound to it, and spare memories stay untouched.
    for (const { wasmMemory, node } of this.#lent.splice(0).reverse()) {
      this.#shared.giveMemory(wasmMemory, node.memoryUse.highWaterBytes);
    }
  }

  pause(name: string, untilNanos: number): void {
    this.#place(name).machine.pause(untilNanos);
  }

  slowDown(name: string, factor: number): Undo {
    return this.#place(name).machine.slowDown(factor);
  }

  delayLink(from: string, to: string, nanos: number): Undo {
    return this.#delays.delay(from, to, nanos);
  }

  /** Pages spilled to disk on all nodes. */
  get spills(): number {
    return this.names.reduce((sum, name) => sum + this.disk(name).writes, 0);
  }

  /** Current maximum of query memory on one worker. */
  get reservedBytesMax(): number {
    return this.workerNames.reduce((most, name) => Math.max(most, this.node(name)?.leftovers().reservedBytes ?? 0), 0);
  }

  stepClock(name: string, byMs: number): void {
    this.#place(name).machine.stepClock(byMs);
  }

  driftClock(name: string, byPpm: number): Undo {
    return this.#place(name).machine.driftClock(byPpm);
  }

  afflictDisk(name: string, change: (conditions: DiskConditions) => DiskConditions): Undo {
    return this.disk(name).conditions.change(change);
  }

  takeMemory(name: string, bytes: number): Undo {
    const place = this.#place(name);
    const take = (change: number): void => {
      place.takenBytes += change;
      place.node?.setMemoryPressure(place.takenBytes);
    };
    take(bytes);
    return () => take(-bytes);
  }

  install(name: string, build: NodeBuild): void {
    this.#place(name).build = build;
  }

  cutOff(name: string): Undo {
    return this.#place(name).link.cut();
  }

  addCrowd(users: number, sql: string): void {
    this.#hooks.onCrowd?.(users, sql);
  }

  /** Graceful shutdown: the node finishes its tasks and stops when it has, or when its grace period ends. */
  drain(name: string, untilNanos: number): void {
    const place = this.#place(name);
    const { machine, node } = place;
    machine.hold();
    const { incarnation } = machine;
    if (incarnation?.alive !== true || place.draining) {
      return;
    }
    if (node === undefined) {
      // The node has not begun to serve yet.
      this.#endIncarnation(place, "stopped");
      return;
    }
    place.draining = true;
    void node.shutdown({ graceMs: Math.ceil((untilNanos - this.#world.nowNanos) / nanosPerMs) }).then(() => {
      if (incarnation.alive) {
        this.#endIncarnation(place, "stopped");
        if (!machine.isKeptDown) {
          this.#start(place);
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

  /** What the coordinator, these workers and the other cluster still hold for ended work. */
  left(workers: readonly string[]): readonly string[] {
    const { coordinator, remote } = this.#plan;
    return [coordinator.name, ...workers, ...(remote === undefined ? [] : [remote.name])].flatMap((name) => this.#leftOf(name));
  }

  /** Describes resources that a node still holds for ended work; empty if there are none. */
  #leftOf(name: string): readonly string[] {
    const leftovers = this.node(name)?.leftovers();
    if (leftovers === undefined) {
      return [`${name} is down`];
    }
    const kept = Object.entries(leftovers).filter(([, count]) => count !== 0);
    const lent = this.network.lending?.lentTo(name) ?? 0;
    return [
      ...kept.map(([what, count]) => `${name} ${what}=${count}`),
      ...(lent > 0 ? [`${name} keeps ${lent} lent pages`] : []),
      ...this.disk(name)
        .paths()
        .filter((path) => !path.startsWith(`${historyFolder}/`))
        .map((path) => `${name} keeps file ${path}`),
    ];
  }

  /** A client that inspects the cluster and is not part of the workload. */
  operator(name: string): Operator {
    return new Operator(this.network.attach(new Incarnation(name, 1)));
  }

  #addPlace(planned: PlannedNode, role: Place["role"]): void {
    this.#places.set(planned.name, this.#newPlace(planned, role, 1));
  }

  #newPlace(planned: PlannedNode, role: Place["role"], number: 1 | 2): Place {
    const { nanosPerWorkUnit, standby } = this.#plan;
    const twin = standby === undefined || role === "worker" ? {} : { twin: { number, stream: `${planned.name}/${number}` } };
    return {
      planned,
      role,
      machine: new Machine(this.#world, this.network, { ...planned, nanosPerWorkUnit, ...twin }),
      node: undefined,
      takenBytes: 0,
      build: ownBuild,
      running: ownBuild,
      draining: false,
      link: new DirectoryLink(),
    };
  }

  #isShared(name: string): boolean {
    return this.#directory !== undefined && name === this.#plan.coordinator.name;
  }

  #place(name: string): Place {
    const place = this.#places.get(name);
    if (place === undefined) {
      throw new Error(`no node is called ${name}`);
    }
    return place;
  }

  #conditions(from: string, to: string): LinkConditions {
    return this.#delays.apply(from, to, this.faulty ? this.#plan.link : this.#calm);
  }
}

/** Longest time until the address of the coordinator leads to the owner, and time after which one that was replaced is started again. */
const addressMsMax = 1_500;
const startAgainMs = 500;
/** A point with this ratio, of 1,000 passes, always fires. */
const always = 1_000;
const ownBuild: NodeBuild = { nodeVersion: undefined, documents: "same" };

/** The pages of an answer, each of which a node of the same process would lend. */
function framesOf({ body, headers, status }: HttpResponse): readonly Uint8Array[] | undefined {
  return status === 200 && headers["content-type"] === pagesMediaType ? splitFrames(body) : undefined;
}
