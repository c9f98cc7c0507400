/**
 * Generalises an incident: converts a tape to a plan for the simulator, runs many variants of the plan with different timing, and counts
 * those with the same outcome.
 */
import { splitsPerNodeDefault } from "../../src/connectors/tpch/tpch.ts";
import type { NodeConfig } from "../../src/config.ts";
import { assert } from "../../src/protocol/errors.ts";
import { describeFault } from "../faults/faults.ts";
import { calmLink, type MessageFate } from "../world/fates.ts";
import { type Stream, StreamTree } from "../world/streams.ts";
import type { Fault, PlannedUser, Properties, RunPlan } from "../plan.ts";
import type { RunResult } from "../result.ts";
import { runPlan } from "../run.ts";
import type { SharedState } from "../shared.ts";
import { workloadSchema } from "../workload/workload.ts";
import { whatDiffers } from "./comparable.ts";
import { type Incident, inferIncident } from "./incident.ts";
import { recordedConfig } from "./recorded-config.ts";
import type { Survey } from "./survey.ts";
import type { Tape } from "./fixture.ts";

const nanosPerMs = 1e6;
const healAfterNanos = 15e9;

export interface Generalised {
  readonly plan: RunPlan;
  readonly incident: Incident;
  /** Parts of the tape that the simulator cannot reproduce. */
  readonly leftOut: readonly string[];
}

/**
 * The incident as a plan. Fault times are relative to the first work at the affected place, because simulated nodes are faster or slower
 * than real ones.
 */
export function planOf(tape: Tape, surveyed: Survey): Generalised {
  const incident = inferIncident(tape, surveyed);
  const names = new Map([[incident.coordinatorId, "c"], ...incident.workerIds.map((id, index) => [id, `w${index + 1}`] as const)]);
  const nameOf = (id: string): string => names.get(id) ?? id;
  const leftOut: string[] = [];
  const node = (name: string): RunPlan["coordinator"] => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 });
  const workers = incident.workerIds.map((id) => node(nameOf(id)));
  if (workers.length === 0) {
    leftOut.push("the coordinator's own tasks: the simulated cluster gets one worker instead");
    workers.push(node("w1"));
  }
  const told = surveyed.nodes.find(({ role }) => role !== "worker") ?? surveyed.nodes[0];
  assert(told !== undefined, "a tape has a node");
  const config = recordedConfig(told.header);
  const faults = incident.faults.map((fault) => asFault(fault, incident, nameOf));
  const users = usersOf(incident, leftOut);
  if (config.access !== undefined) {
    leftOut.push("the rights of users: every user of the plan may do everything");
  }
  const fates = incident.fates.map((fate) => ({ ...fate, message: renamed(fate.message, nameOf) }));
  const lastNanos = Math.max(0, ...faults.map(({ untilNanos, afterWorkNanos }) => untilNanos + (afterWorkNanos ?? 0)));
  return {
    incident,
    leftOut,
    plan: {
      seed: `field/${tape.name}`,
      coordinator: node("c"),
      workers,
      link: calmLink,
      fates,
      properties: propertiesOf(config),
      schema: incident.statements.find(({ schema }) => schema !== undefined)?.schema ?? workloadSchema,
      splitsPerNode: splitsOf(config),
      nanosPerWorkUnit: incident.nanosPerWorkUnit,
      users,
      faults,
      healNanos: lastNanos + healAfterNanos,
      livenessNanos: 420e9,
    },
  };
}

function renamed(message: string, nameOf: (id: string) => string): string {
  return message.replace(/^([^>]+)>(\S+)/, (_, from: string, to: string) => `${nameOf(from)}>${nameOf(to)}`);
}

