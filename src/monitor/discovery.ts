/**
 * The embedded discovery service: which nodes have announced themselves, and until when. It does not check whether they are alive.
 */
import type { Clock, MonotonicNanos, Timer } from "../ports/clock.ts";
import { HttpError } from "../protocol/http/http.ts";
import { type Announcement, type NodeState, servicePropertiesSchema, serviceTypes } from "../protocol/documents/info.ts";

export interface DiscoveryConfig {
  /** How long an announcement is valid, in milliseconds. */
  readonly ageMaxMs: number;
}

/** Nodes that are announced at the same time. */
export const announcedNodesMax = 10_000;

/** Scheme, host and port, without user, path or query: requests to the node are sent there. */
const addressPattern = /^https?:\/\/(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?\/?$/;

export interface AnnouncedNode {
  readonly nodeId: string;
  /** `http://host:port` */
  readonly uri: string;
  readonly nodeVersion: string;
  readonly coordinator: boolean;
  /** Changes with each restart. */
  readonly incarnation: string;
  /** State that the node announced. */
  readonly state: NodeState;
  /** Names of its catalogs; undefined if the node does not announce them. */
  readonly catalogs: ReadonlySet<string> | undefined;
  /** Versions of its catalogs that were created at run time, by name. */
  readonly catalogVersions: ReadonlyMap<string, string>;
  /** Size of the node's memory; undefined if it did not announce it. */
  readonly memoryBytes: number | undefined;
  readonly announcement: Announcement;
}

interface Entry {
  node: AnnouncedNode;
  receivedNanos: MonotonicNanos;
}

export class Discovery {
  readonly #clock: Clock;
  readonly #config: DiscoveryConfig;
  readonly #onChange: (nodeIds: readonly string[]) => void;
  readonly #entries = new Map<string, Entry>();
  /** Node ids, sorted; undefined after one came or went. */
  #sorted: readonly string[] | undefined;
  #timer: Timer | undefined;

  /** `onChange` is called with the nodes that arrive, leave or change, not when an announcement is merely renewed. */
  constructor(clock: Clock, config: DiscoveryConfig, onChange: (nodeIds: readonly string[]) => void) {
    this.#clock = clock;
    this.#config = config;
    this.#onChange = onChange;
  }

  /** `isAlive`: a node of this name, at its announced address. Throws HttpError. */
  announce(announcement: Announcement, isAlive: (nodeId: string) => boolean): void {
    const node = announcedNode(announcement);
    const known = this.#entries.get(node.nodeId);
    if (known === undefined && this.#entries.size >= announcedNodesMax) {
      throw new HttpError(503, `The cluster has ${announcedNodesMax} nodes and takes no more`, { "retry-after": "10" });
    }
    const isAnother = known !== undefined && known.node.uri !== node.uri && known.node.incarnation !== node.incarnation;
    if (isAnother && isAlive(node.nodeId)) {
      throw new HttpError(409, `The node id '${node.nodeId}' is taken by a living node at ${known.node.uri}`);
    }
    const isNews = known === undefined || !sameNode(known.node, node);
    this.#entries.set(node.nodeId, { node, receivedNanos: this.#clock.monotonicNanos() });
    this.#sorted = known === undefined ? undefined : this.#sorted;
    this.#schedule();
    if (isNews) {
      this.#onChange([node.nodeId]);
    }
  }

  /** Returns false if the node was not announced. */
  withdraw(nodeId: string): boolean {
    const was = this.#entries.delete(nodeId);
    if (was) {
      this.#sorted = undefined;
      this.#onChange([nodeId]);
    }
    return was;
  }

  /** Sorted by node id. */
  nodes(): readonly AnnouncedNode[] {
    this.#sorted ??= [...this.#entries.keys()].sort((a, b) => (a < b ? -1 : 1));
    return this.#sorted.flatMap((nodeId) => this.find(nodeId) ?? []);
  }

  /** Number of announced nodes. */
  get size(): number {
    return this.#entries.size;
  }

  find(nodeId: string): AnnouncedNode | undefined {
    return this.#entries.get(nodeId)?.node;
  }

  get hasTimer(): boolean {
    return this.#timer !== undefined;
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Sets one timer, for the announcement that expires first. */
  #schedule(): void {
    if (this.#timer !== undefined || this.#entries.size === 0) {
      return;
    }
    const oldest = Math.min(...[...this.#entries.values()].map((entry) => entry.receivedNanos));
    const ageMs = (this.#clock.monotonicNanos() - oldest) / 1e6;
    this.#timer = this.#clock.timer("announcement-expiry", Math.max(1, Math.ceil(this.#config.ageMaxMs - ageMs)), () => {
      this.#timer = undefined;
      this.#expire();
      this.#schedule();
    });
  }

  #expire(): void {
    const now = this.#clock.monotonicNanos();
    const gone: string[] = [];
    for (const [nodeId, entry] of this.#entries) {
      if (now - entry.receivedNanos >= this.#config.ageMaxMs * 1e6) {
        this.#entries.delete(nodeId);
        this.#sorted = undefined;
        gone.push(nodeId);
      }
    }
    if (gone.length > 0) {
      this.#onChange(gone);
    }
  }
}

function announcedNode(announcement: Announcement): AnnouncedNode {
  const service = announcement.services.find((one) => serviceTypes.includes(one.type));
  const properties = servicePropertiesSchema.safeParse(service?.properties);
  if (!properties.success) {
    throw new HttpError(400, `The announcement of ${announcement.nodeId} has no service with an address and a version`);
  }
  if (!addressPattern.test(properties.data.http)) {
    throw new HttpError(400, `The announced address of ${announcement.nodeId} is not http://HOST:PORT`);
  }
  return {
    nodeId: announcement.nodeId,
    uri: properties.data.http.replace(/\/+$/, ""),
    nodeVersion: properties.data.node_version,
    coordinator: properties.data.coordinator === "true",
    incarnation: properties.data.life ?? "",
    state: properties.data.state ?? "ACTIVE",
    catalogs: properties.data.connectorIds === undefined ? undefined : new Set(properties.data.connectorIds.split(",")),
    catalogVersions: new Map(
      (properties.data.catalogVersions ?? "").split(",").flatMap((entry) => {
        const [name = "", version] = entry.split("=", 2);
        return version === undefined ? [] : [[name, version]];
      }),
    ),
    memoryBytes: properties.data.memory === undefined ? undefined : Number(properties.data.memory),
    announcement,
  };
}

function sameNode(a: AnnouncedNode, b: AnnouncedNode): boolean {
  return (
    a.uri === b.uri &&
    a.incarnation === b.incarnation &&
    a.state === b.state &&
    a.nodeVersion === b.nodeVersion &&
    a.coordinator === b.coordinator &&
    catalogsOf(a) === catalogsOf(b)
  );
}

function catalogsOf({ catalogs, catalogVersions }: AnnouncedNode): string {
  return `${[...(catalogs ?? [])].join(",")};${[...catalogVersions].join(";")}`;
}
