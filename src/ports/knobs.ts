/**
 * Knobs: bounds of the engine that a simulated run may change, such as rows of a page, slots of a table, or a pause. In production each has
 * its default. With small bounds, small data has many pages, tables grow, buffers spill and caches evict. Results must be the same under
 * any values. Code reads a knob once per operator, task or request, never per row.
 */

/** How far a change of the knob reaches. */
export type KnobEffect =
  /** Boundaries of the pages that a task emits, or the plan: the value must be the same on all nodes, and when a task runs again. */
  | "output"
  /** Time, memory and requests only: a task emits the same bytes under any value. */
  | "timing";

export interface Knob {
  readonly default: number;
  /** Values that a seed may draw, ascending. The first is the minimum. */
  readonly values: readonly number[];
  readonly unit: string;
  readonly effect: KnobEffect;
  readonly description: string;
  /** Only powers of two. */
  readonly isPower?: true;
}

type Definition = readonly [unit: string, defaultValue: number, values: readonly number[], description: string];

function output(...[unit, value, values, description]: Definition): Knob {
  return { default: value, values, unit, effect: "output", description };
}

function timing(...[unit, value, values, description]: Definition): Knob {
  return { default: value, values, unit, effect: "timing", description };
}

function powerOfTwo(knob: Knob): Knob {
  return { ...knob, isPower: true };
}

const mebi = 1_048_576;

/** Sizes of pages. */
const pages = {
  "page-rows": output("rows", 16_384, [1, 2, 7, 64, 1_000], "Rows of a page that a source or an operator outputs."),
  "frame-rows": output("rows", 2_048, [1, 2, 7, 64], "Rows for which an output page waits. A frame has at most eight times as many."),
  "frame-bytes": output("bytes", mebi, [1, 64, 1_024], "Bytes at which an output page no longer waits for rows."),
} as const;

/** Operators: how much is kept, and when it is given out. */
const operators = {
  "partial-aggregation-bytes": output(
    "bytes",
    16 * mebi,
    [0, 2_000, 65_536],
    "Size of its groups at which a partial aggregation gives them out.",
  ),
  "partial-aggregation-judged-rows": output(
    "rows",
    100_000,
    [1, 5, 50],
    "Rows after which a partial aggregation that reduces too little passes the others.",
  ),
  "top-n-slack-rows": output("rows", 16_384, [1, 8, 32], "Rows beyond its count at which TopN sorts and drops the rest."),
  "join-candidates": output("rows", 16_384, [1, 7, 100], "Candidates that one call of a join's kernel filters."),
  "filter-judged-rows": output("rows", 131_072, [1, 10, 100], "Rows after which a key filter that keeps most of them is switched off."),
  "filter-listed-rows": output("rows", 1_000, [0, 1, 5], "Build rows up to which a local dynamic filter lists the values."),
  "remote-filter-listed-rows": output("rows", 4_096, [0, 1, 5], "Build rows up to which a remote dynamic filter lists the values."),
  "filter-values": output(
    "values",
    1_000,
    [0, 1, 3, 20],
    "Values that a remote dynamic filter lists; a set of more integers is sent as bits.",
  ),
  "filter-characters": output("characters", 32_768, [0, 5, 40], "Characters of the texts that a remote dynamic filter lists."),
  "bitmap-bits": output("bits", 8 * mebi, [1, 64], "Range of keys that always gets a bitmap, in bits."),
  "hash-bitmap-bits": powerOfTwo(output("bits", 1_024, [8, 64], "Least size of a bitmap of hashes.")),
  "pattern-listed-rows": output("rows", 262_144, [0, 3, 50], "Rows in the lists of MATCH_RECOGNIZE's aggregates at which a page ends."),
} as const;

/** What operators write to disk. */
const spills = {
  "revocable-bytes": timing(
    "bytes",
    Number.MAX_SAFE_INTEGER,
    [0, 2_000, 300_000],
    "Memory of an operator at which it spills, whatever the limits of query and node are.",
  ),
  "spill-headroom-bytes": timing(
    "bytes",
    64 * mebi,
    [0, 4 * mebi],
    "Part of a limit, at most a quarter of it, that is left when operators spill.",
  ),
  "buffer-headroom-bytes": timing(
    "bytes",
    256 * mebi,
    [0, mebi, 16 * mebi],
    "Part of a limit, at most half of it, into which buffers do not grow.",
  ),
  "spill-batch-bytes": timing("bytes", 65_536, [1, 1_000], "Rows of a partition that are written to disk at once."),
  "spill-read-ahead-bytes": timing("bytes", 262_144, [1, 2_000], "Frames of a run that are read ahead while memory has room for them."),
  "spill-partitions": timing("partitions", 16, [1, 2, 3], "Partitions into which an operator spills."),
  "spill-merged-runs": timing("runs", 64, [2, 3], "Sorted runs that are merged at once."),
  "spill-levels": timing("levels", 6, [1, 2], "How often rows are partitioned again that do not fit in memory."),
} as const;

