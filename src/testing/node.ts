/**
 * A node of a cluster under test, over its incarnations: start, crash, orderly shutdown, restart at the same address.
 */
import { nodeConfig } from "../config.ts";
import type { KernelModuleCache } from "../codegen/runtime.ts";
import type { ConnectorFactory } from "../connectors/spi.ts";
import { createNode, type OrreryNode } from "../node.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../ports/network.ts";
import type { FaultPoints } from "../ports/points.ts";
import type { Log, Ports } from "../ports/ports.ts";
import type { RecordedNode } from "../recording/ports.ts";
import { realDatabases } from "../server/databases/databases.ts";
import { RealOutbound } from "../server/ports/outbound.ts";
import { SystemRandom } from "../server/ports/random.ts";
import { openCatalogFolder } from "../server/ports/storage.ts";
import { RealNetwork } from "../server/transport/network.ts";
import { BrokenAnswer } from "../server/transport/pending.ts";
import { platformZstd } from "../server/transport/zstd.ts";
import type { QueryRoutingDocument } from "../protocol/documents/query-routing.ts";
import type { CatalogConfig } from "../worker/catalogs.ts";
import type { Endpoint, Fabric } from "./fabric.ts";
import { MemoryStorage } from "./memory-storage.ts";
import { SlowClock } from "./slow-clock.ts";
import { IncarnationRecording } from "./tape.ts";

export interface NodeSetup {
  readonly name: string;
  readonly role: "coordinator" | "worker" | "both";
  readonly catalogs: readonly CatalogConfig[];
  readonly factories: readonly ConnectorFactory[];
  readonly properties: Readonly<Record<string, string>>;
  readonly fabric: Fabric;
  readonly points: FaultPoints;
  readonly modules: KernelModuleCache;
  readonly log: Log;
  /** Listens on a free port of 127.0.0.1. */
  readonly http: boolean;
  readonly records: boolean;
  /** Of the coordinator. */
  readonly queryRouting: QueryRoutingDocument | undefined;
}

interface Incarnation {
  readonly node: OrreryNode;
  readonly clock: SlowClock;
  readonly network: NodeNetwork;
  readonly recorded: { readonly recording: IncarnationRecording; readonly outside: RecordedNode["outside"] } | undefined;
}

const bodyBytesMax = 64 * 1024 * 1024;

export class TestNode {
  readonly name: string;
  readonly #setup: NodeSetup;
  /** The disk, which outlives a crash. */
  readonly #storage = new MemoryStorage();
  readonly recordings: IncarnationRecording[] = [];
  #incarnation: Incarnation | undefined;
  #uri = "";
  #slowness = 1;

  constructor(setup: NodeSetup) {
    this.name = setup.name;
    this.#setup = setup;
  }

  /** Keeps its value after the node has ended. */
  get uri(): string {
    return this.#uri;
  }

  /** Undefined between a crash and a restart. */
  get node(): OrreryNode | undefined {
    return this.#incarnation?.node;
  }

  /** How many times slower than this machine the node works. */
  set slowness(factor: number) {
    this.#slowness = factor;
    if (this.#incarnation !== undefined) {
      this.#incarnation.clock.factor = factor;
    }
  }

  /** `discoveryUri` is absent for a coordinator. */
  async start(discoveryUri?: string): Promise<OrreryNode> {
    const { name, role, catalogs, factories, properties, modules, queryRouting } = this.#setup;
    const identity = {
      nodeId: name,
      role,
      catalogs,
      ...(queryRouting !== undefined && { queryRouting }),
      ...(discoveryUri === undefined ? {} : { discoveryUri }),
    };
    const config = nodeConfig(identity, properties);
    const clock = new SlowClock();
    clock.factor = this.#slowness;
    const network = this.#network();
    const ports = this.#ports(clock, network);
    try {
      if (!this.#setup.records) {
        const compressZstd = platformZstd();
        const node = await createNode(config, ports, { factories, modules, ...(compressZstd === undefined ? {} : { compressZstd }) });
        this.#incarnation = { node, clock, network, recorded: undefined };
      } else {
        const recording = new IncarnationRecording(config, `${name}-${this.recordings.length + 1}`);
        this.recordings.push(recording);
        const { ports: recordedPorts, outside } = recording.record(ports);
        // A tape must replay on other versions of Node, so recorded nodes have no Zstandard.
        const options = { factories, modules, onTransition: recording.onTransition };
        const node = await outside("start", "", () => createNode(config, recordedPorts, options));
        this.#incarnation = { node, clock, network, recorded: { recording, outside } };
      }
    } catch (error) {
      clock.close();
      await network.close();
      throw error;
    }
    this.#uri = network.selfUri;
    return this.#incarnation.node;
  }

