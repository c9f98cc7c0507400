/** Resource groups of a run: a root with two leaves, or with one leaf for each user, between which few slots are divided. */
import type { ResourceGroupsDocument } from "../../src/protocol/documents/resource-groups.ts";
import type { PlannedUser } from "../plan.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

interface DrawnGroups {
  readonly resourceGroups?: ResourceGroupsDocument;
  /** Users who compete for the slots. */
  readonly users: readonly PlannedUser[];
}

/** Some runs have groups instead of the single one of the properties. */
export function drawGroups(tree: StreamTree): DrawnGroups {
  const stream = tree.stream("resource groups");
  if (!stream.chance(1, 6, "resource groups")) {
    return { users: [] };
  }
  const isByUser = stream.chance(1, 3, "a group of each user");
  const leaves = isByUser ? [drawLeaf(stream, "of-${USER}")] : ["odd", "even"].map((name) => drawLeaf(stream, name));
  const root = {
    name: "all",
    hardConcurrencyLimit: stream.pick([1, 1, 2, 3], "slots"),
    maxQueued: stream.pick([2, 100, 100], "queue"),
    schedulingPolicy: stream.pick(["fair", "weighted_fair", "query_priority", "weighted"] as const, "policy"),
  };
  const subGroups =
    root.schedulingPolicy === "query_priority" ? leaves.map((leaf) => ({ ...leaf, schedulingPolicy: "query_priority" as const })) : leaves;
  return {
    users: ["g1", "g2", "g3", "g4", "g5"].map((name) => drawCompetitor(tree.stream(`user/${name}/competes`), name)),
    resourceGroups: {
      rootGroups: [{ ...root, subGroups }],
      selectors: isByUser ? [{ group: "all.of-${USER}" }] : [{ user: ".*[135]", group: "all.odd" }, { group: "all.even" }],
    },
  };
}

/** Submits short statements one after the other, at the same time as its peers. */
function drawCompetitor(stream: Stream, name: string): PlannedUser {
  const statements = Array.from({ length: stream.between(2, 5) }, () => ({
    sql: stream.pick(["SELECT count(*) FROM nation", "SELECT regionkey, count(*) FROM nation GROUP BY regionkey", "SELECT 1"], "statement"),
    behaviour: { kind: "reads-all" as const },
    thinkNanos: stream.pick([0, 0, 20], "think") * nanosPerMs,
  }));
  const session = { query_priority: String(stream.between(1, 3, "priority")) };
  return { name, startNanos: stream.between(500, 700, "start") * nanosPerMs, session, statements };
}

function drawLeaf(stream: Stream, name: string) {
  const hardConcurrencyLimit = stream.pick([1, 2, 100], "slots of a leaf");
  return {
    name,
    hardConcurrencyLimit,
    softConcurrencyLimit: Math.min(hardConcurrencyLimit, stream.pick([1, 2, 100], "soft limit")),
    maxQueued: stream.pick([1, 3, 100, 100], "queue of a leaf"),
    schedulingWeight: stream.pick([1, 3], "weight"),
    schedulingPolicy: stream.pick(["fair", "query_priority"] as const, "policy of a leaf"),
  };
}
