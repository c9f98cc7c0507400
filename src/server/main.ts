/**
 * `npm start`: a coordinator on this thread and worker nodes on threads of their own, in one process.
 */
import { rm } from "node:fs/promises";
import { Command } from "commander";
import { nodeConfig, engineProperties, engineVersion } from "../config.ts";
import { connectorFactories } from "../connectors/registry.ts";
import { within } from "../ports/clock.ts";
import type { Ports } from "../ports/ports.ts";
import { CoordinatorLife } from "./chaos/coordinator-life.ts";
import { chaosWarning, ServerChaos } from "./chaos/server-chaos.ts";
import { externalHostOf, isLoop, warnOpen } from "./transport/addresses.ts";
import { connectionShares, descriptorLimit } from "./edge/descriptors.ts";
import { historyProperties } from "./history-properties.ts";
import { configuredSecret, machineSecret } from "./internal-secret.ts";
import { readConfiguration, type ServerConfiguration, serverProperties } from "./configuration.ts";
import { processLog } from "./log.ts";
import { createTracer, Operations } from "./operations/operations.ts";
import { environmentName } from "./properties.ts";
import { type RealPorts, realPorts } from "./ports/ports.ts";
import { recordingFlags, recordingOptions, type RecordingFlags, startNode, type StartedNode } from "./recording/recording.ts";
import { endOnSignals, explainStartFailure, startFailureCode, tellIgnoredEnvironment } from "./program.ts";
import { historyOwner, processIdentity } from "./ports/history-owner.ts";
import { coordinatorProperties, engineProperties as propertiesFor } from "./threads/thread-properties.ts";
import type { NodeConfig } from "../config.ts";
import { createQueryRouting } from "./query-routing.ts";
import { createResourceGroups } from "./resource-groups.ts";
import { createAccessControl } from "./security/access/access-control.ts";
import { createUserGroups } from "./security/user-groups.ts";
import { ThreadPasswordChecker } from "./security/password-checker.ts";
import { networkSecurity } from "./security/security.ts";
import { allowedProcessors, processorsForWorkers, workerName, WorkerPins } from "./threads/thread-affinity.ts";
import { WebPages } from "./web/pages.ts";
import { WorkerThreads } from "./threads/worker-threads.ts";

interface Flags extends RecordingFlags {
  readonly host?: string;
  readonly port?: string;
  readonly workers?: string;
  readonly etc?: string;
  readonly data?: string;
  readonly chaos?: string | true;
}

function propertyHelp(): string {
  const line = (one: { name: string; default: string; description: string }): string =>
    `  ${one.name.padEnd(44)} ${one.description}${one.default === "" ? "" : ` (${one.default})`}`;
  return `
Set properties in etc/config.properties or in the environment, for example query.max-length as ${environmentName("query.max-length")};
values may contain \${ENV:NAME}. Define catalogs in etc/catalog/NAME.properties with connector.name of:
${connectorFactories.map(({ name }) => name).join(", ")}, jmx.

Properties of the server:
${serverProperties.map(line).join("\n")}

Properties of the engine:
${engineProperties.map(line).join("\n")}
`;
}

function parseFlags(argv: readonly string[]): Flags {
  const command = new Command("npm start --")
    .description("Starts a coordinator and worker nodes in one process and serves the Presto statement protocol.")
    .version(engineVersion)
    .option("--host <host>", "address to listen on (ORRERY_HOST)")
    .option("--port <port>", "port to listen on; 0 selects a free port and prints it (ORRERY_PORT)")
    .option("--workers <n>", "number of worker nodes in this process (ORRERY_WORKERS)")
    .option("--etc <dir>", "configuration directory (ORRERY_ETC; ./etc if it exists)")
    .option("--data <dir>", "directory of the catalog `files` (ORRERY_DATA)")
    .option("--chaos [seed]", "for tests: clients may make requests fail and end nodes, by /v1/chaos; the seed decides draws")
    .allowExcessArguments(false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : startFailureCode))
    .addHelpText("after", propertyHelp());
  return recordingOptions(command)
    .parse([...argv], { from: "user" })
    .opts<Flags>();
}

