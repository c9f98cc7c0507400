/**
 * Draws the plan of a run from a seed. The whole plan is printed before the run.
 */
import { calmLink, type LinkConditions } from "../world/fates.ts";
import { type Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs, nanosPerSecond } from "../world/world.ts";
import { drawBehaviour, patiently } from "./behaviours.ts";
import type { Fault, FaultKind, PlannedNode, PlannedStatement, PlannedUser, Properties, RunPlan } from "../plan.ts";
import { drawKnobs } from "./knobs.ts";
import { ruleTable } from "../../src/planner/optimizer/rule-table.ts";
import { drawPoints } from "./points.ts";
import { drawOtherProperties, drawRequiredWorkers } from "./properties.ts";
import { numberProperty, retriesTasks } from "../properties.ts";
import { drawFaults } from "./faults.ts";
import { drawSilentWorkers, noneSilent } from "./silent-workers.ts";
import { drawSchedule } from "./schedule.ts";
import { drawStore } from "./store.ts";
import { isRowByRow } from "../checkers/results/results.ts";
import { inquiryNames } from "../inquiries/bank.ts";
import { scriptNames, scriptOf } from "../inquiries/scripts.ts";
import { drawRestricted } from "../workload/restricted.ts";
import { drawFeature, featureCount } from "../workload/features.ts";
import { drawGrants } from "./grants.ts";
import { drawElsewhere } from "./elsewhere.ts";
import { drawCrowd, noCrowd } from "./crowds.ts";
import { drawAborted, drawIdle } from "./transactions.ts";
import { drawGroups } from "./groups.ts";
import { drawLowMemory } from "./low-memory.ts";
import { drawSession as drawSteps, sessionStatement } from "../workload/sessions.ts";
import { drawSharedSteps, sharedStatement } from "../workload/shared-table.ts";
import { drawFramedUser } from "../workload/frames.ts";
import { drawTiedUsers } from "../workload/ties.ts";
import { tableStatement } from "../workload/user-tables.ts";
import { drawVolatile } from "../workload/volatile.ts";
import { drawStatement, drawTableStep, smallSchema, workloadSchema } from "../workload/workload.ts";

export { drawnKinds } from "../faults/registry.ts";

