/**
 * The configuration of a recorded node, possibly of an older build. Properties that the older build lacks have their defaults,
 * except that it ran no query again.
 */
import { type NodeConfig, nodeConfig } from "../../src/config.ts";
import type { CoordinatorConfig } from "../../src/coordinator/context.ts";
import { noRetry } from "../../src/coordinator/scheduler/retry-policy.ts";
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
    coordinator: { ...coordinator, retry: noRetry, ...(recorded.coordinator as Partial<CoordinatorConfig>) },
  };
}
