/**
 * Runs one cluster and measures its cost. Reference rows and first executions of code in the process come before the measured run.
 */
import { nanosPerSecond } from "../world/world.ts";
import type { RunResult } from "../result.ts";
import { runPlan } from "../run.ts";
import { SharedState } from "../shared.ts";
import { type ScaleRequest, scalePlan, type Workload } from "./plans.ts";

export interface Measurement {
  readonly nodes: number;
  readonly workload: Workload;
  readonly realMs: number;
  /** CPU time of all threads of the process during the measured run, in milliseconds. */
  readonly cpuMs: number;
  readonly simulatedNanos: number;
  readonly events: number;
  readonly messages: number;
  /** Number of heartbeats and announcements among the messages. */
  readonly idleMessages: number;
  readonly bytes: number;
  readonly statements: number;
  readonly finished: number;
  readonly tasks: number;
  /** Peak memory of the process. */
  readonly peakBytes: number;
  readonly fingerprint: string;
  /** Sentence of the first violation; undefined if there is none. */
  readonly violation: string | undefined;
}

const warmNodes = 3;

export async function measureScale(request: ScaleRequest): Promise<Measurement> {
  const shared = new SharedState();
  await runPlan(scalePlan({ ...request, nodes: Math.min(warmNodes, request.nodes), workload: "fixed" }), { shared });
  const cpuBefore = process.cpuUsage();
  const result = await runPlan(scalePlan(request), { shared });
  const cpu = process.cpuUsage(cpuBefore);
  return { ...countsOf(request, result), cpuMs: (cpu.user + cpu.system) / 1000, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

function countsOf({ nodes, workload }: ScaleRequest, result: RunResult): Omit<Measurement, "cpuMs" | "peakBytes"> {
  const { work, messages } = result;
  const [violation] = result.violations;
  return {
    nodes,
    workload,
    realMs: result.realMs,
    simulatedNanos: result.simulatedNanos,
    events: result.events,
    messages: messages["requests"] ?? 0,
    idleMessages: idleLabels.reduce((sum, label) => sum + (result.requestsByLabel[label] ?? 0), 0),
    bytes: messages["bytes"] ?? 0,
    statements: work.submitted,
    finished: work.finished,
    tasks: work.tasks,
    fingerprint: result.fingerprint,
    violation: violation === undefined ? undefined : `${violation.kind} [${violation.oracle}] ${violation.sentence}`,
  };
}

/** Labels of messages that nodes exchange independent of work. */
const idleLabels = ["heartbeat", "announcement"];

/** Simulated time divided by real time. */
export function speedup({ simulatedNanos, realMs }: Measurement): number {
  return simulatedNanos / nanosPerSecond / (realMs / 1000);
}

/**
 * The exponent x of cost ~ nodes^x: the slope of a least-squares line through the logarithms. Returns undefined with fewer than two sizes.
 */
export function growthExponent(points: readonly { readonly nodes: number; readonly cost: number }[]): number | undefined {
  const logs = points.filter(({ cost }) => cost > 0).map(({ nodes, cost }) => ({ x: Math.log(nodes), y: Math.log(cost) }));
  const mean = (of: (point: { x: number; y: number }) => number): number => logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const middle = { x: mean(({ x }) => x), y: mean(({ y }) => y) };
  const spread = logs.reduce((sum, { x }) => sum + (x - middle.x) ** 2, 0);
  return spread === 0 ? undefined : logs.reduce((sum, { x, y }) => sum + (x - middle.x) * (y - middle.y), 0) / spread;
}