export function drawRun(seed: string): RunPlan {
  const tree = StreamTree.root(seed).child("draw");
  const shape = tree.stream("shape");
  const workers = Array.from({ length: shape.between(1, 5) }, (_, index) => drawNode(tree, `w${index + 1}`));
  const healNanos = shape.between(3, 10) * nanosPerSecond;
  const names = workers.map((node) => node.name);
  const core = drawCore(tree, names);
  const outside = core === undefined ? [] : names.filter((name) => !core.includes(name));
  const goodput = drawGoodput(tree, healNanos);
  const silence = drawSilence(tree);
  const drawn = drawFaults(tree, { workers: names, healNanos, outside });
  const repeats = drawRepeats(tree);
  const { users: hungry, ...lowMemory } = goodput.goodput === undefined ? drawLowMemory(tree) : { users: [] };
  const { users: restricted, ...rights } = drawRestricted(tree);
  // A load that is measured needs its slots.
  const { users: competitors, ...groups } = goodput.goodput === undefined ? drawGroups(tree) : { users: [] };
  const { users: granting, vault, ...kept } = drawGrants(tree);
  const { users: tied, ...spills } = goodput.goodput === undefined ? drawTies(tree) : untied;
  const { users: writing, store } = goodput.goodput === undefined ? drawStore(tree, bankOf(seed)) : { users: [] };
  const crowd = goodput.goodput === undefined ? drawCrowd(tree) : noCrowd;
  const silent =
    goodput.goodput === undefined ? drawSilentWorkers(tree, { bank: bankOf(seed), healNanos, workers: core ?? names }) : noneSilent;
  const aborted = goodput.goodput === undefined ? drawAborted(tree, [...drawn, ...kept.faults]) : [];
  const { users: idling, properties: ofIdling = {} } = goodput.goodput === undefined ? drawIdle(tree) : { users: [] };
  const visitors = [writing, restricted, competitors, granting, tied, hungry, aborted, crowd.users, silent.users].flat();
  const known = [...drawUsers(tree, { healNanos, bank: bankOf(seed), isVisited: visitors.length > 0 }), ...visitors, ...idling];
  const twin = drawTwin(tree);
  const isCompared = goodput.goodput !== undefined || twin.twinWorkers !== undefined;
  const {
    faults: further,
    properties: ofElsewhere,
    users: sent,
    ...elsewhere
  } = drawElsewhere(tree, { healNanos, users: known, isCompared, hasStore: store !== undefined });
  const users = [...known, ...sent];
  const slow = drawSlowCommits(tree, users, healNanos);
  const faults = [...drawn, ...kept.faults, ...further, ...silent.faults, ...slow].sort((a, b) => a.atNanos - b.atNanos);
  const properties = {
    ...drawProperties(tree),
    ...drawOtherProperties(tree, core === undefined && users.every(({ inquires }) => inquires === undefined)),
    ...drawRecovery(tree, faults),
    ...(isCompared ? {} : drawRequiredWorkers(tree, core ?? names)),
    ...(silence.silenceNanos === undefined ? {} : forgetful),
    ...lowMemory.properties,
    ...kept.properties,
    ...ofElsewhere,
    ...ofIdling,
    ...crowd.properties,
    ...silent.properties,
    ...scriptedProperties(users),
  };
  const knobs = drawnKnobs(tree, { ...repeats.knobs, ...spills.knobs, ...crowd.knobs });
  return {
    seed,
    coordinator: drawNode(tree, "c"),
    workers,
    link: drawLink(tree),
    ...drawSchedule(tree),
    ...rights,
    // Measured users must have abandoned their lost requests before the measurement begins.
    properties: goodput.goodput === undefined ? properties : { ...properties, ...impatient },
    points: {
      ...drawPoints(tree, {
        isTight: properties["sink.max-buffer-size"] === tightest,
        disksFail: faults.some(({ kind }) => diskFaults.has(kind)),
      }),
      ...repeats.points,
      ...lowMemory.points,
      ...kept.points,
      ...spills.points,
    },
    ...knobs,
    // Pages that are lent have no checksums, so that tasks alone cannot run again.
    ...(retriesTasks(properties) && tree.stream("lending").chance(1, 2, "lends nothing") ? { lendsNothing: true } : {}),
    schema: schemaFor(knobs.knobs ?? {}),
    // A table with one split is read by one task, so several tasks cannot interfere with each other.
    splitsPerNode: shape.pick([1, 4, 4, 4, 16, 16]),
    nanosPerWorkUnit: shape.pick([40, 500, 4_000, 20_000]),
    ...drawReplication(tree),
    ...groups,
    ...(vault === undefined ? {} : { vault }),
    ...(store === undefined ? {} : { store }),
    users,
    faults,
    ...(core === undefined ? {} : { core }),
    healNanos,
    ...twin,
    ...elsewhere,
    ...goodput,
    ...silence,
    livenessNanos: livenessNanosOf(properties),
  };
}

/** Default of query-retry-attempts. */
const usualAttempts = 4;

/** A query may run again against a worker that stays broken, with a pause of up to a minute before each time. */
function livenessNanosOf(properties: Properties): number {
  const more = Math.max(0, numberProperty(properties, "query-retry-attempts") - usualAttempts);
  return (420 + 120 * more) * nanosPerSecond;
}

/** A coordinator that dies mostly finds what it has written down: queries, tables, or both. */
function drawRecovery(tree: StreamTree, faults: RunPlan["faults"]): Properties {
  const stream = tree.stream("recovery");
  const names = ["query-recovery.enabled", "table-recovery.enabled"].filter((name) => stream.chance(3, 4, name));
  const isRecorded =
    faults.some(({ kind, ...where }) => kind === "coordinator-crash" || (/disk/.test(kind) && "node" in where && where.node === "c")) ||
    tree.stream("recovery/recorded").chance(1, 8, "recorded without an end of the coordinator");
  return isRecorded ? Object.fromEntries(names.map((name) => [name, "true"])) : {};
}

