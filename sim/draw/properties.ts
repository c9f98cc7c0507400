/**
 * Draws properties of nodes beyond those that shape every run (draw.ts): pauses, and bounds of documents and of the history. Each has a
 * stream of its own and is set in one of four runs, so a new property changes no other draw.
 */
import type { Properties } from "../plan.ts";
import type { StreamTree } from "../world/streams.ts";

const oneIn = 4;

/** Values that a seed may draw. */
const values: Readonly<Record<string, readonly string[]>> = {
  "node.memory-return-delay": ["50ms", "1s"],
  "protocol.spooling.inlining.max-rows": ["1", "10"],
  "query.stage-count-warning-threshold": ["1", "3"],
  "task.status-refresh-max-wait": ["100ms", "300ms"],
  "task.info-update-interval": ["100ms", "1s"],
  "task.max-slice-time": ["1ms", "5ms"],
  "discovery.announce-interval": ["1s", "2s"],
  "catalog.management": ["dynamic"],
  "failure-detector.expiration-grace-interval": ["5s", "30s"],
  "retry-policy": ["NONE", "QUERY", "QUERY", "QUERY"],
  "query-retry-attempts": ["1", "2", "10"],
  "task-retry-attempts-per-task": ["1", "2", "10"],
  "task-retry-unresponsive-timeout": ["1s", "3s", "0s"],
  "speculative-execution-enabled": ["true"],
  "retry-initial-delay": ["1ms", "1s"],
  "retry-max-delay": ["50ms", "2s"],
  "retry-delay-scale-factor": ["1", "3.5"],
  "query-history.max-count": ["3", "20"],
  "query-history.max-size": ["3kB", "30kB"],
  "query-history.max-age": ["2s", "10s"],
  "query-recovery.enabled": ["true"],
  "table-recovery.enabled": ["true"],
  "query.max-queued-queries": ["1", "3"],
  "failure-detector.enabled": ["false"],
  "protocol.spooling.enabled": ["false"],
};

/** Properties that are drawn more or less often: less if they change which contracts hold. */
const drawnOneIn: Readonly<Record<string, number>> = {
  "table-recovery.enabled": 2,
  "retry-policy": 2,
  "query.max-queued-queries": 12,
  "failure-detector.enabled": 24,
  "protocol.spooling.enabled": 16,
};

/** In some runs no query starts unless all workers that heal are active. Some queries wait for longer than they may. */
export function drawRequiredWorkers(tree: StreamTree, workers: readonly string[]): Properties {
  const stream = tree.stream("required workers");
  const maxWait = stream.pick(["2s", "5s", "20s"], "maximum wait");
  return stream.chance(1, 12, "all workers are required") && workers.length > 1
    ? { "query-manager.required-workers": String(workers.length), "query-manager.required-workers-max-wait": maxWait }
    : {};
}

/** `mayTrust`: no node stays broken, and nobody announces a node that is none, so the cluster needs no failure detector. */
export function drawOtherProperties(tree: StreamTree, mayTrust: boolean): Properties {
  const drawn: Record<string, string> = {};
  for (const [name, choices] of Object.entries(values)) {
    const stream = tree.stream(`properties/${name}`);
    const value = stream.pick(choices, "value");
    if (name === "failure-detector.enabled" && !mayTrust) {
      continue;
    }
    if (stream.chance(1, drawnOneIn[name] ?? oneIn, "is set")) {
      drawn[name] = value;
    }
  }
  return drawn;
}
