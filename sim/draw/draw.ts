/** From a seed to the plan of a run. All of it is printed before the run. */
import { calmLink, type LinkConditions } from "../kernel/network.ts";
import { type Stream, StreamTree } from "../kernel/streams.ts";
import { nanosPerMs, nanosPerSecond } from "../kernel/world.ts";
import type { Behaviour, Fault, FaultKind, FaultTimes, PlannedNode, PlannedStatement, PlannedUser, Properties, RunPlan } from "../plan.ts";
import { drawStatement, drawTableStep, tableStatement, workloadSchema } from "../workload/workload.ts";

export const faultKinds: readonly FaultKind[] = [
  "crash",
  "coordinator-crash",
  "pause",
  "slow-node",
  "partition",
  "one-way-partition",
  "slow-link",
  "shutdown",
  "clock-step",
  "full-disk",
];
/** One of so many seeds may draw the kind; what ends whole runs must not drown the rest. */
const seldom: Readonly<Partial<Record<FaultKind, number>>> = { "coordinator-crash": 12, "full-disk": 3, "clock-step": 3 };

/** Swarm: each seed leaves a different half of the kinds out, so that none hides the others. */
export function drawRun(seed: string): RunPlan {
  const tree = StreamTree.root(seed).child("draw");
  const shape = tree.stream("shape");
  const workers = Array.from({ length: shape.between(1, 5) }, (_, index) => drawNode(tree, `w${index + 1}`));
  const healNanos = shape.between(5, 25) * nanosPerSecond;
  const faults = drawFaults(tree, { workers: workers.map((node) => node.name), healNanos });
  return {
    seed,
    coordinator: drawNode(tree, "c"),
    workers,
    link: drawLink(tree),
    properties: drawProperties(tree),
    schema: workloadSchema,
    splitsPerNode: shape.pick([1, 4, 16]),
    nanosPerWorkUnit: shape.pick([40, 500, 4_000, 20_000]),
    users: drawUsers(tree, healNanos),
    faults,
    healNanos,
    livenessNanos: 420 * nanosPerSecond,
  };
}

function drawNode(tree: StreamTree, name: string): PlannedNode {
  const stream = tree.stream(`node/${name}`);
  return { name, clockOffsetMs: stream.between(-2_000, 2_000), clockDriftPpm: stream.between(-300, 300) };
}

function drawLink(tree: StreamTree): LinkConditions {
  const stream = tree.stream("link");
  const kind = (per10kMax: number): number => (stream.chance(1, 2) ? stream.between(1, per10kMax) : (stream.nextInt(per10kMax), 0));
  const latencyNanosMin = stream.between(20_000, 500_000);
  return {
    ...calmLink,
    latencyNanosMin,
    latencyNanosMax: latencyNanosMin + stream.between(10_000, 3 * nanosPerMs),
    tailPer10k: kind(200),
    tailNanosMax: stream.between(10, 1_500) * nanosPerMs,
    lossPer10k: kind(60),
    resetPer10k: kind(60),
    duplicatePer10k: kind(100),
  };
}

function drawProperties(tree: StreamTree): Properties {
  const stream = tree.stream("properties");
  const some = (values: readonly string[]): string => stream.pick(values);
  return {
    "sink.max-buffer-size": some(["16kB", "64kB", "1MB", "32MB"]),
    "exchange.max-buffer-size": some(["32kB", "256kB", "32MB"]),
    "exchange.max-response-size": some(["8kB", "64kB", "1MB"]),
    "query.hash-partition-count": some(["1", "2", "3", "8"]),
    "query.max-memory-per-node": some(["32MB", "32MB", "32MB", "32MB", "8MB", "2MB", "1MB"]),
    "query.client.timeout": some(["15s", "15s", "40s", "5m"]),
    "task.client.timeout": some(["10s", "30s", "2m"]),
    "failure-detector.heartbeat-interval": some(["500ms", "1s", "2s"]),
    // Nobody computes for seconds without looking up, not even where a row takes long.
    "task.max-slice-rows": some(["256", "1024", "4096"]),
    // Slow, and only there to be compared.
    "node.kernel-backend": stream.chance(1, 24) ? "interpreter" : "wasm",
  };
}

function drawUsers(tree: StreamTree, healNanos: number): readonly PlannedUser[] {
  const count = tree.stream("users").between(1, 4);
  return Array.from({ length: count }, (_, index) => {
    const name = `u${index + 1}`;
    const stream = tree.stream(`user/${name}`);
    return {
      name,
      // Some come before there is anybody to serve them: they must wait, not fail.
      startNanos: stream.chance(1, 3) ? 0 : stream.between(0, 1_000) * nanosPerMs,
      ...(stream.chance(1, 2) ? { targetResultSize: stream.pick(["1kB", "8kB", "64kB"]) } : {}),
      statements: drawStatements(tree, name, { stream, healNanos }),
    };
  });
}

