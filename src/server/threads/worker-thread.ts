/**
 * Entry point of a worker node's thread. Exchanges the messages of worker-threads.ts with the main thread.
 */
import { parentPort, workerData } from "node:worker_threads";
import { nodeConfig } from "../../config.ts";
import { connectorFactories } from "../../connectors/registry.ts";
import { isLogLevel, processLog } from "../log.ts";
import { Operations } from "../operations/operations.ts";
import { realPorts } from "../ports/ports.ts";
import { startNode } from "../recording/recording.ts";
import { explainStartFailure } from "../program.ts";
import { Tls } from "../security/tls.ts";
import { systemThreadId } from "./thread-affinity.ts";
import type { FromThread, ThreadStart, ToThread } from "./worker-threads.ts";

const start = workerData as ThreadStart;

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
}

async function run(): Promise<void> {
  const logLevel = isLogLevel(start.logLevel) ? start.logLevel : "warn";
  const log = processLog(start.nodeId, logLevel);
  const operations = new Operations({ log });
  const tls = start.tls === undefined ? undefined : new Tls(start.tls, (reason) => log.error("certificate-not-read", { reason }));
  const ports = realPorts({
    nodeId: start.nodeId,
    network: {
      host: start.host,
      port: 0,
      ...(start.externalHost === "" ? {} : { externalHost: start.externalHost }),
      bodyBytesMax: 64 * 1024 * 1024,
      eventLoopDelayMsMax: 10_000,
      processForwarded: false,
      limits: start.limits,
      allowedHosts: start.allowedHosts,
      internal: { secret: start.secret, nodeId: start.nodeId, role: "worker" },
      resources: operations.resources,
      servesOnDemand: true,
      ...(start.isClosedToUsers ? { authentication: "nodes-only" as const } : {}),
      ...(tls === undefined ? {} : { https: { tls, port: 0, servesHttp: false, isInternal: true } }),
    },
    logLevel,
    spillFolder: start.spillFolder === "" ? undefined : start.spillFolder,
  });
  const config = nodeConfig({ nodeId: start.nodeId, role: "worker", catalogs: start.catalogs }, start.properties);
  const { hooks } = operations;
  const started = await startNode(config, ports, { factories: connectorFactories, recording: start.recording, hooks });
  const { node } = started;
  operations.attach(started);
  tell({ kind: "listening", uri: ports.network.selfUri, folder: ports.folder, systemThreadId: systemThreadId() });
  // The thread ends with its node, whether this process or PUT /v1/info/state ends it.
  void node.closed
    .then(() => ports.close())
    .then(() => {
      tell({ kind: "ended" });
      process.exit(0);
    });
  parentPort?.on("message", (message: ToThread) => {
    switch (message.kind) {
      case "join":
        started.join(message.coordinatorUri);
        break;
      case "connect":
        ports.network.connect(message.port);
        break;
      case "close":
        void started.close();
        break;
      case "measure":
        void operations.collect().then((metrics) => tell({ kind: "measured", id: message.id, metrics }));
        break;
      case "keep":
        started.recorder?.keep();
        break;
      case "keep-incident":
        started.recorder?.keepIncident();
        break;
    }
  });
}

run().catch((error: unknown) => {
  tell({ kind: "failed", message: explainStartFailure(error) });
  process.exit(1);
});
