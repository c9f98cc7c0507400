/**
 * Draws the faults of a seed. Swarm testing: each seed leaves out a different subset of the kinds, so that no kind hides the others.
 */
import type { DrawnCluster, FaultTimes, Moment } from "../faults/fault.ts";
import { definitionOf, drawnKinds, type Fault, type FaultKind, faultKinds } from "../faults/registry.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

export interface DrawFacts extends DrawnCluster {
  readonly healNanos: number;
  /** Workers that stay broken when the others are healed. */
  readonly outside: readonly string[];
}

const lastsMsUsual = [50, 12_000] as const;
/** Kinds that can break a node permanently while the other nodes can still work without it. */
const permanentKinds = ["crash", "pause", "partition", "never-answers"] as const;

export function drawFaults(tree: StreamTree, facts: DrawFacts): readonly Fault[] {
  const swarm = tree.stream("faults/swarm");
  const enabled = drawnKinds.filter((kind) => swarm.chance(1, definitionOf(kind).oneIn, kind));
  const faults = enabled.flatMap((kind) => {
    const stream = tree.stream(`faults/${kind}`);
    const count = stream.between(1, definitionOf(kind).countMax ?? 2, "count");
    return Array.from({ length: count }, () => drawFault(kind, stream, facts));
  });
  const permanent = facts.outside.map((node) => drawPermanent(node, tree.stream(`faults/permanent/${node}`), facts));
  return [...faults, ...permanent].sort((a, b) => a.atNanos - b.atNanos || faultKinds.indexOf(a.kind) - faultKinds.indexOf(b.kind));
}

function drawFault(kind: FaultKind, stream: Stream, facts: DrawFacts): Fault {
  const definition = definitionOf(kind);
  const [leastMs, mostMs] = definition.lastsMs ?? lastsMsUsual;
  const atNanos = stream.between(0, Math.floor(facts.healNanos * 0.8), "at");
  const untilNanos = Math.min(facts.healNanos, atNanos + drawLast(stream, leastMs, mostMs) * nanosPerMs);
  const times: FaultTimes = { atNanos, untilNanos, ...drawAim(stream) };
  return { ...definition.draw(stream, facts), ...times, kind } as Fault;
}

/** Half of the faults end soon. A node that returns before it is declared failed takes other code paths than one that stays away. */
function drawLast(stream: Stream, leastMs: number, mostMs: number): number {
  return stream.between(leastMs, stream.chance(1, 2, "short") ? Math.min(mostMs, leastMs + 1_500) : mostMs, "lasts");
}

const moments: readonly Moment[] = ["queued", "planned", "half read"];

function drawAim(stream: Stream): Pick<FaultTimes, "afterWorkNanos" | "afterWorkEvents" | "atMoment"> {
  const afterWorkNanos = stream.between(0, stream.pick([1, 20, 400]), "after work") * nanosPerMs;
  const afterWorkEvents = stream.between(1, stream.pick([5, 40, 200]), "events after work");
  const aim = stream.nextInt(8, "aim");
  const atMoment = stream.pick(moments, "moment");
  if (stream.chance(1, 4, "at a moment")) {
    return aim < 4 ? { atMoment } : { atMoment, afterWorkEvents: Math.ceil(afterWorkEvents / 4) };
  }
  return aim < 2 ? {} : aim < 5 ? { afterWorkNanos } : { afterWorkEvents };
}

function drawPermanent(node: string, stream: Stream, { healNanos }: DrawFacts): Fault {
  const kind = stream.pick(permanentKinds, "kind");
  const atNanos = stream.between(0, healNanos - 1, "at");
  const times: FaultTimes = { atNanos, untilNanos: healNanos, ...drawAim(stream), permanent: true };
  return kind === "partition" ? { ...times, kind, nodes: [node] } : { ...times, kind, node };
}
