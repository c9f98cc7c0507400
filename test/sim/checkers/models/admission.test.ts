/** Planted violations of the model of admission. */
import { describe, expect, it } from "vitest";
import { admission } from "../../../../sim/checkers/models/admission.ts";
import type { Judged } from "../../../../sim/checkers/models/model.ts";
import { FabricatedRun } from "./fabricated.ts";

const properties = { "query.max-concurrent-queries": "1", "query.max-queued-queries": "1" };

class Queue {
  readonly run = new FabricatedRun(admission, { properties });

  submits(ms: number, id: string, errorName?: string): this {
    const body = { id, stats: { state: "QUEUED" }, ...(errorName === undefined ? {} : { error: { errorName } }) };
    this.run.answer(ms, "/v1/statement", { method: "POST", body });
    return this;
  }

  goes(ms: number, id: string, change: string): this {
    this.run.transition(ms, "query", id, change);
    return this;
  }

  starts(ms: number, id: string): this {
    return this.goes(ms, id, "QUEUED -> PLANNING");
  }

  ends(ms: number, id: string): this {
    return this.goes(ms, id, "PLANNING -> FINISHED");
  }

  looks(ms: number): this {
    this.run.answer(ms, "/v1/info");
    return this;
  }

  get said(): readonly string[] {
    return this.run.said;
  }
}

const full = (): Queue => new Queue().submits(1, "a").starts(1, "a").submits(2, "b");

/** What is said of a query that became something with two of three required workers, or with all of them. */
function withWorkers(count: number, change: string): string {
  const required = { ...properties, "query-manager.required-workers": "3" };
  const workers = Array.from({ length: count }, () => ({}));
  const node = (): unknown => ({ cluster: { activeWorkers: () => workers } });
  const run = new FabricatedRun(admission, { properties: required }, { node: node as unknown as Judged["node"] });
  return run.transition(1, "query", "a", change).said.join();
}

describe("the model of admission", () => {
  it("lets a query wait for workers exactly while there are too few", () => {
    const [waits, goesOn, begins] = ["QUEUED -> WAITING_FOR_RESOURCES", "WAITING_FOR_RESOURCES -> PLANNING", "QUEUED -> PLANNING"] as const;
    expect([withWorkers(2, waits), withWorkers(3, goesOn), withWorkers(3, begins)]).toEqual(["", "", ""]);
    expect(withWorkers(3, waits)).toContain("WAITING_FOR_RESOURCES with 3 active workers, of 3");
    expect(withWorkers(2, goesOn)).toContain("PLANNING with 2 active workers, of 3");
    expect(withWorkers(2, begins)).toContain("PLANNING with 2 active workers, of 3");
  });

  it("accepts a queue that is first in, first out, and refuses what is too much", () => {
    const queue = full()
      .goes(3, "c", "QUEUED -> FAILED")
      .submits(3, "c", "QUERY_QUEUE_FULL")
      .ends(9_000, "a")
      .starts(9_000, "b")
      .ends(9_500, "b");
    queue.run.look(3_000);
    expect(queue.looks(30_000).said).toEqual([]);
    expect(queue.run.held).toBeGreaterThan(5);
  });

  it("accepts a query that leaves the queue because it ended", () => {
    expect(full().goes(3, "b", "QUEUED -> FAILED").submits(4, "c").ends(5, "a").starts(5, "c").said).toEqual([]);
  });

  it("reports more queries than may run", () => {
    expect(full().starts(3, "b").said).toEqual(["admission: 2 queries run after b became PLANNING, and at most 1 may"]);
  });

  it("reports more queries than may wait", () => {
    expect(full().submits(3, "c").said.join()).toContain("3 queries wait or run after c was accepted");
  });

  it("reports a refusal although there is room", () => {
    const queue = new Queue().submits(1, "a").starts(1, "a").submits(2, "b", "QUERY_QUEUE_FULL");
    expect(queue.run.look(3_000).said.join()).toContain("b was refused although fewer than 1 queries waited");
  });

  it("reports a query that overtakes another, also if the order is known later", () => {
    const wide = { properties: { "query.max-concurrent-queries": "1" } };
    const queue = (): FabricatedRun => new FabricatedRun(admission, wide).transition(1, "query", "a", "QUEUED -> PLANNING");
    const submit = (run: FabricatedRun, ms: number, id: string, arrivedMs: number): FabricatedRun =>
      run.answer(ms, "/v1/statement", { method: "POST", body: { id }, arrivedMs });
    const known = submit(submit(queue(), 2, "b", 2), 3, "c", 3).transition(4, "query", "a", "PLANNING -> FINISHED");
    expect(known.transition(4, "query", "c", "QUEUED -> PLANNING").said.join()).toContain("c got a slot before b");
    const later = submit(queue(), 2, "b", 2)
      .transition(4, "query", "a", "PLANNING -> FINISHED")
      .transition(4, "query", "c", "QUEUED -> PLANNING");
    expect(submit(later, 5, "c", 3).said.join()).toContain("c got a slot before b");
  });

  it("reports a slot that is lost", () => {
    const queue = full().ends(3, "a").looks(500);
    expect(queue.said).toEqual([]);
    expect(queue.looks(2_000).said.join()).toContain("1 queries wait although 0 of 1 slots have been in use");
  });
});
