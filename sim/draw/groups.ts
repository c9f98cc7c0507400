/**
 * Resource groups of a run, between which few slots are divided: a root with two groups, one of which may have groups of its own, with
 * three or four groups of several users each, or with one leaf for each user.
 */
import type { ResourceGroupsDocument } from "../../src/protocol/documents/resource-groups.ts";
import type { PlannedUser } from "../plan.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

const competing = [
  "SELECT count(*) FROM nation",
  "SELECT regionkey, count(*) FROM nation GROUP BY regionkey",
  "SELECT 1",
  "SELECT suppkey, count(*), sum(quantity) FROM lineitem GROUP BY suppkey",
] as const;

/** The first group waits while its queries hold memory, or until CPU time or scans have come back, a second of it in two or slower. */
const usageLimits = [
  {},
  {},
  { softMemoryLimit: "1B" },
  { softCpuLimit: "50ms", hardCpuLimit: "500ms" },
  { softCpuLimit: "10ms", hardCpuLimit: "200ms" },
  { hardPhysicalDataScanLimit: "20kB" },
] as const;

interface DrawnGroups {
  readonly resourceGroups?: ResourceGroupsDocument;
  /** Users who compete for the slots. */
  readonly users: readonly PlannedUser[];
}

/** Users of several groups at the side of each other: more than one of each, so that a group has a query that waits while another runs. */
const ofSeveral = [
  { name: "odd", user: ".*[15]" },
  { name: "even", user: ".*[26]" },
  { name: "third", user: ".*[37]" },
] as const;
const competitors = ["g1", "g2", "g3", "g4", "g5"];
const competitorsOfSeveral = [...competitors, "g6", "g7", "g8"];

/** Some runs have groups instead of the single one of the properties. */
export function drawGroups(tree: StreamTree): DrawnGroups {
  const stream = tree.stream("resource groups");
  if (!stream.chance(1, 6, "resource groups")) {
    return { users: [] };
  }
  const isByUser = stream.chance(1, 3, "a group of each user");
  const usage = tree.stream("resource groups/usage").pick(usageLimits, "limits of usage");
  const leaves = isByUser
    ? [{ ...drawLeaf(stream, "of-${USER}"), ...usage }]
    : [{ ...drawLeaf(stream, "odd"), ...usage }, drawLeaf(stream, "even")];
  const below = tree.stream("resource groups/below");
  const inner = ["first", "others"].map((name) => drawLeaf(below, name));
  const several = isByUser ? undefined : drawSeveral(tree.stream("resource groups/several"));
  const isDeep = below.chance(1, 2, "groups below") && !isByUser && several === undefined;
  const deepPolicy = below.pick(["weighted_fair", "query_priority"] as const, "policy");
  const root = {
    name: "all",
    hardConcurrencyLimit: stream.pick([1, 1, 2, 3], "slots"),
    maxQueued: stream.pick([2, 100, 100], "queue"),
    schedulingPolicy: stream.pick(["fair", "weighted_fair", "query_priority", "weighted"] as const, "policy"),
    // Only groups that wait for each other are judged by what is below them.
    ...(isDeep && { maxQueued: 100, schedulingPolicy: deepPolicy }),
    ...(several !== undefined && { maxQueued: 100, hardConcurrencyLimit: 2, schedulingPolicy: several.policy }),
  };
  const [odd = drawLeaf(stream, "odd"), ...others] = leaves;
  const middle = {
    ...odd,
    maxQueued: 100,
    schedulingPolicy: below.pick(["fair", "weighted_fair"] as const, "policy below"),
    subGroups: inner,
  };
  const chosen = several?.leaves ?? (isDeep ? [middle, ...others] : leaves);
  const subGroups = root.schedulingPolicy === "query_priority" ? chosen.map(byPriority) : chosen;
  const ofOdd = isDeep
    ? [
        { user: ".*1", group: "all.odd.first" },
        { user: ".*[35]", group: "all.odd.others" },
      ]
    : [{ user: ".*[135]", group: "all.odd" }];
  const ofLeaves = isByUser ? [{ group: "all.of-${USER}" }] : [...ofOdd, { group: "all.even" }];
  return {
    users: (several?.users ?? competitors).map((name) => drawCompetitor(tree.stream(`user/${name}/competes`), name)),
    resourceGroups: {
      rootGroups: [{ ...root, subGroups }],
      cpuQuotaPeriod: "1s",
      physicalDataScanQuotaPeriod: "1s",
      selectors: several?.selectors ?? ofLeaves,
    },
  };
}

/** Three or four groups in half of the runs. Most have fewer slots than the root: their own limit holds them back, not their peers. */
function drawSeveral(stream: Stream) {
  const width = stream.pick([0, 0, 3, 4], "groups side by side");
  const groups = [...ofSeveral.slice(0, Math.max(0, width - 1)), { name: "rest" }];
  if (width === 0) {
    return undefined;
  }
  const leaves = groups.map(({ name }) => {
    const hardConcurrencyLimit = stream.pick([1, 1, 2], "slots of one of several");
    return { ...drawLeaf(stream, name), hardConcurrencyLimit, softConcurrencyLimit: hardConcurrencyLimit, maxQueued: 100 };
  });
  return {
    leaves,
    policy: stream.pick(["fair", "fair", "weighted_fair", "weighted"] as const, "policy of several"),
    selectors: groups.map(({ name, ...users }) => ({ ...users, group: `all.${name}` })),
    users: competitorsOfSeveral,
  };
}

type Drawn = ResourceGroupsDocument["rootGroups"][number];

/** A group with this policy has only such groups. */
function byPriority(group: Drawn): Drawn {
  const { subGroups } = group;
  return { ...group, schedulingPolicy: "query_priority", ...(subGroups !== undefined && { subGroups: subGroups.map(byPriority) }) };
}

/** Submits short statements one after the other, at the same time as its peers. Some may take less time than they wait. */
function drawCompetitor(stream: Stream, name: string): PlannedUser {
  const statements = Array.from({ length: stream.between(2, 5) }, () => ({
    sql: stream.pick(competing, "statement"),
    behaviour: { kind: "reads-all" as const },
    thinkNanos: stream.pick([0, 0, 20], "think") * nanosPerMs,
  }));
  const limit = stream.pick(["100ms", "300ms", ""], "limit");
  const session = {
    query_priority: String(stream.between(1, 3, "priority")),
    ...(limit !== "" && { query_max_execution_time: limit }),
  };
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
