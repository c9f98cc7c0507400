/**
 * A constant load: a number of users, each with one statement after the other. Its throughput in a time window, after faults and in a calm
 * twin run, shows whether the cluster has recovered or is in a metastable failure.
 */
import { ClientError } from "../src/client/requester.ts";
import { clientSession } from "../src/client/session.ts";
import { StatementClient } from "../src/client/statement-client.ts";
import { type Clock, sleep } from "../src/ports/clock.ts";
import { type Network, NetworkError } from "../src/ports/network.ts";
import { nanosPerMs } from "./world/world.ts";
import { check, type Verdict } from "./checkers/violation.ts";
import type { GoodputProbe, RunPlan } from "./plan.ts";

export interface Goodput {
  /** Statements finished in the window after the faults; `calm` counts those of the calm twin. */
  readonly finished: number;
  readonly calm: number;
}

/** Minimum share of the calm twin's statements, in percent. */
const goodputPercentMin = 90;

export function isRecovered(finished: number, calm: number): boolean {
  return finished * 100 >= calm * goodputPercentMin;
}

/** Time at which a calm cluster has started. */
const calmStartNanos = 4_000 * nanosPerMs;
/** Warm-up of the calm twin's load before its statements count. */
const calmLoadNanos = 1_000 * nanosPerMs;
/** Query timeout of the load's users, in milliseconds. With one of minutes, the load would measure its own waiting. */
const patienceMs = 5_000;

/** Plan of the calm twin: the cluster as it is after the heal, with the load only. */
export function calmTwin(plan: RunPlan, probe: GoodputProbe, calmLink: RunPlan["link"]): RunPlan {
  const { latencyNanosMin, latencyNanosMax } = plan.link;
  return {
    ...plan,
    seed: `calm/${plan.seed}`,
    workers: plan.workers.filter(({ name }) => plan.core?.includes(name) ?? true),
    link: { ...calmLink, latencyNanosMin, latencyNanosMax },
    fates: [],
    users: [],
    faults: [],
    healNanos: calmStartNanos,
    goodput: { ...probe, startNanos: calmStartNanos - calmLoadNanos, recoveryNanos: 0 },
  };
}

export function checkGoodput({ finished, calm }: Goodput, { recoveryNanos, windowNanos }: GoodputProbe, verdict: Verdict): void {
  check(
    verdict,
    "liveness",
    "goodput",
    isRecovered(finished, calm),
    () =>
      `${recoveryNanos / 1e9} s after the faults the load still finishes only ${finished} statements in ${windowNanos / 1e9} s; without them it finishes ${calm}`,
  );
}

export interface LoadUserOptions {
  readonly name: string;
  readonly network: Network;
  readonly clock: Clock;
  readonly server: string;
  readonly catalog: string;
  readonly schema: string;
  readonly probe: GoodputProbe;
  readonly onFinished: () => void;
}

export class LoadUser {
  readonly #options: LoadUserOptions;
  #stopped = false;

  constructor(options: LoadUserOptions) {
    this.#options = options;
  }

  /** Stops after the current statement. */
  stop(): void {
    this.#stopped = true;
  }

  async live(): Promise<void> {
    const { clock, probe, onFinished } = this.#options;
    await sleep(clock, "load-start", probe.startNanos / nanosPerMs);
    while (!this.#stopped) {
      if (await this.#runOne()) {
        onFinished();
      }
      await sleep(clock, "load-think", probe.thinkNanos / nanosPerMs);
    }
  }

  /** Returns whether the statement returned its rows. */
  async #runOne(): Promise<boolean> {
    const { name, network, clock, server, catalog, schema, probe } = this.#options;
    const client = new StatementClient({
      network,
      clock,
      server,
      session: clientSession(name, { source: "simulator", catalog, schema }),
      requestTimeoutMs: patienceMs,
      submitTimeoutMs: patienceMs,
      submitRetryMsMax: patienceMs,
      pollRetryMsMax: patienceMs,
    });
    const run = client.submit(probe.sql);
    try {
      await run.collect();
      return run.error === undefined;
    } catch (error) {
      if (!(error instanceof ClientError) && !(error instanceof NetworkError)) {
        throw error;
      }
      return false;
    }
  }
}