function configurationOf(flags: Flags): ServerConfiguration {
  const given: Record<string, string> = {};
  const flag = (name: string, value: string | undefined): void => {
    if (value !== undefined) {
      given[name] = value;
    }
  };
  flag("http-server.http.host", flags.host);
  flag("http-server.http.port", flags.port);
  flag("node.workers", flags.workers);
  flag("node.data-dir", flags.data);
  Object.assign(given, recordingFlags(flags));
  return readConfiguration({ flags: given, environment: process.env, etcFolder: flags.etc });
}

interface Running {
  /** The current incarnation of the coordinator. */
  started: StartedNode;
  readonly ports: RealPorts;
  readonly threads: WorkerThreads;
  readonly pins: WorkerPins;
  readonly operations: Operations;
  readonly graceMs: number;
}

async function start(configuration: ServerConfiguration, chaos: ServerChaos | undefined): Promise<Running> {
  const { historyFolder, properties } = historyProperties(configuration, propertiesFor(configuration));
  const config = nodeConfig(
    {
      nodeId: properties["node.id"] ?? "coordinator",
      // Without workers in this process, the coordinator also runs tasks, unless the configuration forbids it because workers of other
      // processes will join.
      role: configuration.workers === 0 && properties["node-scheduler.include-coordinator"] !== "false" ? "both" : "coordinator",
      catalogs: configuration.catalogs,
      process: processIdentity(),
    },
    coordinatorProperties(configuration, properties),
  );
  const { edge, security } = configuration;
  const { limits, allowedHosts } = edge;
  const shares = connectionShares(descriptorLimit(), configuration.workers);
  const secret = configuredSecret(properties) ?? machineSecret();
  const log = processLog(config.nodeId, configuration.logLevel);
  const access = await createAccessControl(security, log);
  const userGroups = createUserGroups(configuration.userGroups, log);
  const groups = createResourceGroups(configuration.resourceGroups, log);
  const routing = createQueryRouting(configuration.queryRouting, log);
  const { tracesStatements } = configuration.events;
  const tracer = await createTracer({ nodeId: config.nodeId, environmentName: config.environment, tracesStatements, log });
  const operations = new Operations({ log, events: configuration.events, tracer, hasChaos: chaos !== undefined });
  const ports = realPorts({
    nodeId: config.nodeId,
    network: {
      host: configuration.host,
      port: configuration.port,
      ...(configuration.externalHost === undefined ? {} : { externalHost: configuration.externalHost }),
      bodyBytesMax: configuration.bodyBytesMax,
      eventLoopDelayMsMax: configuration.eventLoopDelayMsMax,
      processForwarded: configuration.processForwarded,
      compressesAnswers: configuration.compressesAnswers,
      resources: operations.resources,
      onRefused: (refusal) => operations.refused(refusal),
      ...(access === undefined ? {} : { readsSystemInformation: (user: string) => access.accessControl().canReadSystemInformation(user) }),
      pages: new WebPages(new URL("./web/", import.meta.url)),
      limits: { connectionsMax: shares.first, ...limits },
      allowedHosts,
      internal: { secret, nodeId: config.nodeId, role: "coordinator" },
      ...networkSecurity(security, { log, checker: new ThreadPasswordChecker(new URL("./password-thread.js", import.meta.url)) }),
      ...(chaos === undefined ? {} : { chaos: chaos.door }),
    },
    logLevel: configuration.logLevel,
    spillFolder: configuration.spillFolder,
    historyFolder,
  });
  const pins = new WorkerPins({
    processors: configuration.pinsWorkers ? processorsForWorkers(configuration.workers, allowedProcessors(), process.pid) : [],
    onFailed: (nodeId) => log.info("worker-not-pinned", { nodeId }),
  });
  const threads = new WorkerThreads({
    entry: new URL("./worker-thread.cjs", import.meta.url),
    onChannel: (port) => ports.network.connect(port),
    onDeath: ({ nodeId, message, againMs }) => {
      const again = againMs === undefined ? "" : `; it is started again in ${againMs / 1000} s`;
      process.stderr.write(`Worker ${nodeId} ${againMs === undefined ? "ended" : "died"}: ${message}${again}\n`);
    },
    onStarted: ({ nodeId, systemThreadId }) => pins.started(nodeId, systemThreadId),
    // A directory that cannot be removed only costs space.
    onFolder: (path) => void rm(path, { recursive: true, force: true }).catch(() => undefined),
  });
  // Threads load in parallel with the start of the coordinator.
  for (let index = 1; index <= configuration.workers; index++) {
    threads.start({
      nodeId: workerName(index),
      // Workers on other machines exchange pages with these workers, so they listen where the coordinator listens.
      host: configuration.host,
      externalHost: isLoop(configuration.host) ? "" : (externalHostOf(configuration) ?? ""),
      environmentName: config.environment,
      properties,
      secret,
      tls: security.internalHttps ? security.tls : undefined,
      isClosedToUsers: security.authentication !== undefined,
      catalogs: configuration.catalogs,
      memoryBytes: configuration.memoryBytes,
      limits: { connectionsMax: shares.others, ...limits },
      allowedHosts,
      logLevel: configuration.logLevel,
      spillFolder: configuration.spillFolder ?? "",
      recording: configuration.recording,
    });
  }
  let watches: readonly ((() => void) | undefined)[] = [];
  const startCoordinator = async (own: Ports): Promise<StartedNode> => {
    const current: NodeConfig = {
      ...config,
      ...(access === undefined ? {} : { access: access.configuration() }),
      ...(userGroups === undefined ? {} : { userGroups: userGroups.document() }),
      ...(groups === undefined ? {} : { resourceGroups: groups.document() }),
      ...(routing === undefined ? {} : { queryRouting: routing.document() }),
    };
    const started = await startNode(current, own, {
      factories: connectorFactories,
      recording: configuration.recording,
      onIncident: () => threads.send({ kind: "keep-incident" }),
      hooks: operations.hooks,
    });
    for (const stop of watches) {
      stop?.();
    }
    watches = [
      access?.watch((rules) => started.setAccess(rules)),
      userGroups?.watch((document) => started.setUserGroups(document)),
      groups?.watch((document) => started.setResourceGroups(document)),
      routing?.watch((document) => started.setQueryRouting(document)),
    ];
    operations.attach({ node: started.node, observe: (work) => started.observe(work), others: () => threads.measure(scrapeWaitMs) });
    return started;
  };
  try {
    const life = chaos === undefined || configuration.recording !== undefined ? undefined : new CoordinatorLife(ports, startCoordinator);
    const started = await (life === undefined ? startCoordinator(ports) : life.start());
    threads.send({ kind: "join", coordinatorUri: ports.network.selfUri });
    const running: Running = { started, ports, threads, pins, operations, graceMs: config.shutdownGraceMs };
    const restartCoordinator =
      life === undefined
        ? undefined
        : async (): Promise<void> => {
            running.started = await life.restart();
          };
    chaos?.attach({ threads, restartCoordinator });
    return running;
  } catch (error) {
    await threads.terminate();
    await ports.close();
    throw error;
  }
}