/** Queries on a node that is full. */
const waits = {
  "memory-wait-ms": timing("ms", 50, [1, 10], "Delay after which a query that waits for memory looks for it again."),
  "memory-wait-bytes": timing(
    "bytes",
    mebi,
    [0, 1_000, 100_000],
    "Memory of older queries for which a query waits while its node is full.",
  ),
} as const;

/** What a query leaves that has ended. */
const leftovers = {
  "store-cleanup-ms": timing(
    "ms",
    60_000,
    [5_000, 20_000],
    "Time in which a query that has ended removes what it left in an object store.",
  ),
} as const;

/** Structures in memory: their first size, from which they grow, and how much one step does. */
const structures = {
  "row-store-rows": timing("rows", 1_024, [1, 2, 7], "Least capacity of the rows that an operator keeps."),
  "group-slots": powerOfTwo(output("slots", 1_024, [1, 2, 16], "Least number of slots of a table of groups.")),
  "group-codes": output("entries", 16_384, [1, 4, 30], "Most combinations of dictionary codes that group rows by an array."),
  "group-range": output("entries", mebi, [0, 16, 1_000], "Range of an integer key that groups rows by an array in place of a hash table."),
  "aggregation-groups": output("groups", 64, [1, 2, 5], "Least capacity for the states of groups."),
  "join-slots": powerOfTwo(timing("slots", 64, [1, 2, 8], "Least number of slots of a join's hash table.")),
  "join-build-step-rows": timing("rows", 131_072, [1, 7, 100], "Build rows that one step puts into a join's hash table."),
  "dense-range": timing("entries", 65_536, [0, 16, 1_000], "Range of keys that always gets an array in place of a hash table."),
  "ranked-range": timing("keys", mebi, [0, 16, 1_000], "Range of keys that always gets a ranked table in place of a hash table."),
  "nested-semi-join-step-rows": timing("rows", 131_072, [1, 5], "Members that one call of a semi-join over nested values compares."),
  "sort-step-rows": powerOfTwo(timing("rows", 131_072, [16, 64, 1_024], "Rows that one step of a sort moves.")),
  "radix-rows": timing("rows", 512, [1, 2, 20], "Rows from which a sort is a radix sort."),
  "pattern-words": timing("words", 64, [1, 3], "Least capacity of the lists of MATCH_RECOGNIZE."),
  "pattern-condition-rows": timing("rows", 1_024, [1, 3, 20], "Rows for which a condition of a pattern is evaluated at once."),
  "pattern-computed-rows": timing("rows", 1_024, [1, 3, 20], "Rows for which arguments of aggregates of a pattern are computed at once."),
  "pattern-remembered-bytes": timing("bytes", 64 * mebi, [0, 64, 1_000], "Memory for failed steps of a pattern's search."),
  "window-run-rows": timing("rows", 1_024, [1, 3, 20], "Rows between two checks of the memory of a window's states."),
  "window-state-bytes": timing("bytes", mebi, [0, 1_000], "Memory of a window's states at which they are computed anew."),
  "window-batch-bytes": timing("bytes", 4 * mebi, [1, 1_000], "Rows of a spilled window from which whole partitions are evaluated."),
  "window-step-nodes": timing("nodes", 8_192, [1, 3], "Nodes of a window's tree that one step computes."),
  "window-direct-rows": timing("rows", 32, [1, 4, 17], "Rows of a window's frame up to which it needs no tree."),
  "pattern-slice-steps": timing("steps", 4_096, [1, 10], "Steps of a pattern's search after which it yields."),
  "kernel-columns": timing("columns", 256, [1, 3], "Columns that one kernel copies; more columns share kernels, or have several."),
  "constant-rows": timing("rows", 1_024, [1, 2], "Constant rows that VALUES writes at once."),
  "kept-split-times": timing("splits", 32, [1, 2], "Splits of a scan whose times are kept."),
  "arena-bytes": output("bytes", 65_536, [8, 64, 1_024], "First chunk of an arena of strings."),
  "page-builder-rows": timing("rows", 64, [1, 2], "Least capacity of a page that is built row by row."),
} as const;