/** Most runs have the default of memory.replication. */
function drawReplication(tree: StreamTree): Pick<RunPlan, "replication"> {
  const replication = tree.stream("replication").pick([0, 0, 0, 1, 1, 3], "copies of parts");
  return replication === 0 ? {} : { replication };
}

/**
 * One run in six has queries that run again when their clients have some of the rows: results come in many small pages, which the
 * coordinator does not read before their client asks.
 */
function drawRepeats(tree: StreamTree): Required<Pick<RunPlan, "knobs" | "points">> {
  const stream = tree.stream("repeats");
  const ratio = stream.pick([50, 200], "ratio");
  return stream.chance(1, 6, "queries run again half read")
    ? { points: { "query-runs-again": ratio, "page-cut-early": 1_000 }, knobs: { "result-buffer-bytes": 1 } }
    : { points: {}, knobs: {} };
}

const untied = { users: [], points: {}, knobs: {} };

/** One run in eight compares rows of operators that spill with those of operators that do not, and has frames across small pages. */
function drawTies(tree: StreamTree): Required<Pick<RunPlan, "knobs" | "points" | "users">> {
  const stream = tree.stream("ties");
  const ratio = stream.pick([50, 400], "ratio");
  const bytes = stream.pick([0, 2_000], "memory of an operator");
  const users = [...drawTiedUsers(stream), drawFramedUser(tree.stream("ties/frames"), "p3")];
  // Groups are given out in several parts, and spill between two pages of a part.
  const groups = tree.stream("ties/groups");
  const rows = groups.pick([20, 50], "rows of a page");
  const bound = groups.chance(2, 3, "bound")
    ? { "partial-aggregation-bytes": groups.pick([4_000, 20_000], "bytes"), "page-rows": rows, "frame-rows": rows }
    : {};
  const knobs = { "revocable-bytes": bytes, ...bound };
  return stream.chance(1, 8, "ties") ? { users, points: { "operator-spills-early": ratio }, knobs } : untied;
}

function drawnKnobs(tree: StreamTree, more: NonNullable<RunPlan["knobs"]>): Pick<RunPlan, "knobs"> {
  const knobs = { ...drawKnobs(tree), ...more };
  return Object.keys(knobs).length === 0 ? {} : { knobs };
}

/** Rows cost a run most where each has a page, a frame or a place on disk of its own. Large tables are for the other runs. */
function schemaFor(knobs: NonNullable<RunPlan["knobs"]>): string {
  const fewRows = 64;
  const { "page-rows": pageRows, "frame-rows": frameRows, "revocable-bytes": revocableBytes } = knobs;
  return revocableBytes !== undefined || [pageRows, frameRows].some((rows) => rows !== undefined && rows <= fewRows)
    ? smallSchema
    : workloadSchema;
}

/** In some seeds a few statements are repeated on a calm cluster of another size. */
function drawTwin(tree: StreamTree): Pick<RunPlan, "twinWorkers"> {
  const stream = tree.stream("twin");
  const twinWorkers = stream.pick([1, 2, 3, 5, 8, 16], "workers of the twin");
  return stream.chance(1, 5, "twin") ? { twinWorkers } : {};
}

/** Disk faults that disturb users who read back what they have written. */
const diskFaults: ReadonlySet<string> = new Set<FaultKind>(["corrupt-reads", "disk-errors", "slow-disk", "full-disk"]);

const impatient: Properties = {
  "query.max-concurrent-queries": "1000",
  "exchange.max-error-duration": "3s",
  "query.remote-task.max-error-duration": "3s",
};

/** Limits by which all but the newest queries must be gone at the end of the silence. */
const forgetful: Properties = { "query.max-history": "2", "query.min-expire-age": "10s" };

/**
 * Some seeds end with a minute without requests: longer than the landmark of a decay counter, an announcement, and the retention of a
 * query.
 */
function drawSilence(tree: StreamTree): Pick<RunPlan, "silenceNanos"> {
  return tree.stream("silence").chance(1, 10, "silence") ? { silenceNanos: 60 * nanosPerSecond } : {};
}

