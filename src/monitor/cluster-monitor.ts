/**
 * The cluster as a coordinator sees it: discovery lists the announced nodes, the failure detector says which are alive. Provides workers to
 * the scheduler (the coordinator's ClusterView), documents to the node resource, and the list of services to other nodes.
 */
import { knobOf } from "../ports/knobs.ts";
import type { NetworkError, RequestContext } from "../ports/network.ts";
import type { Ports } from "../ports/ports.ts";
import { HttpError } from "../protocol/http/http.ts";
import type { Announcement, NodeState, ServiceList } from "../protocol/documents/info.ts";
import { serviceType, serviceTypes } from "../protocol/documents/info.ts";
import type { NodeDocument } from "../protocol/documents/node.ts";
import { RecentIds } from "../protocol/recent-ids.ts";
import { AnnouncementWaits } from "./announcement-waits.ts";
import { Discovery, type DiscoveryConfig } from "./discovery.ts";
import { FailureDetector, type FailureDetectorConfig } from "./failure-detector.ts";
import type { LivenessState } from "./monitored-node.ts";

export interface ClusterMonitorOptions {
  readonly ports: Ports;
  readonly nodeId: string;
  readonly incarnation: string;
  readonly nodeVersion: string;
  readonly environment: string;
  readonly selfUri: () => string;
  /** This coordinator also runs tasks of queries. */
  readonly includeSelf: boolean;
  readonly selfState: () => NodeState;
  readonly selfAnnouncement: () => Announcement;
  readonly discovery: DiscoveryConfig;
  readonly failureDetector: FailureDetectorConfig;
}

export interface ActiveNode {
  readonly nodeId: string;
  readonly uri: string;
  /** Empty if the node did not announce one. */
  readonly incarnation: string;
  /** Names of its catalogs; undefined if the node does not announce them. */
  readonly catalogs: ReadonlySet<string> | undefined;
  /** Versions of its catalogs that were created at run time, by name. */
  readonly catalogVersions: ReadonlyMap<string, string>;
  /** Size of the node's memory; undefined if the node did not announce it. */
  readonly memoryBytes?: number | undefined;
}

export interface ListedNode {
  readonly nodeId: string;
  readonly uri: string;
  readonly nodeVersion: string;
  readonly coordinator: boolean;
  readonly state: "active" | "inactive" | "shutting_down";
}

export class ClusterMonitor {
  readonly #options: ClusterMonitorOptions;
  readonly #discovery: Discovery;
  readonly #detector: FailureDetector;
  readonly #waits: AnnouncementWaits;
  readonly #callbacks = new Set<() => void>();
  #isClosed = false;
  /** Addresses of departed nodes, so that requests to them fail without retries. */
  readonly #goneUris: RecentIds;
  /** Address of each announced node, and the number of announced nodes at each address. */
  readonly #uris = new Map<string, string>();
  readonly #nodesAt = new Map<string, number>();
  /** Announced workers that are ACTIVE. */
  readonly #active = new Set<string>();
  /** Node ids of these, sorted; undefined after one came or went. */
  #sortedActive: readonly string[] | undefined;

  constructor(options: ClusterMonitorOptions) {
    this.#options = options;
    this.#waits = new AnnouncementWaits(options.ports.clock);
    this.#goneUris = new RecentIds(knobOf(options.ports, "gone-uris"));
    this.#detector = new FailureDetector(options.ports, options.failureDetector, (nodeId) => this.#changed([nodeId]));
    this.#discovery = new Discovery(options.ports.clock, options.discovery, (nodeIds) => this.#announcementsChanged(nodeIds));
  }

  /** Throws HttpError if the announcement is of another cluster or incomplete, or its name belongs to a living node at another address. */
  announce(announcement: Announcement): void {
    const { environment, nodeId } = this.#options;
    if (announcement.environment !== environment) {
      throw new HttpError(400, `Environment mismatch: this cluster is '${environment}', the node is of '${announcement.environment}'`);
    }
    if (announcement.nodeId === nodeId) {
      throw new HttpError(409, `The node id '${nodeId}' is the coordinator's own`);
    }
    // Without heartbeats nobody knows whether the node is alive.
    const { enabled } = this.#options.failureDetector;
    this.#discovery.announce(announcement, (id) => enabled && this.#detector.state(id) === "ALIVE");
  }