/** Tables in memory, and the exchange. */
const tables = {
  "memory-chunk-rows": output("rows", 65_536, [1, 3, 10, 100], "Rows of a chunk of a table in memory."),
  "memory-column-rows": timing("rows", 256, [1, 2, 10], "Least capacity of a column of a table in memory."),
  "dictionary-trial-rows": output("rows", 4_096, [1, 3, 20], "Rows after which the dictionary of a column in memory must be worthwhile."),
  "narrow-rows": timing("rows", 4_096, [1, 5, 50], "Rows of a chunk in memory from which its integers are as narrow as they can be."),
  "memory-part-splits": output("splits", 100, [1, 2], "Splits of the rows that one task wrote to a table in memory."),
  "dictionary-filter-rows": timing(
    "rows",
    4,
    [1, 2],
    "Rows of a page for each entry of a dictionary at which a filter is evaluated once per entry.",
  ),
  "dictionary-entries": timing("entries", 16, [1, 2], "Least capacity of a dictionary of a table in memory."),
  "dictionary-bytes": timing("bytes", 256, [1, 16], "Least block of strings of a table in memory."),
  "frame-pool-bytes": timing("bytes", 64 * mebi, [0, 65_536, mebi], "Bound of the memory for frames that nodes of a process share."),
  "pooled-frame-bytes": timing("bytes", 4_096, [8, 200], "Size from which a frame lies in the memory that nodes of a process share."),
  "exchange-request-bytes": timing("bytes", 262_144, [1, 1_000, 20_000], "Least number of bytes that an exchange requests of a source."),
  "exchange-close-rest-ms": timing("ms", 20, [0, 1, 5], "Rest before an exchange closes a buffer that has given all its pages."),
} as const;

/** Choices of the plan. */
const plans = {
  "broadcast-rows": output("rows", 100_000, [0, 1, 30], "Rows up to which the build side of a join is broadcast."),
  "broadcast-bytes": output("bytes", 32 * mebi, [0, 1_000], "Bytes up to which the build side of a join is broadcast."),
  "broadcast-table-bytes": output("bytes", 100 * mebi, [0, 1_000], "Bytes up to which a build side is broadcast to a larger probe side."),
  "exhaustive-relations": output("relations", 9, [1, 2, 3], "Relations up to which all orders of their joins are compared."),
  "ordered-relations": output("relations", 40, [1, 2, 3], "Relations up to which joins are reordered at all."),
  "remote-filter-keys": output("keys", 1_000, [0, 1, 10], "Distinct build keys up to which a filter crosses exchanges."),
  "remote-filter-scanned-rows": output("rows", 4_000, [0, 1, 50], "Rows of a scan from which a filter crosses exchanges to it."),
  "large-filter-rows": output("rows", 100_000, [0, 1, 50], "Rows that a filter of many keys must drop to cross exchanges."),
  "sharing-candidates": output("fragments", 8, [1, 2], "Fragments that a fragment is compared with to share one."),
  "window-scanned-rows": output("rows", 16, [0, 1], "Rows of scans that a row of a window in place of an aggregation must save."),
  "constraint-values": output("values", 1_000, [0, 1, 3], "Values of a constraint that a connector looks up."),
  "top-n-rows": output("rows", 1_000_000, [0, 1, 10], "Limit up to which a sort with a limit is a TopN."),
  "staged-depth": output("levels", 24, [1, 3], "Depth of a recursive query up to which each level is a fragment."),
  "constant-cells": timing("cells", 4_096, [0, 1, 5], "Cells up to which the coordinator answers constants without a task."),
  "computed-rows": output("rows", 20, [0, 1], "Rows of a correlated subquery that are computed without a join."),
} as const;

