/**
 * Which tasks get remote dynamic filters, and when: after all tasks of a join have reported, once, and all filters of a scan together.
 */
import { describe, expect, test } from "vitest";
import { StageFilters } from "../../../src/coordinator/scheduler/dynamic-filters.ts";
import type { Stage } from "../../../src/coordinator/scheduler/stage.ts";
import type { FilterDomains } from "../../../src/execution/task/api.ts";
import type { FilterDomain } from "../../../src/execution/dynamic-filter/filter-domain.ts";
import { BIGINT } from "../../../src/types/type.ts";

class FakeStageTask {
  readonly told: Record<string, FilterDomain> = {};
  readonly given: FilterDomains[] = [];
  ended = false;

  filterOf(id: string): FilterDomain | undefined {
    return this.told[id] ?? (this.ended ? { kind: "ALL" } : undefined);
  }

  giveFilters(domains: FilterDomains): void {
    this.given.push(domains);
  }
}

type FakeStage = Omit<Stage, "tasks"> & { readonly tasks: readonly FakeStageTask[] };

function stageOf(root: object, tasks: number): FakeStage {
  return { fragment: { root }, tasks: Array.from({ length: tasks }, () => new FakeStageTask()) } as never;
}

const values = { kind: "Values" };
const joinTelling = (...ids: readonly string[]): object => ({
  kind: "Join",
  left: values,
  right: values,
  remoteDynamicFilters: Object.fromEntries(ids.map((id) => [id, { type: BIGINT }])),
});
const scanAwaiting = (...ids: readonly string[]): object => ({ kind: "TableScan", remoteDynamicFilters: ids.map((id) => ({ id })) });
const range = (low: number, high: number): FilterDomain => ({ kind: "INTEGERS", low: String(low), high: String(high) });

function world() {
  const join = stageOf(joinTelling("a", "b"), 2);
  const scan = stageOf(scanAwaiting("a", "b"), 2);
  const other = stageOf(scanAwaiting("a"), 1);
  const filters = new StageFilters([join, scan, other] as never, undefined);
  const [first, second] = join.tasks as [FakeStageTask, FakeStageTask];
  const tell = (task: FakeStageTask, domains: Record<string, FilterDomain>): void => {
    Object.assign(task.told, domains);
    filters.taskChanged(join as never);
  };
  return { join, scan, other, filters, first, second, tell };
}

describe("remote dynamic filters", () => {
  test("are sent when every task of the join has reported: the union, to every task of each scan, once", () => {
    const { scan, other, filters, join, first, second, tell } = world();
    tell(first, { a: range(1, 3), b: { kind: "NONE" } });
    expect([...scan.tasks, ...other.tasks].flatMap(({ given }) => given)).toEqual([]);
    tell(second, { a: range(7, 9) });
    expect(other.tasks.map(({ given }) => given)).toEqual([[{ a: range(1, 9) }]]);
    expect(scan.tasks.flatMap(({ given }) => given)).toEqual([]);
    tell(second, { b: range(4, 5) });
    filters.taskChanged(join as never);
    filters.taskChanged(scan as never);
    expect(scan.tasks.map(({ given }) => given)).toEqual([[{ a: range(1, 9), b: range(4, 5) }], [{ a: range(1, 9), b: range(4, 5) }]]);
    expect(other.tasks.map(({ given }) => given.length)).toEqual([1]);
  });

  test("are unrestricted if a task of the join has ended without a report", () => {
    const { other, filters, join, first, second, tell } = world();
    tell(first, { a: range(1, 3) });
    second.ended = true;
    filters.taskChanged(join as never);
    expect(other.tasks.map(({ given }) => given)).toEqual([[{ a: { kind: "ALL" } }]]);
  });
});