  /**
   * Resolves after `waitMs` with what the node has announced. Undefined, and sooner, if the node is not announced any more or this node
   * closes.
   */
  async whileAnnounced(nodeId: string, waitMs: number, context: RequestContext): Promise<Announcement | undefined> {
    if (!this.#isClosed && this.#discovery.find(nodeId) !== undefined) {
      await this.#waits.wait(nodeId, waitMs, context);
    }
    return this.#isClosed ? undefined : this.#discovery.find(nodeId)?.announcement;
  }

  withdraw(nodeId: string): void {
    const node = this.#discovery.find(nodeId);
    if (node !== undefined) {
      this.#goneUris.add(node.uri);
      this.#discovery.withdraw(nodeId);
    }
  }

  /** Number of workers that accept tasks. */
  get activeCount(): number {
    return this.#active.size + (this.#includesSelf ? 1 : 0);
  }

  get #includesSelf(): boolean {
    return this.#options.includeSelf && this.#options.selfState() === "ACTIVE";
  }

  /** Workers that accept tasks, sorted by node id. */
  activeWorkers(): readonly ActiveNode[] {
    this.#sortedActive ??= [...this.#active].sort((a, b) => (a < b ? -1 : 1));
    const workers = this.#sortedActive.flatMap((nodeId) => this.#discovery.find(nodeId) ?? []);
    const active: ActiveNode[] = workers.map(({ catalogs, catalogVersions, incarnation, memoryBytes, nodeId, uri }) => {
      return { nodeId, uri, incarnation, catalogs, catalogVersions, memoryBytes };
    });
    if (!this.#includesSelf) {
      return active;
    }
    const { incarnation, nodeId, selfUri } = this.#options;
    active.push({ nodeId, uri: selfUri(), incarnation, catalogs: undefined, catalogVersions: new Map() });
    return active.sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
  }

  /** All announced nodes and this one, sorted by node id. */
  knownNodes(): readonly ListedNode[] {
    const { nodeId, nodeVersion, selfUri, selfState } = this.#options;
    const listed: ListedNode[] = this.#discovery.nodes().map((node) => ({
      nodeId: node.nodeId,
      uri: node.uri,
      nodeVersion: node.nodeVersion,
      coordinator: node.coordinator,
      state: lowerCase(this.state(node.nodeId)),
    }));
    listed.push({ nodeId, uri: selfUri(), nodeVersion, coordinator: true, state: lowerCase(selfState()) });
    return listed.toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
  }

  /** INACTIVE: not announced, not responding, or of another version. */
  state(nodeId: string): NodeState {
    const node = this.#discovery.find(nodeId);
    if (nodeId === this.#options.nodeId) {
      return this.#options.selfState();
    }
    if (node === undefined || node.nodeVersion !== this.#options.nodeVersion || this.#detector.state(nodeId) !== "ALIVE") {
      return "INACTIVE";
    }
    const shuttingDown = node.state === "SHUTTING_DOWN" || this.#detector.reportedState(nodeId) === "SHUTTING_DOWN";
    return shuttingDown ? "SHUTTING_DOWN" : "ACTIVE";
  }

  /** Incarnation of a node that runs, also while it leaves the cluster; undefined if it is gone. */
  incarnationOf(nodeId: string): string | undefined {
    const { incarnation, nodeId: self } = this.#options;
    return nodeId === self ? incarnation : this.state(nodeId) === "INACTIVE" ? undefined : this.#discovery.find(nodeId)?.incarnation;
  }

  /** Address of an announced node or of this one. */
  address(nodeId: string): string | undefined {
    return nodeId === this.#options.nodeId ? this.#options.selfUri() : this.#discovery.find(nodeId)?.uri;
  }

  liveness(nodeId: string): LivenessState {
    return this.#detector.state(nodeId);
  }

  /**
   * True if nothing that ran at the address can be reached any more: connections are refused, the node withdrew or moved, or it neither
   * responds nor announces itself.
   */
  isGone(uri: string): boolean {
    const listed = this.#detector.nodesAt(uri);
    if (listed.length === 0) {
      return this.#goneUris.has(uri);
    }
    return listed.every(({ node, announced }) => node.state === "GONE" || (!announced && (node.hasFailed || this.#goneUris.has(uri))));
  }

  /**
   * True if the node at the address was silent for `task-retry-unresponsive-timeout`, while other workers answer. It may go on later.
   */
  isUnresponsive(uri: string): boolean {
    return this.#active.size > 0 && this.#detector.isUnresponsive(uri);
  }

  /** A request to a node at the address has failed. If its process may have ended, a heartbeat finds out at once. */
  requestFailed(uri: string, error: NetworkError): void {
    this.#detector.requestFailed(uri, error);
  }

  /** Calls `callback` after every change of the results above. Returns a function that unsubscribes. */
  onChange(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  /** The node documents, without this node's own. */
  nodeDocuments(which: "all" | "failed"): readonly NodeDocument[] {
    const chosen = this.#detector.nodes().filter(({ node, announced }) => which === "all" || node.hasFailed || !announced);
    return chosen.map(({ node }) => {
      const announced = this.#discovery.find(node.nodeId);
      return {
        ...node.document(),
        nodeId: node.nodeId,
        ...(announced === undefined ? {} : { nodeVersion: announced.nodeVersion, coordinator: announced.coordinator }),
        state: this.state(node.nodeId),
      };
    });
  }

  /** The list of services in the answer to an announcement; undefined in a large cluster, where workers request it on demand. */
  servicesToTell(): ServiceList | undefined {
    // The traffic would grow quadratically.
    return this.#discovery.size > knobOf(this.#options.ports, "told-nodes") ? undefined : this.services(serviceType, undefined);
  }

  services(type: string, pool: string | undefined): ServiceList {
    const { environment, selfAnnouncement } = this.#options;
    const all: readonly { readonly announcement: Announcement }[] = [{ announcement: selfAnnouncement() }, ...this.#discovery.nodes()];
    const services = all
      .filter(({ announcement }) => serviceTypes.includes(type) && (pool === undefined || (announcement.pool ?? "general") === pool))
      .flatMap(({ announcement }) =>
        announcement.services.slice(0, 1).map((service) => ({
          ...service,
          type,
          nodeId: announcement.nodeId,
          pool: announcement.pool ?? "general",
          ...(announcement.location === undefined ? {} : { location: announcement.location }),
          state: this.state(announcement.nodeId),
        })),
      );
    return { environment, services };
  }

  get timerCount(): number {
    return this.#detector.timerCount + (this.#discovery.hasTimer ? 1 : 0) + this.#waits.size;
  }

  /** The state of this node has changed. */
  selfChanged(): void {
    this.#changed([]);
  }

  close(): void {
    this.#isClosed = true;
    this.#waits.endAll();
    this.#discovery.close();
    this.#detector.close();
    this.#callbacks.clear();
  }

  /** The work is that of the nodes that changed: when a cluster starts, each of its nodes is news once. */
  #announcementsChanged(nodeIds: readonly string[]): void {
    for (const nodeId of nodeIds) {
      const node = this.#discovery.find(nodeId);
      this.#moved(nodeId, node?.uri);
      if (node === undefined) {
        this.#waits.end(nodeId);
      }
      if (node === undefined || node.coordinator) {
        this.#detector.unwatch(nodeId);
      } else {
        this.#detector.watch(node);
      }
    }
    this.#changed(nodeIds);
  }

  /** The node is announced at this address, or no more. */
  #moved(nodeId: string, uri: string | undefined): void {
    const former = this.#uris.get(nodeId);
    if (former !== undefined) {
      const others = (this.#nodesAt.get(former) ?? 1) - 1;
      if (others > 0) {
        this.#nodesAt.set(former, others);
      } else {
        this.#nodesAt.delete(former);
      }
    }
    if (uri === undefined) {
      this.#uris.delete(nodeId);
    } else {
      this.#uris.set(nodeId, uri);
      this.#nodesAt.set(uri, (this.#nodesAt.get(uri) ?? 0) + 1);
      this.#goneUris.delete(uri);
    }
    if (former !== undefined && this.#nodesAt.has(former)) {
      this.#goneUris.delete(former);
    } else if (former !== undefined && uri !== undefined) {
      // The node announced itself at another address, so its former address is gone.
      this.#goneUris.add(former);
    }
  }

  /** The liveness, the announcement or the state of these nodes has changed. */
  #changed(nodeIds: readonly string[]): void {
    for (const nodeId of nodeIds) {
      const wasActive = this.#active.has(nodeId);
      const isActive = this.#discovery.find(nodeId)?.coordinator === false && this.state(nodeId) === "ACTIVE";
      if (isActive !== wasActive) {
        this.#active[isActive ? "add" : "delete"](nodeId);
        this.#sortedActive = undefined;
      }
    }
    for (const callback of Array.from(this.#callbacks)) {
      callback();
    }
  }
}

function lowerCase(state: NodeState): ListedNode["state"] {
  return state === "ACTIVE" ? "active" : state === "INACTIVE" ? "inactive" : "shutting_down";
}