/** Time for the last query events if queries have used up the grace period, in milliseconds. */
const lastDeliveryMsMin = 500;
/** Longest wait for the metrics of the workers of this process, in milliseconds. */
const scrapeWaitMs = 1000;
/** Longest wait for the workers of this process before the server prints that it is ready, in milliseconds. */
const joinWaitMsMax = 5000;

function workersJoined(running: Running, count: number): Promise<void> {
  const { cluster } = running.started.node;
  return new Promise((resolve) => {
    const done = (): void => {
      stop?.();
      timer.cancel();
      resolve();
    };
    const look = (): void => {
      if ((cluster?.activeCount ?? 0) >= count) {
        done();
      }
    };
    const timer = running.ports.clock.timer("workers-join", joinWaitMsMax, done);
    const stop = cluster?.onChange(look);
    look();
  });
}

/** Time in which a coordinator gets a lease that is free, in milliseconds. */
const leaseWaitMs = 500;
/** Exit code of a server that another one has replaced: whoever keeps it running starts it again, on stand-by. */
const leaseLostCode = 1;

/** Resolves when this server is the owner of its directory. The process ends when another one is. */
async function standBy(running: Running, directory: string | undefined): Promise<void> {
  const { ports, started, threads } = running;
  const { closed, lease } = started.node;
  if (lease === undefined || directory === undefined) {
    return;
  }
  await within(ports.clock, "lease-wait", lease.acquired, leaseWaitMs);
  if (!lease.isHeld) {
    const owner = historyOwner(directory)?.text ?? "another coordinator";
    process.stdout.write(
      `Orrery stands by on ${ports.network.selfUri}: ${owner} uses ${directory}; this server takes over when that one ends\n`,
    );
    const look = (): void => {
      if (!lease.isHeld) {
        // Gives back the lease of a process that has died.
        historyOwner(directory);
        ports.clock.timer("lease-owner-look", leaseWaitMs, look);
      }
    };
    look();
    await lease.acquired;
  }
  void closed.then(async () => {
    if (lease.isLost) {
      process.stderr.write(`Another coordinator has taken over ${directory}; this server ends\n`);
      await threads.terminate();
      await ports.close();
      process.exit(leaseLostCode);
    }
  });
}