/** Some seeds run a load that begins before the heal. It must then complete as much as without faults. */
function drawGoodput(tree: StreamTree, healNanos: number): Pick<RunPlan, "goodput"> {
  const stream = tree.stream("goodput");
  const startNanos = Math.max(0, healNanos - stream.between(500, 3_000, "start") * nanosPerMs);
  return stream.chance(1, 48, "goodput")
    ? {
        goodput: {
          users: 2,
          sql: "SELECT regionkey, count(*) FROM nation GROUP BY regionkey",
          thinkNanos: 800 * nanosPerMs,
          startNanos,
          recoveryNanos: 45 * nanosPerSecond,
          windowNanos: 6 * nanosPerSecond,
        },
      }
    : {};
}

/** In some seeds not everything heals. Draws the core: the workers that heal. */
function drawCore(tree: StreamTree, workers: readonly string[]): readonly string[] | undefined {
  const stream = tree.stream("core");
  const count = stream.between(1, Math.max(1, workers.length - 1), "size");
  return stream.chance(1, 4, "not all heal") && workers.length > 1 ? stream.shuffle(workers).slice(0, count).sort() : undefined;
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
    duplicatePer10k: kind(250),
    overtakenPer10k: kind(150),
    neverAnsweredPer10k: kind(20),
    truncatedPer10k: kind(40),
  };
}

function drawProperties(tree: StreamTree): Properties {
  const stream = tree.stream("properties");
  const some = (values: readonly string[]): string => stream.pick(values);
  const bounds = drawBounds(stream);
  const tasksMax = some(["1", "2", "3", "8"]);
  const memory = some(["32MB", "32MB", "32MB", "32MB", "8MB", "2MB", "2MB"]);
  return {
    ...bounds,
    // One worker may have all tasks of a stage.
    "query.hash-partition-count": memory === "2MB" && tasksMax !== "1" ? "2" : tasksMax,
    "optimizer.min-input-rows-per-task": tree.stream("rows of a task").pick(["1", "1", "1", "20", "1000", "600000"]),
    // Most tables of these runs have few splits.
    "query.min-schedule-split-batch-size": tree.stream("split batches").pick(["1", "3", "100", "100", "100", "100"]),
    ...drawSpooling(tree.stream("spooling")),
    "query.max-memory-per-node": memory,
    // Expiry times are short, since a run lasts until everything is cleaned up. With few slots, the next query reveals a slot that was
    // never released.
    "query.max-concurrent-queries": some(["1", "2", "1000", "1000"]),
    "query.client.timeout": some(["5s", "10s", "10s", "30s"]),
    "task.client.timeout": some(["10s", "10s", "20s"]),
    "task.info.max-age": some(["10s", "20s", "30s"]),
    "exchange.max-error-duration": some(["1s", "3s", "10s", "40s"]),
    // Both shorter and longer than the time to detect a failed node.
    "query.remote-task.max-error-duration": some(["1s", "1s", "3s", "3s", "10s", "40s"]),
    "failure-detector.heartbeat-interval": some(["500ms", "1s", "2s"]),
    // Bounds slices, so that no node computes for seconds without yielding, even if a row takes long.
    "task.max-slice-rows": some(["256", "1024", "4096"]),
    // The interpreter is slow and serves only for comparison.
    "node.kernel-backend": stream.chance(1, 40) ? "interpreter" : "wasm",
    // Small enough that queries are forgotten, and large enough for all queries whose clients still poll for the end.
    "query.max-history": some(["100", "100", "5"]),
    // Slightly longer than the interval between two announcements, so that a fault often falls close to a check of them.
    "discovery.max-age": some(["15s", "15s", "5s"]),
  };
}

/** Results are small here; most of them would be inlined in the responses. */
function drawSpooling(stream: Stream): Properties {
  return {
    "protocol.spooling.maximum-segment-size": stream.pick(["200B", "2kB", "1MB"]),
    "protocol.spooling.inlining.max-size": stream.pick(["0B", "0B", "300B", "128kB"]),
    "protocol.spooling.maximum-storage-size": stream.pick(["1kB", "20kB", "1GB", "1GB"]),
    // Both shorter than the time a slow client needs to fetch its segments, and shorter than the silence after the last statement.
    "fs.segment.ttl": stream.pick(["5s", "20s", "20s"]),
  };
}