function asFault(fault: Incident["faults"][number], incident: Incident, nameOf: (id: string) => string): Fault {
  const work =
    fault.nodeId === incident.coordinatorId ? incident.startMillis : (incident.firstWork.get(fault.nodeId) ?? incident.startMillis);
  const nanos = (millis: number): number => Math.max(0, Math.round(millis * nanosPerMs));
  const lasts = nanos((fault.untilMillis ?? fault.fromMillis + 5000) - fault.fromMillis);
  // A fault before the first work starts at a fixed time, a later one relative to the work.
  const times =
    fault.fromMillis < work
      ? { atNanos: nanos(fault.fromMillis - incident.startMillis), untilNanos: nanos(fault.fromMillis - incident.startMillis) + lasts }
      : { atNanos: 0, untilNanos: lasts, afterWorkNanos: nanos(fault.fromMillis - work) };
  const node = nameOf(fault.nodeId);
  switch (fault.kind) {
    case "died":
      return { ...times, kind: fault.nodeId === incident.coordinatorId ? "coordinator-crash" : "crash", node };
    case "stopped":
      return { ...times, kind: "shutdown", node };
    case "froze":
      return { ...times, kind: "pause", node };
    case "slow disk":
      // An operation on a simulated disk takes 20 to 200 microseconds.
      return { ...times, kind: "slow-disk", node, factor: Math.max(2, Math.round(fault.operationMillis / 0.11)) };
  }
}