async function end(running: Running, signal: string): Promise<void> {
  process.stderr.write(`${signal}: finishing running queries, at most ${running.graceMs / 1000} s; again to stop at once\n`);
  const deadlineMs = performance.now() + running.graceMs;
  await running.started.shutdown(running.graceMs);
  await running.operations.close(Math.max(lastDeliveryMsMin, deadlineMs - performance.now()));
  // The coordinator is gone, so the workers close without withdrawing their announcements.
  running.threads.send({ kind: "close" });
  await running.threads.ended();
  await running.ports.close();
  running.started.recorder?.close();
}

async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  const configuration = configurationOf(flags);
  const chaos = flags.chaos === undefined ? undefined : new ServerChaos(flags.chaos === true ? "1" : flags.chaos);
  const running = await start(configuration, chaos);
  endOnSignals((signal) => end(running, signal));
  running.started.keepOnSignal(() => running.threads.send({ kind: "keep" }));
  await standBy(running, configuration.historyFolder);
  await workersJoined(running, configuration.workers);
  warnOpen(configuration, { log: running.ports.log, print: (line) => process.stderr.write(line) });
  tellIgnoredEnvironment();
  if (chaos !== undefined) {
    process.stderr.write(chaosWarning);
  }
  const { httpsUri, selfUri } = running.ports.network;
  const uri = configuration.security.authentication === undefined ? selfUri : (httpsUri ?? selfUri);
  const other = uri === "http://127.0.0.1:8080" ? "" : ` --server ${uri}`;
  process.stdout.write(
    `Orrery listens on ${uri}; open it in a browser, or try: npm run cli --${other} --execute "SELECT * FROM tpch.tiny.nation"\n`,
  );
  running.pins.begin();
}

/** `npm start`. A failed start ends the process. */
export function runServer(): void {
  main().catch((error: unknown) => {
    process.stderr.write(`${explainStartFailure(error)}\n`);
    process.exit(startFailureCode);
  });
}
