/**
 * Which task reads what, and where it runs, written from decision 91 and docs/architecture.md (A deterministic data plane): the splits of a
 * table are read by the tasks of a stage in turn, split i by task i mod D, so that the order of rows depends on the plan alone; the tasks
 * of a stage take the workers in turn. Judged for the generated tables, whose splits are ranges of units.
 */
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";

interface Range {
  readonly first: number;
  readonly count: number;
}

interface Update {
  readonly partition?: number;
  readonly fragment?: { readonly partitioning?: string };
  readonly sources: readonly {
    readonly planNodeId: string;
    readonly noMoreSplits: boolean;
    readonly splits: readonly {
      readonly sequenceId: number;
      readonly split: { readonly catalog?: string; readonly split?: { readonly payload?: Range } };
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
    const { partition, sources } = readBody(request.body).json() as Update;
    const stages = this.#queries.get(queryId) ?? new Map<string, Map<string, Task>>();
    this.#queries.set(queryId, stages);
    const known = [...stages.values()].find((tasks) => tasks.has(task.taskId))?.get(task.taskId);
    const own = known ?? { partition: partition ?? Number(number), place: to, sources: new Map<string, Source>() };
    if (known === undefined) {
      const key = `${stage}/${Number(number) - own.partition}`;
      stages.set(key, (stages.get(key) ?? new Map<string, Task>()).set(task.taskId, own));
    }
    for (const { planNodeId, noMoreSplits, splits } of sources) {
      const source = own.sources.get(planNodeId) ?? { ranges: new Map<number, Range | undefined>(), isComplete: false };
      own.sources.set(planNodeId, source);
      source.isComplete ||= noMoreSplits;
      for (const { sequenceId, split } of splits) {
        source.ranges.set(sequenceId, split.catalog === "tpch" ? split.split?.payload : undefined);
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
        this.#dealt(`plan node ${planNodeId} of ${who}`, dealt as readonly { readonly partition: number; readonly range: Range }[], count);
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

  /** A limit of pushed rows or a pruned split leaves gaps; only what is whole is judged. */
  #dealt(who: string, dealt: readonly { readonly partition: number; readonly range: Range }[], count: number): void {
    const inOrder = dealt.toSorted((a, b) => a.range.first - b.range.first);
    const isWhole = inOrder.every(({ range }, index) => {
      const before = inOrder[index - 1]?.range;
      return range.first === (before === undefined ? 0 : before.first + before.count);
    });
    const wrong = isWhole ? inOrder.findIndex(({ partition }, index) => partition !== index % count) : -1;
    this.#context.check(
      wrong < 0,
      () => `split ${wrong} of ${who} is read by task ${String(inOrder[wrong]?.partition)} of ${count}, not by task ${wrong % count}`,
    );
  }
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
