/**
 * Which task reads what, and where it runs, written from decision 91 and docs/architecture.md (A deterministic data plane):
 * - The splits of a table are read by the tasks of a stage in turn, split i by task i mod D.
 * - D is the largest power of two of which each task reads (D - 1) times the least rows of a task, up to the limit and the number of
 *   splits. The number of workers does not matter.
 * - The tasks of a stage take the workers in turn.
 * Judged for the generated tables, whose splits are ranges of units.
 */
import { numberProperty } from "../../../properties.ts";
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";

interface Range {
  readonly first: number;
  readonly count: number;
  readonly rows: number;
}

interface Update {
  readonly partition?: number;
  readonly session?: { readonly properties?: Readonly<Record<string, string>> };
  readonly fragment?: { readonly partitioning?: string };
  readonly sources: readonly {
    readonly planNodeId: string;
    readonly noMoreSplits: boolean;
    readonly splits: readonly {
      readonly sequenceId: number;
      readonly split: { readonly catalog?: string; readonly split?: { readonly payload?: Omit<Range, "rows">; readonly rows?: number } };
    }[];
  }[];
}

interface Source {
  readonly ranges: Map<number, Range | undefined>;
  isComplete: boolean;
}

interface Task {
  readonly partition: number;
  readonly place: string;
  readonly session: Readonly<Record<string, string>>;
  /** Whether the stage is spread by its splits; a stage may also be a single task. */
  readonly isSpread: boolean;
  readonly sources: Map<string, Source>;
}

