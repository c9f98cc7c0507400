/**
 * The configuration of a recorded node, possibly of an older build. Properties that the older build lacks have their defaults.
 */
import { type NodeConfig, nodeConfig } from "../../src/config.ts";
import type { RecordingHeader } from "../../src/recording/entries.ts";

export function recordedConfig({ config }: Pick<RecordingHeader, "config">): NodeConfig {
  const recorded = config as NodeConfig;
  const { execution, tasks, announcer, discovery, failureDetector, coordinator, ...defaults } = nodeConfig({
    nodeId: "recorded",
    catalogs: [],
  });
  return {
    ...defaults,
    ...recorded,
    execution: { ...execution, ...recorded.execution },
    tasks: { ...tasks, ...recorded.tasks },
    announcer: { ...announcer, ...recorded.announcer },
    discovery: { ...discovery, ...recorded.discovery },
    failureDetector: { ...failureDetector, ...recorded.failureDetector },
    coordinator: { ...coordinator, ...recorded.coordinator },
  };
}
