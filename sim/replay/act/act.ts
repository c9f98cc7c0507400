/**
 * Acts a plan out on a real cluster with processes, sockets, signals and disks instead of simulated ones. Users and faults follow the plan
 * as far as the real world permits. The result of every statement is compared with a run without faults, and everything is recorded.
 */
import { calmLink, type MessageFate } from "../../world/fates.ts";
import { isOrdered, rowsDiffer } from "../../checkers/results/results.ts";
import type { PlannedStatement, PlannedUser, RunPlan } from "../../plan.ts";
import { runPlan } from "../../run.ts";
import { SharedState } from "../../shared.ts";
import { type Ending, User } from "../../user.ts";
import { workloadCatalog } from "../../workload/workload.ts";
import { type ActedFault, FaultActor, whyNot } from "./faults.ts";
import { Processes } from "./processes.ts";
import { Weather } from "./proxy.ts";
import { NetworkError } from "../../../src/ports/network.ts";
import { RealClientNetwork, realClock } from "./real-ports.ts";

/** Outcome of a statement on the real cluster. */
export interface ActedStatement {
  readonly user: string;
  readonly sql: string;
  readonly ending: string;
  /** Undefined if correct: the rows of the reference, or an error. */
  readonly wrong: string | undefined;
}

export interface Acted {
  readonly statements: readonly ActedStatement[];
  readonly faults: readonly ActedFault[];
  readonly fates: readonly MessageFate[];
  /** Number of requests that were answered with 503. */
  readonly turnedAway: number;
  /** Parts of the plan that cannot be acted out in the real world. */
  readonly notActed: readonly string[];
  readonly seconds: number;
}

export interface ActOptions {
  readonly recordFolder: string;
  readonly onNote: (text: string) => void;
  /** Time limit in seconds; statements that have not ended by then are abandoned. */
  readonly secondsMax: number;
  /** Time for abandoned queries to end after the last statement, in seconds. */
  readonly settleSeconds?: number;
}

const actableFates: readonly string[] = ["lost", "reset", "reset-delivered", "delayed", "duplicated", "never-answered", "truncated"];

/** Parts of a plan that cannot be acted out. */
export function notActable(plan: RunPlan): string[] {
  const left: string[] = [];
  for (const fault of plan.faults) {
    const reason = whyNot(fault);
    if (reason !== undefined) {
      left.push(`fault ${fault.kind}: ${reason}`);
    }
  }
  for (const { message, kind } of plan.fates ?? []) {
    if (!actableFates.includes(kind)) {
      left.push(`fate ${kind} of ${message}: a proxy cannot emulate it`);
    }
  }
  const { link } = plan;
  if (plan.fates === undefined && Object.entries(link).some(([name, value]) => name.endsWith("Per10k") && value > 0)) {
    left.push("random losses, resets, duplicates and delays of messages: only listed fates are acted out");
  }
  if (Object.values(plan.points ?? {}).some((per10k) => per10k > 0)) {
    left.push("fault points of the engine: they never fire in a real process");
  }
  left.push(`${plan.nanosPerWorkUnit} ns a row: the processes are as fast as this machine`);
  return left;
}