class PlacementModel implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  /** Tasks by query and by the attempt of the stage: `stage/attempt`. */
  readonly #queries = new Map<string, Map<string, Map<string, Task>>>();

  constructor(context: Judged) {
    this.#context = context;
  }

  note({ place }: Note): void {
    if (place === this.#context.plan.coordinator.name) {
      this.#queries.clear();
    }
  }

  observe({ task, to, request, response }: Observed): void {
    if (task?.what !== "task" || request.method !== "POST" || response.status !== 200) {
      return;
    }
    const [queryId = "", stage = "", number = "0"] = task.taskId.split(".");
    const { fragment, partition, session, sources } = readBody(request.body).json() as Update;
    const stages = this.#queries.get(queryId) ?? new Map<string, Map<string, Task>>();
    this.#queries.set(queryId, stages);
    const known = [...stages.values()].find((tasks) => tasks.has(task.taskId))?.get(task.taskId);
    const own = known ?? {
      partition: partition ?? Number(number),
      place: to,
      session: session?.properties ?? {},
      isSpread: fragment?.partitioning === "SOURCE",
      sources: new Map<string, Source>(),
    };
    if (known === undefined) {
      const key = `${stage}/${Number(number) - own.partition}`;
      stages.set(key, (stages.get(key) ?? new Map<string, Task>()).set(task.taskId, own));
    }
    for (const { planNodeId, noMoreSplits, splits } of sources) {
      const source = own.sources.get(planNodeId) ?? { ranges: new Map<number, Range | undefined>(), isComplete: false };
      own.sources.set(planNodeId, source);
      source.isComplete ||= noMoreSplits;
      for (const { sequenceId, split } of splits) {
        const { payload, rows = 0 } = split.split ?? {};
        source.ranges.set(sequenceId, split.catalog === "tpch" && payload !== undefined ? { ...payload, rows } : undefined);
      }
    }
  }

  observeTransition({ kind, id, to }: Transition): void {
    if (kind !== "query" || (to !== "FINISHED" && to !== "FAILED")) {
      return;
    }
    for (const [stage, tasks] of this.#queries.get(id) ?? []) {
      this.#stage(`${id}.${stage}`, [...tasks.values()]);
    }
    this.#queries.delete(id);
  }

  #stage(who: string, tasks: readonly Task[]): void {
    const count = tasks.length;
    const partitions = new Set(tasks.map(({ partition }) => partition));
    if (partitions.size !== count || Math.max(...partitions) !== count - 1) {
      return;
    }
    for (const planNodeId of tasks[0]?.sources.keys() ?? []) {
      const own = tasks.map(({ partition, sources }) => ({ partition, source: sources.get(planNodeId) }));
      const dealt = own.flatMap(({ partition, source }) => [...(source?.ranges.values() ?? [])].map((range) => ({ partition, range })));
      if (dealt.length > 0 && dealt.every(({ range }) => range !== undefined) && own.every(({ source }) => source?.isComplete === true)) {
        const known = dealt as readonly { readonly partition: number; readonly range: Range }[];
        const name = `plan node ${planNodeId} of ${who}`;
        if (!isWhole(known.map(({ range }) => range))) {
          continue;
        }
        this.#dealt(name, known, count);
        if (tasks[0]?.isSpread === true && tasks[0].sources.size === 1) {
          this.#counted(name, { count, session: tasks[0].session, ranges: known.map(({ range }) => range) });
        }
      }
    }
    const readsTables = tasks.some(({ sources }) => [...sources.values()].some(({ ranges }) => [...ranges.values()].includes(undefined)));
    const isMoved = this.#context.troubled() || this.#context.plan.faults.length > 0;
    if (count > 1 && who.endsWith("/0") && !isMoved && !readsTables) {
      const places = new Map<string, number>();
      for (const { place } of tasks) {
        places.set(place, (places.get(place) ?? 0) + 1);
      }
      const counts = [...places.values()];
      this.#context.check(
        Math.max(...counts) - Math.min(...counts) <= 1,
        () =>
          `the ${count} tasks of ${who} are spread over workers as ${[...places].map(([place, tasksOf]) => `${place}: ${tasksOf}`).join(", ")}`,
      );
    }
  }

  /** A limit that is no power of two may be reached, or the power below it. */
  #counted(
    who: string,
    {
      count,
      session,
      ranges,
    }: { readonly count: number; readonly session: Readonly<Record<string, string>>; readonly ranges: readonly Range[] },
  ): void {
    const { properties } = this.#context.plan;
    const rows = ranges.reduce((sum, range) => sum + range.rows, 0);
    const least = Number(session["min_input_rows_per_task"] ?? numberProperty(properties, "optimizer.min-input-rows-per-task"));
    const limit = numberProperty(properties, "query.hash-partition-count");
    const most = Math.min(limit, Number(session["hash_partition_count"] ?? limit), ranges.length);
    const powers = Array.from({ length: 31 }, (_, index) => 2 ** index);
    const deserved = powers.findLast((tasks) => tasks * (tasks - 1) * least <= rows) ?? 1;
    const below = powers.findLast((tasks) => tasks <= most) ?? 1;
    this.#context.check(
      count === Math.min(deserved, most) || count === Math.min(deserved, below),
      () => `${who} is read by ${count} tasks; its ${rows} rows in ${ranges.length} splits deserve ${deserved}, of ${most} allowed`,
    );
  }

  /** A limit of pushed rows or a pruned split leaves gaps; only what is whole is judged. */
  #dealt(who: string, dealt: readonly { readonly partition: number; readonly range: Range }[], count: number): void {
    const inOrder = dealt.toSorted((a, b) => a.range.first - b.range.first);
    const wrong = inOrder.findIndex(({ partition }, index) => partition !== index % count);
    this.#context.check(
      wrong < 0,
      () => `split ${wrong} of ${who} is read by task ${String(inOrder[wrong]?.partition)} of ${count}, not by task ${wrong % count}`,
    );
  }
}

/** Of a query that ended early some tasks were never created, and a pruned split leaves a gap. Only a whole table is judged. */
function isWhole(ranges: readonly Range[]): boolean {
  let end = 0;
  for (const { first, count } of ranges.toSorted((a, b) => a.first - b.first)) {
    if (first !== end) {
      return false;
    }
    end = first + count;
  }
  return true;
}

export const placement: ModelKind = {
  invariant: {
    name: "placement",
    sentence: "Split i of a table is read by task i mod D of its stage, and the tasks of a stage take the workers in turn.",
    kind: "safety",
    checkedIn: "checkers/models/node/placement.ts",
  },
  create: (context) => new PlacementModel(context),
};
