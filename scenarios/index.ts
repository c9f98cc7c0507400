/** Every story by name. A new one is a file of its own and a line here. */
import { abandonedClient } from "./abandoned-client.ts";
import { cancelAtEveryMoment } from "./cancel-at-every-moment.ts";
import { decayOverOneMinute } from "./decay-over-one-minute.ts";
import { partition } from "./partition.ts";
import { retriedRequests } from "./retried-requests.ts";
import { rollingRestart } from "./rolling-restart.ts";
import type { Scenario } from "./scenario.ts";
import { skewedExchange } from "./skewed-exchange.ts";
import { slowClient } from "./slow-client.ts";
import { workerCrash } from "./worker-crash.ts";

const scenarios: readonly Scenario[] = [
  workerCrash,
  partition,
  slowClient,
  abandonedClient,
  skewedExchange,
  cancelAtEveryMoment,
  retriedRequests,
  decayOverOneMinute,
  rollingRestart,
];

export function scenarioNames(): readonly string[] {
  return scenarios.map((scenario) => scenario.name);
}

export function findScenario(name: string): Scenario | undefined {
  return scenarios.find((scenario) => scenario.name === name);
}