const tightest = "1kB";

/**
 * Bounds of the buffers between two tasks: ample space, almost none on either side, or a large output buffer whose consumer reads page by
 * page.
 */
function drawBounds(stream: Stream): Properties {
  const some = (values: readonly string[]): string => stream.pick(values);
  const usual = {
    "sink.max-buffer-size": some([tightest, "4kB", "16kB", "64kB", "1MB", "32MB"]),
    "exchange.max-buffer-size": some(["2kB", "32kB", "256kB", "32MB"]),
    "exchange.max-response-size": some([tightest, "8kB", "64kB", "1MB"]),
  };
  switch (stream.nextInt(6, "bounds")) {
    case 0:
      return { "sink.max-buffer-size": tightest, "exchange.max-buffer-size": "2kB", "exchange.max-response-size": tightest };
    case 1:
      return { ...usual, "sink.max-buffer-size": "32MB", "exchange.max-response-size": tightest };
    default:
      return usual;
  }
}

/** State that neighbouring seeds share. */
interface Surroundings {
  readonly healNanos: number;
  readonly bank: StreamTree;
  /** Users of one feature act beside the usual ones. Few features in a run meet more often than many. */
  readonly isVisited: boolean;
}

/**
 * Number of consecutive seeds that draw their statements from one bank. Each has its own faults and timing. A process that runs them
 * compiles each kernel and computes each reference once. Every thousand seeds bring other statements.
 */
const seedsOfBank = 1_000;
const statementsOfBank = 250;
const variantsOfBank = 4;
const stepsOfBank = 60;
const sessionsOfBank = 40;
const volatilesOfBank = 20;
/** Attempts to find a statement whose rows are independent of each other, for a user who ends stages. */
const looksForRows = 4;

/** A statement of the bank. One in five is a feature: the bank has a few statements for each of them. */
function drawStatementOf(bank: StreamTree, numbers: Stream): string {
  if (numbers.chance(1, 5, "feature")) {
    const number = numbers.nextInt(featureCount, "feature of the bank");
    const variant = numbers.nextInt(variantsOfBank, "variant");
    return drawFeature(bank.child(`feature/${number}/${variant}`).stream("text"), number);
  }
  return drawStatement(bank.child(`statement/${numbers.nextInt(statementsOfBank, "statement of the bank")}`).stream("text"));
}

function bankOf(seed: string): StreamTree {
  return StreamTree.root(`statements/${/^\d{1,15}$/.test(seed) ? Math.floor(Number(seed) / seedsOfBank) : 0}`);
}

function drawUsers(tree: StreamTree, surroundings: Surroundings): readonly PlannedUser[] {
  const count = tree.stream("users").pick([1, 1, 2, 2, 3]);
  return [...drawOwnUsers(tree, surroundings.isVisited ? 1 : count, surroundings), ...drawSharingUsers(tree), ...drawInquirer(tree)];
}

/** Properties that the scripts of the users need. */
function scriptedProperties(users: readonly PlannedUser[]): Properties {
  const scripts = users.flatMap(({ inquires }) => (inquires?.script === undefined ? [] : [scriptOf(inquires.script)]));
  return Object.assign({}, ...scripts.map(({ properties }) => properties)) as Properties;
}

/** In some seeds a client sends requests of every kind to all nodes, many of them wrong. */
function drawInquirer(tree: StreamTree): readonly PlannedUser[] {
  const stream = tree.stream("user/i1");
  if (!stream.chance(1, 3, "inquires")) {
    return [];
  }
  const asks = stream.shuffle(inquiryNames).slice(0, stream.between(10, 30));
  const pauseNanos = stream.pick([5, 40, 200]) * nanosPerMs;
  const script = stream.chance(3, 4, "has a script") ? { script: stream.pick(scriptNames, "script") } : {};
  const statements = [{ sql: "SELECT 1", behaviour: { kind: "reads-all" as const }, thinkNanos: 0 }];
  return [{ name: "i1", startNanos: stream.between(300, 1_500) * nanosPerMs, inquires: { ...script, asks, pauseNanos }, statements }];
}