  /** As by SIGKILL: no message leaves the node from now on. Resolves when its resources are freed. */
  async kill(): Promise<void> {
    const incarnation = this.#incarnation;
    if (incarnation === undefined) {
      return;
    }
    this.#incarnation = undefined;
    incarnation.recorded?.recording.end();
    incarnation.network.disconnect();
    await incarnation.node.close();
    incarnation.clock.close();
  }

  /** As by SIGTERM: the node takes no new work, finishes what runs within `graceMs` and leaves the cluster. */
  async shutdown(graceMs: number): Promise<void> {
    const incarnation = this.#incarnation;
    if (incarnation === undefined) {
      return;
    }
    const { node, clock, recorded } = incarnation;
    await (recorded === undefined
      ? node.shutdown({ graceMs })
      : recorded.outside("shutdown", String(graceMs), () => node.shutdown({ graceMs })));
    recorded?.recording.end();
    clock.close();
    if (this.#incarnation === incarnation) {
      this.#incarnation = undefined;
    }
  }

  #network(): NodeNetwork {
    const { name, fabric, http } = this.#setup;
    const port = /:(\d+)$/.exec(this.#uri)?.[1];
    return new NodeNetwork({ place: name, fabric, port: http ? Number(port ?? 0) : undefined });
  }

  #ports(clock: SlowClock, network: Network): Ports {
    const storage = this.#storage;
    const { log, points } = this.#setup;
    const openFolder: Ports["openFolder"] = (path, options) => openCatalogFolder(path, options);
    return {
      clock,
      network,
      random: new SystemRandom(),
      storage,
      openFolder,
      databases: realDatabases,
      outbound: new RealOutbound(),
      log,
      points,
    };
  }
}

interface NodeNetworkOptions {
  readonly place: string;
  readonly fabric: Fabric;
  /** Port to listen on; 0 for a free one; undefined for none. */
  readonly port: number | undefined;
}

/** The network of one incarnation. */
class NodeNetwork implements Network {
  readonly #options: NodeNetworkOptions;
  /** Sockets, for clients and for addresses outside of the cluster. */
  #sockets: RealNetwork | undefined;
  #endpoint: Endpoint | undefined;
  #isDown = false;
  #closing: Promise<void> | undefined;

  constructor(options: NodeNetworkOptions) {
    this.#options = options;
  }

  get selfUri(): string {
    return this.#endpoint?.uri ?? "";
  }

  async serve(handler: RequestHandler): Promise<void> {
    const { place, fabric, port } = this.#options;
    let uri = inProcessUri(place);
    if (port !== undefined) {
      this.#sockets = socketsOn(port);
      await this.#sockets.serve((request, context) => this.#arrive(request, context));
      uri = this.#sockets.selfUri;
    }
    this.#endpoint = { place, uri, handler };
    fabric.serve(this.#endpoint);
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    if (this.#isDown) {
      return Promise.reject(new NetworkError("ABORTED", "the node has ended"));
    }
    const carried = this.#options.fabric.request(this.#options.place, this, request, options);
    if (carried !== undefined) {
      return carried;
    }
    this.#sockets ??= socketsOn(0);
    return this.#sockets.request(request, options);
  }

  /** Ends all exchanges at once. */
  disconnect(): void {
    this.#isDown = true;
    this.#options.fabric.drop(this.#endpoint, this);
    this.#closing ??= this.#sockets?.close();
  }

  async close(): Promise<void> {
    this.disconnect();
    await this.#closing;
  }

  async #arrive(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    const endpoint = this.#endpoint;
    if (endpoint === undefined || this.#isDown) {
      throw new BrokenAnswer();
    }
    const response = await this.#options.fabric.arrive(endpoint, request, context);
    // The node may have crashed meanwhile.
    if (this.#isDown) {
      throw new BrokenAnswer();
    }
    return response;
  }
}

/** The name is reserved (RFC 2606), so a client that tries to connect learns at once that there is no socket. */
function inProcessUri(place: string): string {
  return `http://${place}.orrery.invalid:8080`;
}

export function socketsOn(port: number): RealNetwork {
  return new RealNetwork({ host: "127.0.0.1", port, bodyBytesMax, eventLoopDelayMsMax: 60_000, processForwarded: true });
}