export async function actPlan(plan: RunPlan, options: ActOptions): Promise<Acted> {
  const expected = await references(plan);
  const weather = new Weather(plan.fates ?? []);
  const fates: MessageFate[] = [];
  weather.onFate = (fate) => {
    fates.push(fate);
    options.onNote(`${fate.kind}: ${fate.message}`);
  };
  const joined = whenJoined(
    weather,
    plan.workers.map(({ name }) => name),
  );
  const processes = await Processes.start({ plan, recordFolder: options.recordFolder, weather, onNote: options.onNote });
  try {
    await joined;
    const startedMs = performance.now();
    const names = [plan.coordinator.name, ...plan.workers.map(({ name }) => name)];
    const statements: ActedStatement[] = [];
    const check = (user: string, statement: PlannedStatement, ending: Ending): void => {
      const checked = checkEnding(user, statement, ending, expected);
      statements.push(checked);
      options.onNote(`${user}: ${checked.ending}${checked.wrong === undefined ? "" : `, WRONG: ${checked.wrong}`}`);
    };
    const living = plan.users.map((user) => live(user, plan, processes.clientUri, check));
    let crowds = 0;
    const callUp = (count: number, sql: string): void => {
      crowds++;
      for (let index = 1; index <= count; index++) {
        const statement: PlannedStatement = { sql, behaviour: { kind: "reads-all" }, thinkNanos: 0 };
        living.push(live({ name: `x${crowds}n${index}`, startNanos: 0, statements: [statement] }, plan, processes.clientUri, check));
      }
    };
    const actor = new FaultActor(plan.faults, { processes, weather, names, callUp }, options.onNote);
    await within(allOf(living), options.secondsMax);
    await actor.end();
    await settle(processes.clientUri, options.settleSeconds ?? 20);
    return {
      statements,
      faults: actor.acted,
      fates,
      turnedAway: weather.turnedAway,
      notActed: notActable(plan),
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    await processes.stop();
  }
}

/** A worker is used once it has announced itself and answered a heartbeat. */
function whenJoined(weather: Weather, workers: readonly string[]): Promise<void> {
  const announced = new Set<string>();
  const waitedFor = new Set(workers);
  return new Promise((resolve) => {
    weather.onAnswer = ({ from, to, path, status }) => {
      if (status === 200 && path.startsWith("/v1/announcement/")) {
        announced.add(from);
      } else if (status === 200 && path.startsWith("/v1/status") && announced.has(to)) {
        waitedFor.delete(to);
        if (waitedFor.size === 0) {
          resolve();
        }
      }
    };
    if (workers.length === 0) {
      resolve();
    }
  });
}

/** Rows of every statement in a simulated cluster without faults. */
async function references(plan: RunPlan): Promise<ReadonlyMap<string, { readonly kind: string; readonly rows?: readonly unknown[] }>> {
  const shared = new SharedState();
  const planned = plan.users
    .flatMap((user) => user.statements)
    .filter(({ step, shared, sessionStep }) => (step ?? shared ?? sessionStep) === undefined);
  const statements = [...planned, ...plan.faults.flatMap((fault) => (fault.kind === "crowd" ? [{ sql: fault.sql }] : []))];
  const calm: RunPlan = {
    ...plan,
    seed: `act/${plan.seed}`,
    link: calmLink,
    fates: [],
    faults: [],
    users: [
      { name: "u1", startNanos: 0, statements: statements.map(({ sql }) => ({ sql, behaviour: { kind: "reads-all" }, thinkNanos: 0 })) },
    ],
    healNanos: 0,
  };
  const { expect: _, core: __, ...withoutExpectations } = calm;
  await runPlan(withoutExpectations, { shared });
  return shared.referencesOf(plan.schema);
}

function live(
  planned: PlannedUser,
  plan: RunPlan,
  server: string,
  onEnd: (user: string, statement: PlannedStatement, ending: Ending) => void,
): Promise<void> {
  const network = new RealClientNetwork();
  const user = new User({
    planned,
    network,
    clock: realClock,
    server,
    catalog: workloadCatalog,
    schema: plan.schema,
    hooks: {
      onSubmit: () => undefined,
      onPoll: () => undefined,
      heardOf: () => [],
      onAnswer: () => undefined,
      onEnd,
      onProbe: () => undefined,
    },
  });
  return user.live().finally(() => void network.close());
}

function checkEnding(
  user: string,
  { sql, step, shared, sessionStep }: PlannedStatement,
  ending: Ending,
  expected: ReadonlyMap<string, { readonly kind: string; readonly rows?: readonly unknown[] }>,
): ActedStatement {
  if (ending.kind === "unanswered") {
    return { user, sql, ending: `unanswered: ${ending.message}`, wrong: undefined };
  }
  if (ending.kind !== "outcome") {
    return { user, sql, ending: ending.kind, wrong: undefined };
  }
  const { outcome } = ending;
  if (outcome.kind === "error") {
    return { user, sql, ending: `failed with ${outcome.errorName}: ${outcome.message}`, wrong: undefined };
  }
  const reference = expected.get(sql);
  const told = { user, sql, ending: `${outcome.rows.length} rows` };
  if (sessionStep !== undefined || shared !== undefined || ending.isCut === true) {
    return { ...told, wrong: undefined };
  }
  if (step !== undefined || reference?.rows === undefined) {
    return { ...told, wrong: step === undefined ? "expected an error" : undefined };
  }
  return { ...told, wrong: rowsDiffer(reference.rows, outcome.rows, isOrdered(sql)) };
}

/** Also waits for promises that are added meanwhile. */
async function allOf(living: readonly Promise<void>[]): Promise<void> {
  for (let index = 0; index < living.length; index++) {
    await living[index];
  }
}

async function within(work: Promise<unknown>, seconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Waits until no query runs, and requests the cause of failed queries, so that the recording contains it. */
async function settle(server: string, seconds: number): Promise<void> {
  const network = new RealClientNetwork();
  const ask = async (path: string): Promise<unknown> => {
    const request = { method: "GET" as const, url: `${server}${path}`, headers: {}, body: new Uint8Array(0) };
    const response = await network.request(request, { timeoutMs: 5_000, label: "operator" });
    return JSON.parse(Buffer.from(response.body).toString()) as unknown;
  };
  const deadline = performance.now() + seconds * 1000;
  try {
    for (;;) {
      const queries = (await ask("/v1/query")) as readonly { readonly queryId: string; readonly state: string }[];
      const running = queries.filter(({ state }) => state !== "FINISHED" && state !== "FAILED");
      if (running.length === 0 || performance.now() > deadline) {
        for (const { queryId } of queries.filter(({ state }) => state === "FAILED")) {
          await ask(`/v1/query/${queryId}`);
        }
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } catch (error) {
    // A coordinator that is permanently down cannot be asked.
    if (!(error instanceof NetworkError)) {
      throw error;
    }
  } finally {
    await network.close();
  }
}
