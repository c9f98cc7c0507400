/** Every story by name. A new one is a file of its own and a line here. */
import { bugs } from "./bugs/index.ts";
import { found } from "./found/index.ts";
import { abandonedClient } from "./abandoned-client.ts";
import { cancelAtEveryMoment } from "./cancel-at-every-moment.ts";
import { cloggedLink } from "./clogged-link.ts";
import { corruptSpill } from "./corrupt-spill.ts";
import { decayOverOneMinute } from "./decay-over-one-minute.ts";
import { flappingPartition } from "./flapping-partition.ts";
import { frozenThenThawed } from "./frozen-then-thawed.ts";
import { fullDiskWhileSpilling } from "./full-disk-while-spilling.ts";
import { limitsKept } from "./limits-kept.ts";
import { metastableRetryStorm } from "./metastable-retry-storm.ts";
import { neverAnswered } from "./never-answered.ts";
import { noWorkersLeft } from "./no-workers-left.ts";
import { overload503 } from "./overload-503.ts";
import { partition } from "./partition.ts";
import { remoteDynamicFilters } from "./remote-dynamic-filters.ts";
import { retriedRequests } from "./retried-requests.ts";
import { rollingRestart } from "./rolling-restart.ts";
import { coordinatorUpgrade } from "./coordinator-upgrade.ts";
import { rollingUpgrade } from "./rolling-upgrade.ts";
import type { Scenario } from "./scenario.ts";
import { sharedSubplan } from "./shared-subplan.ts";
import { skewedExchange } from "./skewed-exchange.ts";
import { slowClient } from "./slow-client.ts";
import { wipedRestart } from "./wiped-restart.ts";
import { workerCrash } from "./worker-crash.ts";

const scenarios: readonly Scenario[] = [
  workerCrash,
  partition,
  slowClient,
  abandonedClient,
  skewedExchange,
  sharedSubplan,
  remoteDynamicFilters,
  cancelAtEveryMoment,
  retriedRequests,
  decayOverOneMinute,
  rollingRestart,
  cloggedLink,
  corruptSpill,
  flappingPartition,
  frozenThenThawed,
  fullDiskWhileSpilling,
  limitsKept,
  metastableRetryStorm,
  neverAnswered,
  noWorkersLeft,
  overload503,
  rollingUpgrade,
  coordinatorUpgrade,
  wipedRestart,
];

/** Stories and past bugs: what must hold. */
export function scenarioNames(): readonly string[] {
  return [...scenarios, ...bugs.map(({ scenario }) => scenario)].map((scenario) => scenario.name);
}

/** By name, among those that were found and not looked at yet as well. */
export function findScenario(name: string): Scenario | undefined {
  return [...scenarios, ...bugs.map(({ scenario }) => scenario), ...found].find((scenario) => scenario.name === name);
}
