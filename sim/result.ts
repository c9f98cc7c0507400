/**
 * The result of a run, and its description for people.
 */
import { describeFault, type FaultReport } from "./faults/faults.ts";
import type { Behaviour, GoodputProbe, PlannedUser, RunPlan } from "./plan.ts";
import type { Goodput } from "./goodput.ts";
import type { MessageFate } from "./world/fates.ts";
import { exitCodes, type Violation } from "./checkers/violation.ts";

export interface WorkCounters {
  /** Statements that a user submitted. */
  submitted: number;
  finished: number;
  /** Number of declared errors by name. They are correct results of a cluster with faults. */
  failed: Record<string, number>;
  canceled: number;
  vanished: number;
  /** Statements without any response, because their coordinator was unreachable for longer than the client tries. */
  unanswered: number;
  rows: number;
  polls: number;
  tasks: number;
  pages: number;
  /** Number of statements by kind. */
  kinds: Record<string, number>;
}

export function noWork(): WorkCounters {
  return {
    submitted: 0,
    finished: 0,
    failed: {},
    canceled: 0,
    vanished: 0,
    unanswered: 0,
    rows: 0,
    polls: 0,
    tasks: 0,
    pages: 0,
    kinds: {},
  };
}

export interface RunResult {
  readonly plan: RunPlan;
  readonly work: WorkCounters;
  readonly faults: readonly FaultReport[];
  readonly violations: readonly Violation[];
  /** Evaluations of invariants, by oracle. */
  readonly checks: Readonly<Record<string, number>>;
  readonly simulatedNanos: number;
  readonly realMs: number;
  readonly events: number;
  readonly messages: Readonly<Record<string, number>>;
  /** Number of requests by label: `heartbeat`, `task-update`. */
  readonly requestsByLabel: Readonly<Record<string, number>>;
  readonly fingerprint: string;
  /** Frames spilled to a node's disk. */
  readonly spills: number;
  readonly goodput?: Goodput;
  /** Number of firings of each fault point. */
  readonly points: Readonly<Record<string, number>>;
  /** Coverage goals and pairs that the run reached (sim/coverage), sorted. */
  readonly coverage: readonly string[];
  /** Fates of single messages in this run, in the format of a plan's list. */
  readonly fates: readonly MessageFate[];
}

export function exitCodeOf(result: RunResult): number {
  const first = result.violations[0];
  return first === undefined ? exitCodes.pass : exitCodes[first.kind];
}

function seconds(nanos: number): string {
  return `${(nanos / 1e9).toFixed(3)} s`;
}

function describeBehaviour(behaviour: Behaviour): string {
  switch (behaviour.kind) {
    case "slow":
      return `slow(${(behaviour.pauseNanos / 1e6).toFixed(0)}ms)`;
    case "never-reads":
    case "retries-late":
      return `${behaviour.kind}(${(behaviour.pauseNanos / 1e6).toFixed(0)}ms)`;
    case "cancels-at":
      return `cancels-at(${(behaviour.afterNanos / 1e6).toFixed(1)}ms)`;
    case "cancels":
    case "cancels-twice":
    case "cancels-then-asks":
    case "vanishes":
      return `${behaviour.kind}(after ${behaviour.afterPolls} polls)`;
    default:
      return behaviour.kind;
  }
}

function describeUser(user: PlannedUser): string[] {
  return [
    `  ${user.name} from ${seconds(user.startNanos)}${user.targetResultSize === undefined ? "" : `, target result size ${user.targetResultSize}`}${Object.entries(
      user.session ?? {},
    )
      .map(([name, value]) => `, ${name}=${value}`)
      .join("")}`,
    ...user.statements.map(
      (statement) => `    +${seconds(statement.thinkNanos)} ${describeBehaviour(statement.behaviour)}: ${statement.sql}`,
    ),
  ];
}

function describeProbe({ users, sql, startNanos, recoveryNanos, windowNanos }: GoodputProbe): string {
  return `load: ${users} users from ${seconds(startNanos)} on, counted in windows of ${seconds(windowNanos)}, full throughput at most ${seconds(recoveryNanos)} after the heal: ${sql}`;
}

