/**
 * One node in this process. A coordinator with `role: "both"` is a whole engine; nodes of several processes make a cluster when the workers
 * name their coordinator.
 */
import { memoryDefaults, nodeConfig } from "../config.ts";
import type { ConnectorFactory } from "../connectors/spi.ts";
import { createNode as createEngineNode, type OrreryNode } from "../node.ts";
import type { Network, RequestHandler } from "../ports/network.ts";
import type { Ports } from "../ports/ports.ts";
import { nodeMemoryBytes } from "../server/configuration.ts";
import { allFactories, catalogConfigs, type Catalogs, checkProperties } from "./catalogs.ts";
import type { HttpIdentity, HttpOptions } from "./http.ts";
import { nodePorts } from "./ports.ts";

export interface CommonOptions {
  /** `memory`, `tpcds` and `tpch` if absent. */
  readonly catalogs?: Catalogs;
  /** Connectors besides those of the package, for `connector.name`. */
  readonly connectors?: readonly ConnectorFactory[];
  /** Properties of the engine, with their names in config.properties. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Folder for spilled pages; below the system's temporary folder if absent. */
  readonly spillFolder?: string;
}

export interface NodeOptions extends CommonOptions {
  /** Unique in the cluster; letters, digits, `_`, `.` and `-`. */
  readonly nodeId: string;
  /** `both`, the default, is a coordinator that also runs tasks of queries. */
  readonly role?: "coordinator" | "worker" | "both";
  /** Address of the coordinator that a worker joins. */
  readonly coordinatorUri?: string;
  /** Where the node listens: by default on a free port of the loopback address. */
  readonly http?: HttpOptions;
  /** Replace single ports. Without HTTP if `network` is one of them. */
  readonly ports?: Partial<Ports>;
}

export interface Node extends AsyncDisposable {
  readonly nodeId: string;
  /** `http://host:port` */
  readonly uri: string;
  /** True once the node has been able to answer queries. */
  readonly isReady: boolean;
  /** Resolves when the node can answer queries. */
  ready(): Promise<void>;
  /** Handles a request as if it came over the network. */
  readonly handle: RequestHandler;
  /** Finishes running queries and tasks within `graceMs`, leaves the cluster and closes. */
  shutdown(options: { readonly graceMs: number }): Promise<void>;
  /** Ends all work at once. Idempotent. */
  close(): Promise<void>;
}

export async function createNode(options: NodeOptions): Promise<Node> {
  const { http, nodeId, properties = {}, role = "both" } = options;
  const network =
    options.ports?.network ?? (await httpOf(http, { nodeId, properties, role: role === "worker" ? "worker" : "coordinator" }));
  return (await startNode({ ...options, network, nodesOfProcess: 1 })).node;
}

/** Loads the HTTP server. */
export async function httpOf(options: HttpOptions | undefined, identity: HttpIdentity): Promise<Network> {
  const { httpNetwork } = await import("./http.ts");
  return httpNetwork(options, identity);
}

export interface StartedNode {
  readonly node: Node;
  readonly engine: OrreryNode;
}

/** Nodes of one process share its memory. */
export async function startNode(
  options: Omit<NodeOptions, "http"> & { readonly network: Network; readonly nodesOfProcess: number },
): Promise<StartedNode> {
  const { nodeId, role = "both", coordinatorUri, properties = {}, network } = options;
  checkProperties(properties);
  const factories = allFactories(options.connectors);
  const config = nodeConfig(
    {
      nodeId,
      role,
      catalogs: catalogConfigs(options.catalogs, factories),
      ...(coordinatorUri === undefined ? {} : { discoveryUri: coordinatorUri }),
    },
    { ...memoryDefaults(nodeMemoryBytes(options.nodesOfProcess)), ...properties },
  );
  const own = nodePorts({ network, spillFolder: options.spillFolder, given: options.ports });
  try {
    const engine = await createEngineNode(config, own.ports, { factories });
    void engine.closed.then(() => own.close());
    return { node: publicNode(engine), engine };
  } catch (error) {
    own.close();
    throw error;
  }
}

function publicNode(engine: OrreryNode): Node {
  const close = async (): Promise<void> => {
    await engine.close();
    await engine.closed;
  };
  return {
    nodeId: engine.nodeId,
    get uri() {
      return engine.selfUri;
    },
    get isReady() {
      return engine.isReady;
    },
    ready: () => engine.ready(),
    handle: engine.handle,
    shutdown: (shutdown) => engine.shutdown(shutdown),
    close,
    [Symbol.asyncDispose]: close,
  };
}