/** In some seeds a few more users write one table at the same time. */
function drawSharingUsers(tree: StreamTree): readonly PlannedUser[] {
  const stream = tree.stream("shared table");
  const names = stream.chance(1, 8, "shared table") ? ["s1", "s2", "s3"].slice(0, stream.between(2, 3)) : [];
  return names.map((name) => {
    const own = tree.stream(`user/${name}/shared`);
    const statements = drawSharedSteps(own, name, own.between(4, 8)).map((shared) => ({
      sql: sharedStatement(shared),
      behaviour: { kind: "reads-all" as const },
      thinkNanos: own.between(0, 400) * nanosPerMs,
      shared,
    }));
    return { name, startNanos: own.between(250, 1_000) * nanosPerMs, statements };
  });
}

/** In half of the seeds with a shared table the coordinator's disk is slow, so that writes end while another one is being recorded. */
function drawSlowCommits(tree: StreamTree, users: readonly PlannedUser[], healNanos: number): readonly Fault[] {
  const stream = tree.stream("shared table/slow disk");
  const isShared = users.some(({ statements }) => statements.some(({ shared }) => shared !== undefined));
  const factor = stream.pick([200, 2_000], "factor");
  return isShared && stream.chance(1, 2, "slow disk")
    ? [{ kind: "slow-disk", node: "c", factor, atNanos: stream.between(200, 900, "from") * nanosPerMs, untilNanos: healNanos }]
    : [];
}

function drawOwnUsers(tree: StreamTree, count: number, surroundings: Surroundings): readonly PlannedUser[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `u${index + 1}`;
    const stream = tree.stream(`user/${name}`);
    return {
      name,
      // Some users arrive before any node can serve them; their statements must wait, not fail. The others find all workers.
      startNanos: stream.chance(1, 8) ? 0 : stream.between(250, 1_000) * nanosPerMs,
      ...(stream.chance(2, 3) ? { targetResultSize: stream.pick(["1B", "1kB", "8kB", "64kB"]) } : {}),
      ...drawFamily(tree.stream(`user/${name}/family`)),
      ...(tree.stream(`user/${name}/trespass`).chance(1, 8, "trespasses") ? { trespasses: true as const } : {}),
      ...drawSession(tree.stream(`user/${name}/session`), tree.stream(`user/${name}/limits`), tree.stream(`user/${name}/rules`)),
      statements: drawStatements(tree, name, { ...surroundings, stream }),
    };
  });
}

/** Clients of the Presto and Trino header families get response chains of their own. */
function drawFamily(stream: Stream): Pick<PlannedUser, "family" | "queryDataEncodings"> {
  const family = stream.pick(["engine", "engine", "presto", "trino"] as const, "header family");
  // No server here supports zstd.
  const encodings = stream.pick([[], ["json"], ["json+lz4", "json"], ["json+zstd", "json+lz4", "json"]], "encodings");
  return family === "engine" ? {} : family === "trino" && encodings.length > 0 ? { family, queryDataEncodings: encodings } : { family };
}

/** Sometimes the user, not the planner, chooses the join distribution. */
function drawSession(stream: Stream, limits: Stream, rules: Stream): Pick<PlannedUser, "session"> {
  // These tables are small, so the planner almost always broadcasts the smaller side.
  const join = stream.pick(["", "PARTITIONED", "PARTITIONED", "PARTITIONED", "BROADCAST"], "join distribution");
  const reordering = stream.pick(["", "", "NONE"], "join reordering");
  const session = {
    ...(join === "" ? {} : { join_distribution_type: join }),
    ...(reordering === "" ? {} : { join_reordering_strategy: reordering }),
    ...drawLimits(limits),
    ...drawRules(rules),
  };
  return Object.keys(session).length === 0 ? {} : { session };
}