function drawStatements(
  tree: StreamTree,
  name: string,
  user: { readonly stream: Stream; readonly healNanos: number },
): readonly PlannedStatement[] {
  const { stream, healNanos } = user;
  const keepsTable = stream.chance(1, 4);
  return Array.from({ length: stream.between(1, 6) + (keepsTable ? 3 : 0) }, (_, place) => {
    const thinkNanos = stream.chance(1, 3) ? stream.between(0, Math.floor(healNanos / 4)) : stream.between(0, 200 * nanosPerMs);
    const behaviour = drawBehaviour(tree, `user/${name}/behaviour/${place}`);
    if (!keepsTable) {
      return { sql: drawStatement(tree.stream(`user/${name}/statement/${place}`)), behaviour, thinkNanos };
    }
    const step = drawTableStep(tree.stream(`user/${name}/step/${place}`), `memory.default.t_${name}`, place);
    // Who goes away in the middle of a write can say nothing about the table afterwards.
    const patient: Behaviour = behaviour.kind === "vanishes" ? { kind: "reads-all" } : behaviour;
    return { sql: tableStatement(step), behaviour: patient, thinkNanos, step };
  });
}

function drawBehaviour(tree: StreamTree, path: string): Behaviour {
  const stream = tree.stream(path);
  switch (stream.nextInt(12)) {
    case 0:
      return { kind: "slow", pauseNanos: stream.between(100, 3_000) * nanosPerMs };
    case 1:
      return { kind: "cancels", afterPolls: stream.nextInt(4) };
    case 2:
      return { kind: "vanishes", afterPolls: stream.nextInt(3) };
    case 3:
    case 4:
      return { kind: "asks-twice" };
    case 5:
    case 6:
      return { kind: "retries" };
    default:
      return { kind: "reads-all" };
  }
}

function drawFaults(tree: StreamTree, cluster: { readonly workers: readonly string[]; readonly healNanos: number }): readonly Fault[] {
  const swarm = tree.stream("faults/swarm");
  const enabled = faultKinds.filter((kind) => swarm.chance(1, seldom[kind] ?? 2));
  const faults: Fault[] = [];
  for (const kind of enabled) {
    const stream = tree.stream(`faults/${kind}`);
    const count = stream.between(1, 2);
    for (let index = 0; index < count; index++) {
      faults.push(drawFault(kind, stream, cluster));
    }
  }
  return faults.sort((a, b) => a.atNanos - b.atNanos || faultKinds.indexOf(a.kind) - faultKinds.indexOf(b.kind));
}

function drawFault(
  kind: FaultKind,
  stream: ReturnType<StreamTree["stream"]>,
  cluster: { readonly workers: readonly string[]; readonly healNanos: number },
): Fault {
  const atNanos = stream.between(0, Math.floor(cluster.healNanos * 0.8));
  const untilNanos = Math.min(cluster.healNanos, atNanos + stream.between(50, 12_000) * nanosPerMs);
  const afterWorkNanos = stream.between(0, stream.pick([1, 20, 400])) * nanosPerMs;
  const times: FaultTimes = { atNanos, untilNanos, ...(stream.chance(3, 4) ? { afterWorkNanos } : {}) };
  const node = stream.pick(cluster.workers);
  const other = stream.pick(["c", ...cluster.workers].filter((name) => name !== node));
  switch (kind) {
    case "crash":
    case "pause":
    case "shutdown":
      return { ...times, kind, node };
    case "coordinator-crash":
      return { ...times, kind, node: "c" };
    case "slow-node":
      return { ...times, kind, node, factor: stream.between(2, 60) };
    case "partition":
      return { ...times, kind, nodes: [node] };
    case "one-way-partition":
      return stream.chance(1, 2) ? { ...times, kind, from: node, to: other } : { ...times, kind, from: other, to: node };
    case "slow-link":
      return { ...times, kind, from: node, to: other, extraNanos: stream.between(5, 800) * nanosPerMs };
    case "clock-step":
      return { ...times, kind, node: stream.pick(["c", node]), byMs: stream.between(-3_600_000, 3_600_000) };
    case "full-disk":
      return { ...times, kind, node, bytesMax: stream.between(0, 64 * 1024) };
  }
}