/** The control plane, and caches. */
const control = {
  "split-batch-growth": timing("times", 64, [1, 2], "How many times larger than the first a batch of splits gets."),
  "splits-rest-ms": timing("ms", 100, [1, 10], "Pause between two requests with splits."),
  "root-cause-ms": timing("ms", 500, [1, 50], "Wait of a failed reader for the failure of its source."),
  "starting-queries": timing("queries", 32, [1, 2, 5], "Queries that are planned and started at the same time."),
  "start-turn-ms": timing("ms", 100, [1, 20], "Time for which a query that has not ended keeps others from being planned and started."),
  "gather-ms": timing("ms", 100, [0, 1, 20], "Wait for more rows of a response that is not full."),
  "result-buffer-bytes": timing("bytes", 16 * mebi, [1, 1_000], "Rendered rows up to which the coordinator reads ahead of the client."),
  "result-read-bytes": timing("bytes", mebi, [1, 1_000], "Bytes that the coordinator reads of its root task at once."),
  "result-slice-cells": timing("cells", 32_768, [1, 20], "Cells of result rows that the coordinator writes in one slice."),
  "result-read-ms": timing("ms", 1_000, [20, 100], "Time for which the coordinator waits for pages of its root task."),
  "answer-segments": timing("segments", 4, [1, 2], "Segments of rows in one answer of the spooled protocol."),
  "compressed-bytes": timing("bytes", 1_024, [0, 100], "Size from which a segment of rows is compressed."),
  "gone-uris": timing("addresses", 1_000, [1, 2], "Addresses of departed nodes that are remembered."),
  "history-load-ms": timing("ms", 1_000, [0, 50], "Delay between the start of a coordinator and the reading of its history."),
  "history-write-ms": timing("ms", 200, [0, 10], "Delay between the end of a query and its write to the history."),
  "history-again-ms": timing("ms", 10_000, [50, 500], "Delay after a failed write of the history."),
  "history-batch": timing("queries", 100, [1, 2], "Queries of one write of the history."),
  "history-segments": timing("segments", 8, [1, 2], "Segments of a full history."),
  "journal-sync-ms": timing("ms", 100, [0, 20], "Delay between a record of the query journal and its sync."),
  "journal-over-ms": timing("ms", 5_000, [0, 200], "Time for which the journal keeps a query after its last answer."),
  "journal-file-bytes": timing("bytes", 4 * mebi, [1, 2_000], "Size from which a file of the query journal is replaced by a shorter one."),
  "heartbeat-again-ms": timing("ms", 100, [1, 20], "Shortest pause between two heartbeats when a node may have ended."),
  "speculation-min-ms": timing("ms", 1_000, [1, 50], "Least time that a task runs before it gets a second run."),
  "speculation-percent": timing(
    "percent",
    200,
    [50, 100],
    "Time of a task in percent of the median of its stage from which it gets a second run.",
  ),
  "announce-backoff-ms": timing("ms", 1_000, [20, 100], "Longest pause after a failed announcement."),
  "housekeeping-ms": timing("ms", 1_000, [100, 300], "Time between two checks for tasks that nobody needs."),
  "told-nodes": timing("nodes", 64, [0, 1], "Nodes up to which the answer to an announcement lists them."),
  "idle-memory-bytes": timing("bytes", 128 * mebi, [1, 65_536], "Waste from which an idle node gives memory back."),
  "cached-plans": timing("plans", 200, [0, 1, 3], "Plans of queries that a coordinator keeps for the same statement."),
  "cached-kernels": timing("kernels", 2_048, [1, 4, 20], "Kernels that a node keeps loaded."),
  "cached-host-functions": timing("functions", 8_192, [0, 1, 10], "Host functions that a node keeps for kernels loaded later."),
  "function-slice-steps": timing("steps", 8_000, [50, 1_000], "Steps of functions in TypeScript after which they yield."),
} as const;

/** Every knob by name. */
export const knobs = Object.freeze({
  ...pages,
  ...operators,
  ...spills,
  ...waits,
  ...leftovers,
  ...structures,
  ...tables,
  ...plans,
  ...control,
});

export type KnobName = keyof typeof knobs;

/** Values that differ from the defaults. */
export type KnobValues = Readonly<Partial<Record<KnobName, number>>>;

export interface Knobs {
  value(name: KnobName): number;
}

export const defaultKnobs: Knobs = Object.freeze({ value: (name: KnobName) => knobs[name].default });

/** Throws a RangeError for an unknown name, and for a value that the knob cannot have. */
export function knobsOf(values: KnobValues): Knobs {
  for (const [name, value] of Object.entries(values)) {
    const knob = Object.hasOwn(knobs, name) ? knobs[name as KnobName] : undefined;
    if (knob === undefined) {
      throw new RangeError(`There is no knob '${name}'`);
    }
    const least = knob.values[0] as number;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new RangeError(`Knob '${name}' is a whole number from ${least} on, not ${value}`);
    }
    if (knob.isPower === true && !Number.isInteger(Math.log2(value))) {
      throw new RangeError(`Knob '${name}' is a power of two, not ${value}`);
    }
  }
  return Object.freeze({ value: (name: KnobName) => values[name] ?? knobs[name].default });
}

/** Value of a knob on a node; ports without knobs have the defaults. */
export function knobOf(ports: { readonly knobs?: Knobs | undefined }, name: KnobName): number {
  return (ports.knobs ?? defaultKnobs).value(name);
}
