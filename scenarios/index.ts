/**
 * The registry of scenarios by name. A new one is a file of its own and a line here.
 */
import { bugs } from "./bugs/index.ts";
import { abandonedClient } from "./clients/abandoned-client.ts";
import { canceledReadsOfAStore } from "./clients/canceled-reads-of-a-store.ts";
import { cancelAtEveryMoment } from "./clients/cancel-at-every-moment.ts";
import { catalogsAtRunTime } from "./membership/catalogs-at-run-time.ts";
import { clusterOutOfMemory } from "./execution/cluster-out-of-memory.ts";
import { cloggedLink } from "./execution/clogged-link.ts";
import { corruptSpill } from "./execution/corrupt-spill.ts";
import { decayOverOneMinute } from "./membership/decay-over-one-minute.ts";
import { flappingPartition } from "./membership/flapping-partition.ts";
import { frozenThenThawed } from "./membership/frozen-then-thawed.ts";
import { fullDiskWhileSpilling } from "./execution/full-disk-while-spilling.ts";
import { historyAfterACrash } from "./membership/history-after-a-crash.ts";
import { limitsKept } from "./execution/limits-kept.ts";
import { metastableRetryStorm } from "./clients/metastable-retry-storm.ts";
import { neverAnswered } from "./clients/never-answered.ts";
import { noWorkersLeft } from "./membership/no-workers-left.ts";
import { overload503 } from "./clients/overload-503.ts";
import { partition } from "./membership/partition.ts";
import { readingAFailingStore } from "./retry/reading-a-failing-store.ts";
import { writingToAFailingStore } from "./retry/writing-to-a-failing-store.ts";
import { remoteDynamicFilters } from "./execution/remote-dynamic-filters.ts";
import { anotherClusterGoesOn } from "./recovery/another-cluster-goes-on.ts";
import { coordinatorKilledHalfRead } from "./recovery/coordinator-killed-half-read.ts";
import { coordinatorKilledWhileWriting } from "./recovery/coordinator-killed-while-writing.ts";
import { transactionOutlivesCoordinator } from "./recovery/transaction-outlives-coordinator.ts";
import { killedBeforeRows } from "./retry/killed-before-rows.ts";
import { killedHalfRead } from "./retry/killed-half-read.ts";
import { lostTasksRunAgain } from "./retry/lost-tasks-run-again.ts";
import { readSourcesRunAgain } from "./retry/read-sources-run-again.ts";
import { stoppedWorkerIsLeft } from "./retry/stopped-worker-is-left.ts";
import { stragglerRunsTwice } from "./retry/straggler-runs-twice.ts";
import { killedTwice } from "./retry/killed-twice.ts";
import { killedWhileWriting } from "./retry/killed-while-writing.ts";
import { killedWhileWritingFiles } from "./retry/killed-while-writing-files.ts";
import { anotherCluster } from "./retry/another-cluster.ts";
import { copiedTable, handedOverTable } from "./retry/copied-table.ts";
import { lostTable } from "./retry/lost-table.ts";
import { onlyWorkerRestarts } from "./retry/only-worker-restarts.ts";
import { poison } from "./retry/poison.ts";
import { retriedRequests } from "./clients/retried-requests.ts";
import { rollingRestart } from "./membership/rolling-restart.ts";
import { coordinatorUpgrade } from "./membership/coordinator-upgrade.ts";
import { rollingUpgrade } from "./membership/rolling-upgrade.ts";
import type { ScenarioRegistry } from "../sim/scenario.ts";
import type { Scenario } from "./scenario.ts";
import { standby } from "./recovery/standby.ts";
import { sharedSubplan } from "./execution/shared-subplan.ts";
import { signedRequests } from "./membership/signed-requests.ts";
import { skewedExchange } from "./execution/skewed-exchange.ts";
import { slowClient } from "./clients/slow-client.ts";
import { wipedRestart } from "./membership/wiped-restart.ts";
import { workerCrash } from "./membership/worker-crash.ts";

const stories: readonly Scenario[] = [
  workerCrash,
  partition,
  slowClient,
  abandonedClient,
  skewedExchange,
  sharedSubplan,
  remoteDynamicFilters,
  readingAFailingStore,
  writingToAFailingStore,
  anotherCluster,
  anotherClusterGoesOn,
  cancelAtEveryMoment,
  canceledReadsOfAStore,
  retriedRequests,
  decayOverOneMinute,
  rollingRestart,
  clusterOutOfMemory,
  cloggedLink,
  corruptSpill,
  flappingPartition,
  frozenThenThawed,
  fullDiskWhileSpilling,
  historyAfterACrash,
  limitsKept,
  metastableRetryStorm,
  neverAnswered,
  noWorkersLeft,
  overload503,
  rollingUpgrade,
  coordinatorUpgrade,
  catalogsAtRunTime,
  signedRequests,
  wipedRestart,
  coordinatorKilledHalfRead,
  coordinatorKilledWhileWriting,
  transactionOutlivesCoordinator,
  standby,
  killedBeforeRows,
  killedHalfRead,
  lostTasksRunAgain,
  readSourcesRunAgain,
  stoppedWorkerIsLeft,
  stragglerRunsTwice,
  killedTwice,
  killedWhileWriting,
  killedWhileWritingFiles,
  copiedTable,
  handedOverTable,
  lostTable,
  onlyWorkerRestarts,
  poison,
];

/** Names of scenarios and past bugs, which must hold. */
export function scenarioNames(): readonly string[] {
  return [...stories, ...bugs.map(({ scenario }) => scenario)].map((scenario) => scenario.name);
}

export function findScenario(name: string): Scenario | undefined {
  return [...stories, ...bugs.map(({ scenario }) => scenario)].find((scenario) => scenario.name === name);
}

export const scenarios: ScenarioRegistry = Object.freeze({ names: scenarioNames, find: findScenario });