/** The whole plan as text, in a stable order, before anything runs. */
export function describePlan(plan: RunPlan): string {
  const link = Object.entries(plan.link).map(([name, value]) => `${name}=${value}`);
  const nodes = [plan.coordinator, ...plan.workers].map(
    (node) => `${node.name}(clock ${node.clockOffsetMs >= 0 ? "+" : ""}${node.clockOffsetMs}ms ${node.clockDriftPpm}ppm)`,
  );
  return [
    `seed ${plan.seed}`,
    `cluster: coordinator c, ${plan.workers.length} worker${plan.workers.length === 1 ? "" : "s"}: ${nodes.join(" ")}`,
    `links: ${link.join(" ")}`,
    ...(plan.schedule === undefined ? [] : [`schedule: ${JSON.stringify(plan.schedule)}`]),
    ...(plan.delays === undefined ? [] : [`delays: ${JSON.stringify(plan.delays)}`]),
    `properties: ${Object.entries(plan.properties)
      .map(([name, value]) => `${name}=${value}`)
      .join(" ")}`,
    `work: ${plan.splitsPerNode} splits of a large table, ${plan.nanosPerWorkUnit} ns per row and operator`,
    `users: ${plan.users.length}`,
    ...plan.users.flatMap(describeUser),
    `points: ${plan.points === undefined ? "none" : byName(plan.points)}`,
    `knobs: ${plan.knobs === undefined ? "none" : byName(plan.knobs)}`,
    ...(plan.core === undefined
      ? []
      : [`core: c and ${plan.core.join(", ")} are healthy after the heal; faults of the others are permanent`]),
    ...(plan.goodput === undefined ? [] : [describeProbe(plan.goodput)]),
    `faults: ${plan.faults.length === 0 ? "none" : ""}`,
    ...plan.faults.map((fault) => `  ${describeFault(fault)}`),
    `heal: ${seconds(plan.healNanos)}, then every statement ends within ${seconds(plan.livenessNanos)}`,
  ].join("\n");
}

function byName(counts: Readonly<Record<string, number>>): string {
  return Object.keys(counts)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `${name} ${counts[name]}`)
    .join(", ");
}

export function describeResult(result: RunResult): string {
  const { work } = result;
  const failed = Object.values(work.failed).reduce((sum, count) => sum + count, 0);
  const landed = result.faults.filter((fault) => fault.landed).length;
  const checks = Object.values(result.checks).reduce((sum, count) => sum + count, 0);
  const speed = result.realMs > 0 ? Math.round(result.simulatedNanos / 1e6 / result.realMs) : 0;
  return [
    `work: ${work.submitted} statements, ${work.finished} finished, ${failed} failed cleanly${failed === 0 ? "" : ` (${byName(work.failed)})`}, ${work.canceled} cancelled, ${work.vanished} abandoned, ${work.unanswered} unanswered; ${work.rows} rows, ${work.polls} polls, ${work.tasks} tasks, ${work.pages} pages, ${result.spills} of them spilled`,
    `faults: ${result.faults.length} struck, ${landed} while work was in flight; messages: ${byName(result.messages)}`,
    `points fired: ${Object.keys(result.points).length === 0 ? "none" : byName(result.points)}`,
    ...(result.goodput === undefined
      ? []
      : [`goodput: ${result.goodput.finished} statements after the faults, ${result.goodput.calm} without them`]),
    `checked: ${checks} times (${byName(result.checks)})`,
    `time: ${seconds(result.simulatedNanos)} simulated in ${(result.realMs / 1000).toFixed(2)} s (${speed}x), ${result.events} events`,
    `fingerprint ${result.fingerprint}`,
    ...result.violations.map(
      ({ kind, atNanos, oracle, sentence, stack }) =>
        `VIOLATION ${kind} at ${seconds(atNanos)} [${oracle}]: ${sentence}${stack === undefined ? "" : `\n${stack}`}`,
    ),
    result.violations.length === 0 ? "PASS" : `FAIL ${result.violations[0]?.kind}`,
  ].join("\n");
}
