/**
 * `npm run worker -- --coordinator http://HOST:PORT`: a worker node in its own process, on this machine or another.
 */
import { randomBytes } from "node:crypto";
import { Command } from "commander";
import { engineVersion, nodeConfig } from "../config.ts";
import { connectorFactories } from "../connectors/registry.ts";
import { externalHostOf, isLoop, isOutOfReach, warnOpen } from "./transport/addresses.ts";
import { readConfiguration } from "./configuration.ts";
import { configuredSecret, machineSecret } from "./internal-secret.ts";
import { connectionShares, descriptorLimit } from "./edge/descriptors.ts";
import { ConfigurationError } from "./properties.ts";
import { sharedSecretProperty } from "../protocol/http/internal-signature.ts";
import { processLog } from "./log.ts";
import { Operations } from "./operations/operations.ts";
import { realPorts } from "./ports/ports.ts";
import { recordingFlags, recordingOptions, type RecordingFlags, startNode } from "./recording/recording.ts";
import { endOnSignals, explainStartFailure, startFailureCode, tellIgnoredEnvironment } from "./program.ts";
import { describesService } from "./service-environment.ts";
import { ThreadPasswordChecker } from "./security/password-checker.ts";
import { networkSecurity } from "./security/security.ts";
import { engineProperties } from "./threads/thread-properties.ts";

interface Flags extends RecordingFlags {
  readonly coordinator?: string;
  readonly host?: string;
  readonly externalHost?: string;
  readonly port?: string;
  readonly etc?: string;
  readonly data?: string;
  readonly nodeId?: string;
}

function parseFlags(argv: readonly string[]): Flags {
  const command = new Command("npm run worker --")
    .description("Starts a worker node and joins it to a running coordinator.")
    .version(engineVersion)
    .option("--coordinator <url>", "address of the coordinator, as http://HOST:PORT (ORRERY_COORDINATOR)")
    .option("--host <host>", "address to listen on (ORRERY_HOST)")
    .option("--external-host <host>", "host name under which other nodes reach this node")
    .option("--port <port>", "port to listen on; 0, the default, selects a free port (ORRERY_PORT)")
    .option("--etc <dir>", "configuration directory; its catalogs must match the coordinator's")
    .option("--data <dir>", "directory of the catalog `files`; all nodes need the same files")
    .option("--node-id <id>", "unique identifier of the node in the cluster")
    .allowExcessArguments(false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : startFailureCode));
  return recordingOptions(command)
    .parse([...argv], { from: "user" })
    .opts<Flags>();
}

/** The port of a shared configuration directory is the coordinator's, so only the environment sets a worker's. */
function environmentPort(): string | undefined {
  return describesService("ORRERY_PORT", process.env) ? undefined : process.env["ORRERY_PORT"];
}

/** Only nodes of one machine find a secret by themselves. */
function secretOf(properties: Readonly<Record<string, string>>, hosts: readonly string[]): string {
  const secret = configuredSecret(properties);
  if (secret === undefined && !hosts.every(isLoop)) {
    throw new ConfigurationError(
      `set ${sharedSecretProperty} to the same value on all nodes: the cluster is reachable from other machines`,
    );
  }
  return secret ?? machineSecret();
}

async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  const port = flags.port ?? environmentPort() ?? "0";
  const given: Record<string, string> = { "http-server.http.port": port, "http-server.https.port": port, "node.workers": "1" };
  if (flags.host !== undefined) {
    given["http-server.http.host"] = flags.host;
  }
  if (flags.externalHost !== undefined) {
    given["http-server.external-host"] = flags.externalHost;
  }
  if (flags.data !== undefined) {
    given["node.data-dir"] = flags.data;
  }
  Object.assign(given, recordingFlags(flags));
  const configuration = readConfiguration({ flags: given, environment: process.env, etcFolder: flags.etc });
  const properties = engineProperties(configuration);
  const coordinatorUri = flags.coordinator ?? process.env["ORRERY_COORDINATOR"] ?? properties["discovery.uri"] ?? "";
  if (!/^https?:\/\/[^/]+\/?$/.test(coordinatorUri)) {
    throw new ConfigurationError(
      coordinatorUri === ""
        ? "no coordinator to join: give --coordinator http://HOST:PORT"
        : `invalid coordinator address '${coordinatorUri}': expected http://HOST:PORT`,
    );
  }
  const nodeId = flags.nodeId ?? properties["node.id"] ?? `worker-${randomBytes(4).toString("hex")}`;
  const config = nodeConfig({ nodeId, role: "worker", catalogs: configuration.catalogs, discoveryUri: coordinatorUri }, properties);
  const secret = secretOf(properties, [configuration.host, new URL(coordinatorUri).hostname]);
  const externalHost = externalHostOf(configuration);
  const log = processLog(nodeId, configuration.logLevel);
  const operations = new Operations({ log });
  const { security } = configuration;
  const ports = realPorts({
    nodeId,
    network: {
      host: configuration.host,
      port: configuration.port,
      ...(externalHost === undefined ? {} : { externalHost }),
      bodyBytesMax: configuration.bodyBytesMax,
      eventLoopDelayMsMax: 10_000,
      processForwarded: configuration.processForwarded,
      limits: { connectionsMax: connectionShares(descriptorLimit(), 0).first, ...configuration.edge.limits },
      allowedHosts: configuration.edge.allowedHosts,
      internal: { secret, nodeId, role: "worker" },
      ...networkSecurity(security, { log, checker: new ThreadPasswordChecker(new URL("./password-thread.js", import.meta.url)) }),
      resources: operations.resources,
    },
    logLevel: configuration.logLevel,
    spillFolder: configuration.spillFolder,
  });
  const { hooks } = operations;
  const started = await startNode(config, ports, { factories: connectorFactories, recording: configuration.recording, hooks });
  const { node } = started;
  operations.attach(started);
  const graceMs = config.shutdownGraceMs;
  // PUT /v1/info/state can also end the node.
  void node.closed.then(() => ports.close()).then(() => process.exit(0));
  endOnSignals(async (signal) => {
    process.stderr.write(`${signal}: finishing running tasks, at most ${graceMs / 1000} s; again to stop at once\n`);
    await started.shutdown(graceMs);
    await ports.close();
  });
  started.keepOnSignal();
  warnOpen(configuration, { log, print: (line) => process.stderr.write(line) });
  tellIgnoredEnvironment();
  if (isOutOfReach(ports.network.selfUri, coordinatorUri)) {
    process.stderr.write(
      `The coordinator cannot reach this worker at ${ports.network.selfUri}; give --host 0.0.0.0, or --external-host with this machine's name\n`,
    );
  }
  process.stdout.write(`Worker ${nodeId} listens on ${ports.network.selfUri} and joins ${coordinatorUri}\n`);
}

/** `npm run worker`. A failed start ends the process. */
export function runWorker(): void {
  main().catch((error: unknown) => {
    process.stderr.write(`${explainStartFailure(error)}\n`);
    process.exit(startFailureCode);
  });
}