function usersOf(incident: Incident, leftOut: string[]): readonly PlannedUser[] {
  const users = new Map<string, Incident["statements"][number][]>();
  for (const statement of incident.statements) {
    if (statement.catalog !== undefined && statement.catalog !== "tpch" && statement.catalog !== "memory") {
      leftOut.push(`a statement on catalog ${statement.catalog}: ${statement.sql}`);
      continue;
    }
    if (!/^\s*(?:select|with|values|table|\()/i.test(statement.sql)) {
      leftOut.push(`a statement that writes data or changes the session: ${statement.sql}`);
      continue;
    }
    const difference = whatDiffers(statement.sql, statement);
    if (difference !== undefined) {
      leftOut.push(`a statement whose rows differ between runs, because ${difference}: ${statement.sql}`);
      continue;
    }
    users.set(statement.user, [...(users.get(statement.user) ?? []), statement]);
  }
  return [...users.values()].map((statements, index): PlannedUser => {
    const first = statements[0] as Incident["statements"][number];
    const size = statements.find(({ targetResultSize }) => targetResultSize !== undefined)?.targetResultSize;
    return {
      name: `u${index + 1}`,
      startNanos: Math.round(Math.max(0, first.submittedMillis - incident.startMillis) * nanosPerMs),
      ...(size === undefined ? {} : { targetResultSize: size }),
      statements: statements.map(({ sql, behaviour, submittedMillis }, place) => {
        const before = statements[place - 1];
        const ended = before === undefined ? submittedMillis : before.endedMillis || submittedMillis;
        return { sql, behaviour, thinkNanos: Math.round(Math.max(0, submittedMillis - ended) * nanosPerMs) };
      }),
    };
  });
}

/** The properties of a configuration that queries can observe. */
function propertiesOf(config: NodeConfig): Properties {
  const { execution, tasks, failureDetector, coordinator } = config;
  const ms = (value: number): string => `${value}ms`;
  const bytes = (value: number): string => `${value}B`;
  return {
    "sink.max-buffer-size": bytes(execution.outputBufferBytesMax),
    "exchange.max-buffer-size": bytes(execution.exchangeBufferBytesMax),
    "exchange.max-response-size": bytes(execution.exchangeResponseBytesMax),
    "exchange.max-error-duration": ms(execution.exchangeErrorDurationMs),
    "task.max-slice-rows": String(execution.sliceWorkUnitsMax),
    "task.client.timeout": ms(tasks.clientTimeoutMs),
    "failure-detector.heartbeat-interval": ms(failureDetector.heartbeatIntervalMs),
    "failure-detector.heartbeat-timeout": ms(failureDetector.heartbeatTimeoutMs),
    "failure-detector.threshold": String(failureDetector.threshold),
    "query.client.timeout": ms(coordinator.clientTimeoutMs),
    "query.hash-partition-count": String(coordinator.hashPartitionCount),
    "query.remote-task.max-error-duration": ms(coordinator.remoteTaskErrorDurationMaxMs),
    "retry-policy": coordinator.retry.policy,
    "query-retry-attempts": String(coordinator.retry.attemptsMax),
    "retry-initial-delay": ms(coordinator.retry.initialDelayMs),
    "retry-max-delay": ms(coordinator.retry.delayMsMax),
    "retry-delay-scale-factor": String(coordinator.retry.delayScaleFactor),
    "http.request-timeout": ms(config.requestTimeoutMs),
    "node.kernel-backend": config.kernelBackend,
  };
}

function splitsOf(config: NodeConfig): number {
  const tpch = config.catalogs.find(({ properties }) => properties["connector.name"] === "tpch");
  const splits = Number(tpch?.properties["tpch.splits-per-node"] ?? splitsPerNodeDefault);
  return Number.isInteger(splits) && splits >= 1 ? splits : 4;
}

/** A variant of the plan with slightly different times and speeds. Seed `0` is the plan itself. */
export function neighbour(plan: RunPlan, seed: number): RunPlan {
  if (seed === 0) {
    return plan;
  }
  const tree = StreamTree.root(`${plan.seed}/${seed}`);
  const stream = tree.stream("timing");
  const scaled = (nanos: number, percentMin: number, percentMax: number): number =>
    Math.round((nanos * stream.between(percentMin, percentMax)) / 100);
  const faults = plan.faults.map((fault): Fault => {
    const lasts = scaled(fault.untilNanos - fault.atNanos, 50, 200);
    const atNanos = scaled(fault.atNanos, 50, 200);
    const aimed = fault.afterWorkNanos === undefined ? {} : { afterWorkNanos: scaled(fault.afterWorkNanos, 0, 250) };
    return { ...fault, ...aimed, atNanos, untilNanos: atNanos + lasts };
  });
  const last = Math.max(0, ...faults.map(({ untilNanos, afterWorkNanos }) => untilNanos + (afterWorkNanos ?? 0)));
  const latencyNanosMin = stream.between(20_000, 2_000_000);
  return {
    ...plan,
    seed: `${plan.seed}/${seed}`,
    link: { ...plan.link, latencyNanosMin, latencyNanosMax: latencyNanosMin + stream.between(10_000, 5_000_000) },
    fates: (plan.fates ?? []).map((fate) => shifted(fate, stream)),
    nanosPerWorkUnit: Math.max(1, scaled(plan.nanosPerWorkUnit, 50, 300)),
    users: plan.users.map((user) => ({
      ...user,
      startNanos: scaled(user.startNanos, 0, 200),
      statements: user.statements.map((statement) => ({ ...statement, thinkNanos: scaled(statement.thinkNanos, 0, 200) })),
    })),
    faults,
    healNanos: Math.max(plan.healNanos, last + healAfterNanos),
  };
}

/** Moves a fate to a nearby message of the same kind. */
function shifted(fate: MessageFate, stream: Stream): MessageFate {
  return {
    ...fate,
    message: fate.message.replace(/#(\d+)/, (_, ordinal: string) => `#${Math.max(1, Number(ordinal) + stream.between(-2, 2))}`),
  };
}

/** Outcome of a run in a form comparable with an incident: results at clients, and violations. */
function endsOf(result: RunResult): string[] {
  return [
    ...Object.keys(result.work.failed),
    ...(result.work.unanswered > 0 ? ["unanswered"] : []),
    ...(result.work.vanished > 0 ? ["vanished"] : []),
    ...result.violations.slice(0, 1).map(({ kind, oracle }) => `violation ${kind} [${oracle}]`),
  ];
}

export interface Sibling {
  readonly seed: number;
  readonly plan: RunPlan;
  readonly ends: readonly string[];
  readonly result: RunResult;
}

export interface Siblings {
  readonly runs: number;
  /** Number of runs by outcome. */
  readonly ends: ReadonlyMap<string, number>;
  /** Runs with one of the incident's outcomes. */
  readonly same: readonly Sibling[];
  readonly violating: readonly Sibling[];
}

export async function runNeighbours(
  { plan, incident }: Generalised,
  options: { readonly runs: number; readonly shared: SharedState; readonly onProgress?: (done: number, total: number) => void },
): Promise<Siblings> {
  const ends = new Map<string, number>();
  const same: Sibling[] = [];
  const violating: Sibling[] = [];
  for (let seed = 0; seed < options.runs; seed++) {
    const near = neighbour(plan, seed);
    const result = await runPlan(near, { shared: options.shared });
    const sibling = { seed, plan: near, ends: endsOf(result), result };
    for (const end of sibling.ends.length === 0 ? ["all right"] : sibling.ends) {
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    if (sibling.ends.some((end) => incident.ends.includes(end))) {
      same.push(sibling);
    }
    if (result.violations.length > 0) {
      violating.push(sibling);
    }
    options.onProgress?.(seed + 1, options.runs);
  }
  return { runs: options.runs, ends, same, violating };
}

function sizeOf(plan: RunPlan): number {
  const statements = plan.users.reduce((sum, user) => sum + user.statements.length, 0);
  return plan.faults.length + (plan.fates?.length ?? 0) + statements + plan.workers.length;
}

/** Shrinks a variant with the same outcome: removes statements, faults, fates and workers one by one. */
export async function smallest(
  sibling: Sibling,
  end: string,
  shared: SharedState,
): Promise<{ readonly plan: RunPlan; readonly runs: number }> {
  let { plan } = sibling;
  let runs = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (const smaller of reductions(plan)) {
      runs++;
      if (endsOf(await runPlan(smaller, { shared })).includes(end)) {
        plan = smaller;
        changed = true;
        break;
      }
    }
  }
  return { plan, runs };
}

function* reductions(plan: RunPlan): Iterable<RunPlan> {
  for (const [index] of plan.faults.entries()) {
    yield { ...plan, faults: plan.faults.filter((_, place) => place !== index) };
  }
  for (const [index] of (plan.fates ?? []).entries()) {
    yield { ...plan, fates: (plan.fates ?? []).filter((_, place) => place !== index) };
  }
  for (const [index, user] of plan.users.entries()) {
    if (plan.users.length > 1) {
      yield { ...plan, users: plan.users.filter((_, place) => place !== index) };
    }
    for (const [at] of user.statements.entries()) {
      if (user.statements.length > 1) {
        const statements = user.statements.filter((_, place) => place !== at);
        yield { ...plan, users: plan.users.map((one, place) => (place === index ? { ...one, statements } : one)) };
      }
    }
  }
  for (const worker of plan.workers.slice(1)) {
    const isNamed = plan.faults.some((fault) => JSON.stringify(fault).includes(`"${worker.name}"`));
    if (!isNamed) {
      yield { ...plan, workers: plan.workers.filter((one) => one !== worker) };
    }
  }
}

export function describeGeneralised({ plan, incident, leftOut }: Generalised): string[] {
  return [
    `inferred: ${plan.workers.length} workers, ${incident.statements.length} statements, ${plan.faults.length} faults, ${plan.fates?.length ?? 0} failed messages; ${plan.nanosPerWorkUnit} ns a row`,
    ...plan.faults.map((fault) => `  ${describeFault(fault)}`),
    ...(plan.fates ?? []).map(({ message, kind }) => `  ${kind}: ${message}`),
    ...plan.users.flatMap((user) => user.statements.map(({ sql, behaviour }) => `  ${user.name} ${behaviour.kind}: ${sql}`)),
    ...leftOut.map((what) => `left out: ${what}`),
    incident.ends.length === 0 ? "no client saw an error in the incident" : `outcomes of the incident: ${incident.ends.join(", ")}`,
  ];
}

export function describeSiblings(siblings: Siblings, ends: readonly string[]): string[] {
  const share = ((100 * siblings.same.length) / Math.max(1, siblings.runs)).toFixed(0);
  const counts = [...siblings.ends].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const least = siblings.same.toSorted((a, b) => sizeOf(a.plan) - sizeOf(b.plan) || a.seed - b.seed)[0];
  return [
    `variants: ${siblings.runs} run; ${counts.map(([end, count]) => `${end} ${count}`).join(", ")}`,
    ends.length === 0
      ? "nothing to compare with: no client saw an error in the incident"
      : `same outcome: ${siblings.same.length} of ${siblings.runs} (${share} %): ${ends.join(", ")}${least === undefined ? "" : `; first: variant ${siblings.same[0]?.seed}`}`,
    siblings.violating.length === 0
      ? "no violations"
      : `${siblings.violating.length} of ${siblings.runs} violated an invariant: ${siblings.violating[0]?.result.violations[0]?.sentence}`,
  ];
}
