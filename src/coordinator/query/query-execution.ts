/** The stages of a query that runs or has run, with their tasks, and which stage reads which. */
import type { Knobs } from "../../ports/knobs.ts";
import { addWarnings, partialResultWarning, type Warning } from "../../protocol/documents/warnings.ts";
import { assert } from "../../protocol/errors.ts";
import { sourceFragmentsOf } from "../../planner/fragmenter/fragment-walk.ts";
import { StageFilters } from "../scheduler/dynamic-filters.ts";
import type { Stage } from "../scheduler/stage.ts";
import type { StageTask } from "../scheduler/stage-task.ts";

export class QueryExecution {
  /** In the order of the fragments: stage 0 first. */
  readonly stages: readonly Stage[];
  /** The stages that each stage reads, in order. #readers is the reverse. */
  readonly #children = new Map<Stage, readonly Stage[]>();
  readonly #readers = new Map<Stage, readonly Stage[]>();

  readonly filters: StageFilters;
  #cutWarnings: readonly Warning[] = [];

  constructor(stages: readonly Stage[], knobs?: Knobs) {
    this.stages = stages;
    this.filters = new StageFilters(stages, knobs);
    for (const stage of stages) {
      const children = sourceFragmentsOf(stage.fragment).flatMap((id) => this.stage(id) ?? []);
      this.#children.set(stage, children);
      for (const child of children) {
        this.#readers.set(child, [...this.readersOf(child), stage]);
      }
    }
  }

  get root(): Stage {
    const root = this.stages[0];
    assert(root !== undefined && root.fragment.id === 0, "a query has a stage 0");
    return root;
  }

  get tasks(): readonly StageTask[] {
    return this.stages.flatMap((stage) => stage.tasks);
  }

  stage(number: number): Stage | undefined {
    return this.stages.find((stage) => stage.fragment.id === number);
  }

  /** The stages that this stage reads. */
  childrenOf(stage: Stage): readonly Stage[] {
    return this.#children.get(stage) ?? [];
  }

  /** The stages that read it. */
  readersOf(stage: Stage): readonly Stage[] {
    return this.#readers.get(stage) ?? [];
  }

  /** The stages that this stage reads and no earlier stage reads, so that documents show and count each stage once. */
  subStagesOf(stage: Stage): readonly Stage[] {
    return this.childrenOf(stage).filter((child) => this.readersOf(child)[0] === stage);
  }

  /** A stage was ended early, so the rows of the query depend on time. */
  get isCut(): boolean {
    return this.#cutWarnings.length > 0;
  }

  /** One warning for each stage that was ended early. */
  get cutWarnings(): readonly Warning[] {
    return this.#cutWarnings;
  }

  /** Ends a stage early: the query continues with the rows it has. */
  cancelStage(stage: Stage): void {
    if (!stage.done) {
      const warning = partialResultWarning(`Stage ${stage.stageId} was canceled: rows may be missing from the result`);
      this.#cutWarnings = addWarnings(this.#cutWarnings, [warning]);
      for (const task of stage.tasks) {
        task.finishEarly();
      }
    }
  }

  /** Ends all tasks. Resolves when their nodes have forgotten them, as far as these can be reached. */
  async ended(kind: "cancel" | "abort"): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.end(kind)));
  }
}
