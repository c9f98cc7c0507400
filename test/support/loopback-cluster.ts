/**
 * A cluster of real nodes in this process, over Fastify and undici on the loopback address.
 */
import { memoryDefaults, nodeConfig } from "../../src/config.ts";
import { KernelModuleCache } from "../../src/codegen/runtime.ts";
import type { OrreryNode } from "../../src/node.ts";
import { createNode } from "../../src/node.ts";
import { noBody } from "../../src/ports/network.ts";
import { Operations } from "../../src/server/operations/operations.ts";
import { connectorFactories } from "../../src/connectors/registry.ts";
import { sharingTpchFactory } from "../../src/connectors/tpch/tpch.ts";
import { type RealPorts, realPorts } from "../../src/server/ports/ports.ts";
import { type AccessConfiguration, accessControlOf } from "../../src/security/access-configuration.ts";
import type { UserGroupsDocument } from "../../src/security/user-groups.ts";
import type { RealNetworkOptions } from "../../src/server/transport/network.ts";
import type { EventConfiguration } from "../../src/server/operations/events/configuration.ts";
import type { Log } from "../../src/ports/ports.ts";
import type { Service } from "./service.ts";

type Catalogs = readonly { readonly name: string; readonly properties: Readonly<Record<string, string>> }[];

export interface LoopbackOptions {
  readonly workers?: number;
  readonly properties?: Readonly<Record<string, string>>;
  readonly catalogs?: Catalogs;
  /** Catalogs of a worker that differ from those of the others, by node id. */
  readonly catalogsOf?: Readonly<Record<string, Catalogs>>;
  readonly bodyBytesMax?: number;
  /** Consumers of query events; none if absent. */
  readonly events?: Partial<EventConfiguration>;
  /** Receives log lines about queries. */
  readonly log?: Log;
  /** Rights of users; none are checked if absent. */
  readonly access?: AccessConfiguration;
  readonly userGroups?: UserGroupsDocument;
  /** HTTPS and authentication of the nodes; none if absent. */
  readonly security?: (role: "coordinator" | "worker") => Pick<RealNetworkOptions, "authentication" | "https" | "pages">;
}

export interface LoopbackCluster extends Service {
  /** Address of the coordinator's HTTPS, if there is one. */
  readonly httpsUri: string | undefined;
  /** Address of the coordinator's plain HTTP, if there is one. */
  readonly httpUri: string | undefined;
  readonly nodes: readonly OrreryNode[];
  /** Starts one more worker; resolves when the coordinator sees it active. */
  addWorker(): Promise<OrreryNode>;
  /** Of the nodes, in their order. */
  readonly operations: readonly Operations[];
}

const defaultCatalogs = [
  { name: "memory", properties: { "connector.name": "memory" } },
  { name: "tpch", properties: { "connector.name": "tpch" } },
];

/** Of the nodes of the cluster. */
export const clusterSecret = "the secret of a cluster under test";

const noEvents: EventConfiguration = {
  slowQueryMs: undefined,
  tracesStatements: false,
  queryLog: undefined,
  auditLog: undefined,
  listener: undefined,
};
const noLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The tables of tests are small, and their stages should have several tasks all the same. */
const smallTables = { "optimizer.min-input-rows-per-task": "1", "query.hash-partition-count": "3" };
/** Nodes in a busy process respond late; these tests do not cover failure detection. */
const patience = { "failure-detector.heartbeat-timeout": "5m" };

export async function startLoopbackCluster(options: LoopbackOptions = {}): Promise<LoopbackCluster> {
  const ports: RealPorts[] = [];
  const nodes: OrreryNode[] = [];
  const operations: Operations[] = [];
  // Neither holds state of a node: compiled modules of kernels, and the index of the text of tpch's comments.
  const modules = new KernelModuleCache();
  const tpch = sharingTpchFactory();
  const factories = connectorFactories.map((factory) => (factory.name === tpch.name ? tpch : factory));
  const start = async (nodeId: string, role: "coordinator" | "worker", discoveryUri?: string): Promise<OrreryNode> => {
    const operated = new Operations({
      log: options.log ?? noLog,
      ...(role === "worker" ? {} : { events: { ...noEvents, ...options.events } }),
    });
    const own = realPorts({
      nodeId,
      network: {
        host: "127.0.0.1",
        port: 0,
        bodyBytesMax: options.bodyBytesMax ?? 16 * 1024 * 1024,
        eventLoopDelayMsMax: 60_000,
        processForwarded: true,
        resources: operated.resources,
        internal: { secret: clusterSecret, nodeId, role },
        onRefused: (refusal) => operated.refused(refusal),
        ...(options.access === undefined
          ? {}
          : {
              readsSystemInformation: (user: string) =>
                accessControlOf(options.access, { version: 0 })?.canReadSystemInformation(user) === true,
            }),
        ...options.security?.(role),
      },
      logLevel: "error",
      spillFolder: undefined,
    });
    ports.push(own);
    const config = nodeConfig(
      {
        nodeId,
        role,
        catalogs: options.catalogsOf?.[nodeId] ?? options.catalogs ?? defaultCatalogs,
        ...(discoveryUri === undefined ? {} : { discoveryUri }),
        ...(role === "worker" || options.access === undefined ? {} : { access: options.access }),
        ...(role === "worker" || options.userGroups === undefined ? {} : { userGroups: options.userGroups }),
      },
      { ...memoryDefaults(1024 ** 3), ...smallTables, ...patience, ...options.properties },
    );
    const node = await createNode(config, own, {
      ...operated.hooks,
      factories,
      modules,
    });
    operated.attach({ node, observe: (work) => work() });
    nodes.push(node);
    operations.push(operated);
    return node;
  };
  const coordinator = await start("coordinator", "coordinator");
  const workers: OrreryNode[] = [];
  for (let index = 1; index <= (options.workers ?? 2); index++) {
    workers.push(await start(`worker-${index}`, "worker", coordinator.selfUri));
  }
  const joined = async (): Promise<void> => {
    for (let attempt = 0; (coordinator.cluster?.activeWorkers().length ?? 0) < workers.length; attempt++) {
      if (attempt > 10_000) {
        throw new Error("the workers do not join");
      }
      await wait(10);
    }
  };
  await joined();
  const outside = realPorts({
    nodeId: "test",
    network: {
      host: "127.0.0.1",
      port: 0,
      bodyBytesMax: 1,
      eventLoopDelayMsMax: 60_000,
      processForwarded: false,
      // Tests ask for internal resources, as a node of the cluster does.
      internal: { secret: clusterSecret, nodeId: "test", role: "worker" },
      ...options.security?.("worker"),
    },
    logLevel: "error",
    spillFolder: undefined,
  });
  ports.push(outside);
  return {
    nodes,
    operations,
    uri: coordinator.selfUri,
    httpsUri: ports[0]?.network.httpsUri,
    httpUri: ports[0]?.network.httpUri,
    workerUris: workers.map((worker) => worker.selfUri),
    addWorker: async () => {
      const worker = await start(`worker-${workers.length + 1}`, "worker", coordinator.selfUri);
      workers.push(worker);
      await joined();
      return worker;
    },
    request: (method, url, request = {}) =>
      outside.network.request(
        { method, url, headers: request.headers ?? {}, body: request.body ?? noBody },
        { timeoutMs: 300_000, label: "test" },
      ),
    wait,
    async stop() {
      for (const node of nodes) {
        await node.close();
      }
      for (const own of ports) {
        await own.close();
      }
      for (const operated of operations) {
        await operated.close(1000);
      }
    },
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
