/**
 * Recording in the server programs: flags, starting a node with or without a recorder, and operations on it from outside.
 */
import { platformZstd } from "../transport/zstd.ts";
import type { Command } from "commander";
import type { NodeConfig } from "../../config.ts";
import type { QueryEvent } from "../../coordinator/context.ts";
import type { ConnectorFactory } from "../../connectors/spi.ts";
import type { OperationHooks } from "../operations/observed-node.ts";
import { createNode, type OrreryNode } from "../../node.ts";
import type { Ports } from "../../ports/ports.ts";
import type { QueryRoutingDocument } from "../../protocol/documents/query-routing.ts";
import type { ResourceGroupsDocument } from "../../protocol/documents/resource-groups.ts";
import type { AccessConfiguration } from "../../security/access-configuration.ts";
import type { UserGroupsDocument } from "../../security/user-groups.ts";
import type { RecordingConfiguration } from "../configuration.ts";
import { Recorder } from "./recorder.ts";

export interface RecordingFlags {
  readonly record?: string;
  readonly recordSize?: string;
  readonly recordScrub?: boolean;
}

export function recordingOptions(command: Command): Command {
  return command
    .option("--record <dir>", "directory for recordings of the nodes, for `npm run sim -- import` (ORRERY_RECORDING_DIRECTORY)")
    .option("--record-size <size>", "maximum size of a node's recording, for example 64MB")
    .option("--record-scrub", "remove literals of statements and all rows from recordings");
}

/** By property name. */
export function recordingFlags(flags: RecordingFlags): Readonly<Record<string, string>> {
  return {
    ...(flags.record === undefined ? {} : { "recording.directory": flags.record }),
    ...(flags.recordSize === undefined ? {} : { "recording.max-size": flags.recordSize }),
    ...(flags.recordScrub === true ? { "recording.scrub-literals": "true" } : {}),
  };
}

/** A node with the outside operations that a recording must contain. */
export interface StartedNode {
  readonly node: OrreryNode;
  readonly recorder: Recorder | undefined;
  join(coordinatorUri: string): void;
  setAccess(configuration: AccessConfiguration): void;
  setUserGroups(document: UserGroupsDocument): void;
  setResourceGroups(document: ResourceGroupsDocument): void;
  setQueryRouting(document: QueryRoutingDocument): void;
  shutdown(graceMs: number): Promise<void>;
  close(): Promise<void>;
  /** Reads the node from outside, without a trace in its recording. */
  observe<T>(work: () => T): T;
  /** SIGUSR2 copies the current recording; `others` lets the other threads do the same. */
  keepOnSignal(others?: () => void): void;
}

export interface StartOptions {
  readonly factories: readonly ConnectorFactory[];
  readonly recording: RecordingConfiguration | undefined;
  readonly onIncident?: () => void;
  /** Observers of the node. */
  readonly hooks: OperationHooks;
}

export async function startNode(config: NodeConfig, ports: Ports, options: StartOptions): Promise<StartedNode> {
  const { factories, hooks, recording } = options;
  if (recording === undefined) {
    const compressZstd = platformZstd();
    const node = await createNode(config, ports, { ...hooks, factories, ...(compressZstd === undefined ? {} : { compressZstd }) });
    return {
      node,
      recorder: undefined,
      join: (coordinatorUri) => node.join(coordinatorUri),
      setAccess: (configuration) => node.access.replace(configuration),
      setUserGroups: (document) => node.access.replaceGroups(document),
      setResourceGroups: (document) => node.configuration?.replaceResourceGroups(document),
      setQueryRouting: (document) => node.configuration?.replaceQueryRouting(document),
      shutdown: (graceMs) => node.shutdown({ graceMs }),
      close: () => node.close(),
      observe: (work) => work(),
      keepOnSignal: () => undefined,
    };
  }
  const recorder = new Recorder({ ...recording, config, ...(options.onIncident === undefined ? {} : { onIncident: options.onIncident }) });
  const recorded = recorder.record(ports);
  // Requests of a trace that the server begins could not be replayed.
  const { traceQuery: _, onQueryEvent, ...others } = hooks;
  const observers = {
    ...others,
    ...(onQueryEvent === undefined ? {} : { onQueryEvent: (event: QueryEvent) => recorded.observe(() => onQueryEvent(event)) }),
  };
  const node = await recorded.outside("start", "", () =>
    // Recordings must replay on other versions of Node, which may have no Zstandard or another version of it.
    createNode(config, recorded.ports, { ...observers, factories, onTransition: recorder.onTransition }),
  );
  return {
    node,
    recorder,
    setAccess: (configuration) =>
      void recorded.outside("access", recorder.accessText(configuration), () => node.access.replace(configuration)),
    setUserGroups: (document) => void recorded.outside("user-groups", JSON.stringify(document), () => node.access.replaceGroups(document)),
    setResourceGroups: (document) =>
      void recorded.outside("resource-groups", JSON.stringify(document), () => node.configuration?.replaceResourceGroups(document)),
    // A server that records routes no queries: answers of other clusters are no part of a recording.
    setQueryRouting: () => undefined,
    join: (coordinatorUri) => void recorded.outside("join", coordinatorUri, () => node.join(coordinatorUri)),
    shutdown: (graceMs) => recorded.outside("shutdown", String(graceMs), () => node.shutdown({ graceMs })),
    close: () => recorded.outside("close", "", () => node.close()),
    observe: (work) => recorded.observe(work),
    keepOnSignal: (others) => {
      process.on("SIGUSR2", () => {
        others?.();
        process.stderr.write(`SIGUSR2: recording kept in ${recorder.keep()}\n`);
      });
    },
  };
}