/** Every rule that a session can switch off. Without `push_predicates` a join is a cross join, which costs too much here. */
const switchable = ruleTable.flatMap(({ name, required }) => (required === undefined && name !== "push_predicates" ? [name] : []));

/** One user in four runs without some optimizer rules. The references run with all of them. */
function drawRules(stream: Stream): Readonly<Record<string, string>> {
  if (!stream.chance(1, 4, "switches rules off")) {
    return {};
  }
  const count = stream.pick([1, 2, 4], "rules off");
  const off = Array.from({ length: count }, () => `-${stream.pick(switchable, "rule")}`);
  return { optimizer_rules: stream.chance(1, 6, "all rules off") ? "-all,+push_predicates" : off.join(",") };
}

/** For some users: limits that some of their statements exceed and others do not. */
function drawLimits(stream: Stream): Readonly<Record<string, string>> {
  const limits: Readonly<Record<string, readonly string[]>> = {
    query_max_run_time: ["100ms", "1s", "5s"],
    query_max_execution_time: ["50ms", "500ms", "5s"],
    query_max_cpu_time: ["1ms", "20ms", "500ms"],
    query_max_scan_physical_bytes: ["1kB", "20kB", "200kB"],
  };
  const name = stream.pick(Object.keys(limits), "limit");
  const value = stream.pick(limits[name] ?? [], "value");
  const limited = stream.chance(1, 8, "is limited") ? { [name]: value } : {};
  const ofMemory = stream.pick(["query_max_memory", "query_max_total_memory"], "limit of memory");
  const bytes = stream.pick(["20kB", "200kB", "1MB"], "memory");
  return stream.chance(1, 16, "has limited memory") ? { ...limited, [ofMemory]: bytes } : limited;
}

function drawStatements(
  tree: StreamTree,
  name: string,
  { stream, healNanos, bank }: Surroundings & { readonly stream: Stream },
): readonly PlannedStatement[] {
  const keepsTable = stream.chance(1, 5);
  if (stream.chance(1, 8, "changes its session") && !keepsTable) {
    const number = stream.nextInt(sessionsOfBank, "session of the bank");
    const session = bank.child(`session/${number}`);
    const steps = drawSteps({ steps: session.stream("steps"), transaction: session.stream("transaction") });
    return steps.map((sessionStep, place) => ({
      sql: sessionStatement(sessionStep),
      behaviour: drawBehaviour(tree.stream(`user/${name}/behaviour/${place}`)),
      thinkNanos: stream.between(0, 300 * nanosPerMs),
      sessionStep,
    }));
  }
  return Array.from({ length: stream.between(1, 3) + (keepsTable ? 2 : 0) }, (_, place) => {
    const thinkNanos = stream.chance(1, 3) ? stream.between(0, Math.floor(healNanos / 4)) : stream.between(0, 200 * nanosPerMs);
    const behaviour = drawBehaviour(tree.stream(`user/${name}/behaviour/${place}`));
    if (!keepsTable) {
      const volatile = tree.stream(`user/${name}/volatile/${place}`);
      if (volatile.chance(1, 8, "last column at random")) {
        const number = volatile.nextInt(volatilesOfBank, "statement of the bank");
        const { equivalent, sql } = drawVolatile(bank.child(`volatile/${number}`).stream("text"));
        return { sql, behaviour, thinkNanos, volatile: { equivalent } };
      }
      const numbers = tree.stream(`user/${name}/statement/${place}`);
      const statement = (): string => drawStatementOf(bank, numbers);
      let sql = statement();
      for (let look = 1; behaviour.kind === "ends-stages" && !isRowByRow(sql) && look < looksForRows; look++) {
        sql = statement();
      }
      return { sql, behaviour, thinkNanos };
    }
    const number = tree.stream(`user/${name}/step/${place}`).nextInt(stepsOfBank, "step of the bank");
    const step = drawTableStep(bank.child(`step/${number}`).stream("text"), `memory.default.t_${name}`, place);
    return { sql: tableStatement(step), behaviour: patiently(behaviour), thinkNanos, step };
  });
}
