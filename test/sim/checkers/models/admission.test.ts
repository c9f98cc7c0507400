/** Planted violations of the model of admission. */
import { describe, expect, it } from "vitest";
import { admission } from "../../../../sim/checkers/models/admission.ts";
import { groupsOfUser } from "../../../../sim/checkers/models/groups.ts";
import type { Judged } from "../../../../sim/checkers/models/model.ts";
import type { RunPlan } from "../../../../sim/plan.ts";
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
    expect(full().starts(3, "b").said).toEqual(["admission: 2 queries of global run after b became PLANNING, and at most 1 may"]);
  });

  it("reports more queries than may wait", () => {
    expect(full().submits(3, "c").said.join()).toContain("3 queries of global wait or run after c was accepted");
  });

  it("reports a refusal although there is room", () => {
    const queue = new Queue().submits(1, "a").starts(1, "a").submits(2, "b", "QUERY_QUEUE_FULL");
    expect(queue.run.look(3_000).said.join()).toContain("b was refused although no queue of global was full");
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

  it("lets a query with a slot wait for its turn", () => {
    const waits = (ms: number): string => {
      const run = new FabricatedRun(admission, { knobs: { "starting-queries": 1, "start-turn-ms": 5_000 } });
      run.transition(1, "query", "a", "QUEUED -> PLANNING");
      run.answer(2, "/v1/statement", { method: "POST", body: { id: "b" } });
      for (let at = 1_000; at <= ms; at += 500) {
        run.answer(at, "/v1/info");
      }
      return run.said.join();
    };
    expect(waits(6_000)).toBe("");
    expect(waits(7_000)).toContain("b waits although there has been a slot in global for 1500 ms");
  });

  it("reports a query that has its turn late", () => {
    const starts = (ms: number, id: string, arrivedMs = ms): ((run: FabricatedRun) => void) => {
      return (run) => {
        run.transition(ms, "query", id, "QUEUED -> PLANNING");
        run.answer(ms, "/v1/statement", { method: "POST", body: { id }, arrivedMs });
      };
    };
    const said = (ms: number, changed: Partial<RunPlan> = {}): string => {
      const run = new FabricatedRun(admission, { knobs: { "starting-queries": 1, "start-turn-ms": 100 }, ...changed });
      starts(10, "a")(run);
      run.transition(20, "query", "a", "PLANNING -> FINISHED");
      starts(ms, "b", 15)(run);
      return run.said.join();
    };
    expect(said(60)).toBe("");
    expect(said(70)).toBe("admission: b had its turn 45 ms late: it had its slot, and a turn was free");
    // It may have waited for its slot.
    expect(said(70, { properties: { "query.max-concurrent-queries": "1" } })).toBe("");
    expect(said(70, { points: { "query-admitted-late": 20 } })).toBe("");
  });

  it("allows a query that was held back to be behind in the queue for turns, as long as turns are taken", () => {
    const said = (countMax: number): string => {
      const run = new FabricatedRun(admission, { knobs: { "starting-queries": countMax, "start-turn-ms": 2_000 } });
      run.transition(1, "query", "a", "QUEUED -> PLANNING");
      run.answer(2, "/v1/statement", { method: "POST", body: { id: "b" } }).note(2, "c", "point", "query-admitted-late");
      run.answer(3, "/v1/statement", { method: "POST", body: { id: "c" } });
      run.transition(1_500, "query", "a", "PLANNING -> FINISHED");
      return run.transition(1_500, "query", "c", "QUEUED -> PLANNING").transition(1_501, "query", "b", "QUEUED -> PLANNING").said.join();
    };
    expect(said(1)).toBe("");
    expect(said(9)).toContain("c got a slot before b");
  });

  it("reports a slot that is lost", () => {
    const queue = full().ends(3, "a").looks(500);
    expect(queue.said).toEqual([]);
    expect(queue.looks(2_000).said.join()).toContain("b waits although there has been a slot in global for 1997 ms");
  });
});

describe("the model of admission with resource groups", () => {
  const limits = { hardConcurrencyLimit: 2, maxQueued: 100 };

  /** Queries q1, q2 and so on of these users, with a slot for each that is named in `admitted`, in that order, when q1 has ended. */
  function told(
    policy: "fair" | "weighted_fair" | "query_priority",
    users: readonly (readonly [user: string, priority: number])[],
    admitted: readonly string[],
    { knobs = {}, hardConcurrencyLimit = 2 }: { readonly knobs?: RunPlan["knobs"]; readonly hardConcurrencyLimit?: number } = {},
  ): string {
    const each = { ...limits, hardConcurrencyLimit };
    const run = new FabricatedRun(admission, {
      knobs,
      resourceGroups: {
        rootGroups: [
          {
            name: "all",
            hardConcurrencyLimit: 1,
            maxQueued: 100,
            schedulingPolicy: policy,
            subGroups: [
              { ...each, name: "odd", softConcurrencyLimit: 1, schedulingWeight: 3, schedulingPolicy: "query_priority" },
              { ...each, name: "even", softConcurrencyLimit: 1, schedulingPolicy: "query_priority" },
            ],
          },
        ],
        selectors: [{ user: ".*[13]", group: "all.odd" }, { group: "all.even" }],
      },
    });
    run.transition(1, "query", "q1", "QUEUED -> PLANNING");
    for (const [index, [user, priority]] of users.entries()) {
      const sentHeaders = { "x-trino-user": user, "x-trino-session": `query_priority=${priority}` };
      run.answer(2 + index, "/v1/statement", { method: "POST", body: { id: `q${index + 1}` }, sentHeaders });
    }
    let last = "q1";
    for (const [index, id] of admitted.entries()) {
      run.transition(500 + index, "query", last, "PLANNING -> FINISHED");
      run.transition(500 + index, "query", id, "QUEUED -> PLANNING");
      last = id;
    }
    return run.said.join();
  }

  it("accepts queries of greater priority first, and equal ones in the order of their arrival", () => {
    const users = [
      ["u1", 1],
      ["u1", 1],
      ["u3", 2],
      ["u1", 1],
    ] as const;
    expect(told("query_priority", users, ["q3", "q2", "q4"])).toBe("");
    expect(told("query_priority", users, ["q2", "q3", "q4"])).toContain("q2 got a slot before q3, which goes before it in all.odd");
    expect(told("query_priority", users, ["q3", "q4", "q2"])).toContain("q4 got a slot before q2");
    // It may have had its slot, and waited for its turn since, before the one of greater priority came. Equal ones stay in their order.
    const turns = { knobs: { "starting-queries": 1, "start-turn-ms": 1_000 } };
    expect(told("query_priority", users, ["q2", "q3", "q4"], turns)).toBe("");
    expect(told("query_priority", users, ["q3", "q4", "q2"], turns)).toContain("q4 got a slot before q2");
  });

  it("reports a group that gets a slot although it is the turn of another one", () => {
    const users = [
      ["u1", 1],
      ["u2", 1],
      ["u3", 2],
    ] as const;
    expect(told("query_priority", users, ["q3", "q2"])).toBe("");
    expect(told("query_priority", users, ["q2", "q3"])).toContain(
      "q2 of all.even got a slot of all although it was the turn of q3 of all.odd",
    );
    expect(told("fair", users, ["q2", "q3"])).toBe("");
  });

  it("reports a group that gets two slots while another one waits, if they take turns", () => {
    const users = [
      ["u2", 1],
      ["u1", 1],
      ["u1", 1],
      ["u2", 1],
    ] as const;
    expect(told("fair", users, ["q2", "q4", "q3"])).toBe("");
    expect(told("fair", users, ["q2", "q3", "q4"])).toContain("q3 of all.odd got a slot of all although it was the turn of q4 of all.even");
  });

  it("reports a group that keeps its turn while it has as many as it may", () => {
    const users = [
      ["u1", 1],
      ["u1", 1],
      ["u2", 1],
    ] as const;
    expect(told("fair", users, ["q3", "q2"], { hardConcurrencyLimit: 1 })).toBe("");
    expect(told("fair", users, ["q2", "q3"], { hardConcurrencyLimit: 1 })).toContain("although it was the turn of q3 of all.even");
    // With room for a second one it had its turn from the start.
    expect(told("fair", users, ["q2", "q3"])).toBe("");
  });

  const startedAfter = (ms: number, stats: object): string => {
    const group = { ...limits, name: "all", hardCpuLimit: "500ms", softCpuLimit: "500ms", hardPhysicalDataScanLimit: "1000B" };
    const run = new FabricatedRun(admission, {
      resourceGroups: {
        rootGroups: [group],
        selectors: [{ group: "all" }],
        cpuQuotaPeriod: "1s",
        physicalDataScanQuotaPeriod: "1s",
      },
    });
    const submit = (at: number, id: string): FabricatedRun =>
      run.answer(at, "/v1/statement", { method: "POST", body: { id }, sentHeaders: { "x-trino-user": "u1" } });
    submit(1, "a").transition(1, "query", "a", "QUEUED -> PLANNING").transition(101, "query", "a", "PLANNING -> FINISHED");
    run.answer(102, "/v1/statement/a/1", { body: { id: "a", stats: { state: "FINISHED", ...stats } } });
    submit(103, "b").transition(101 + ms, "query", "b", "QUEUED -> PLANNING");
    return run.said.join();
  };

  it("reports a query that starts in a group above its CPU limit, without what has come back", () => {
    expect(startedAfter(400, { cpuTimeMillis: 500 })).toBe("");
    expect(startedAfter(1_400, { cpuTimeMillis: 1_000 })).toBe("");
    expect(startedAfter(400, { cpuTimeMillis: 1_000 })).toContain(
      "b got a slot of all, which had used 725000000 of 500000000 that had not come back",
    );
  });

  it("reports a query that starts in a group that has scanned more than it may, without what has come back", () => {
    expect(startedAfter(400, { physicalInputBytes: 1_000 })).toBe("");
    expect(startedAfter(1_400, { physicalInputBytes: 2_000 })).toBe("");
    expect(startedAfter(400, { physicalInputBytes: 2_000 })).toContain(
      "b got a slot of all, which had used 1450 of 1000 that had not come back",
    );
  });

  it("reports a query that waits although its group runs none and all of its CPU time has come back", () => {
    const waitsUntil = (ms: number): string => {
      const group = { ...limits, name: "all", hardCpuLimit: "500ms", softCpuLimit: "500ms" };
      const run = new FabricatedRun(admission, {
        resourceGroups: { rootGroups: [group], selectors: [{ group: "all" }], cpuQuotaPeriod: "1s" },
      });
      const submit = (at: number, id: string): FabricatedRun =>
        run.answer(at, "/v1/statement", { method: "POST", body: { id }, sentHeaders: { "x-trino-user": "u1" } });
      // On three nodes it has used 3 s of CPU time at most, of which half a second comes back in a second.
      submit(1, "a").transition(1, "query", "a", "QUEUED -> PLANNING").transition(1_001, "query", "a", "PLANNING -> FINISHED");
      submit(1_002, "b");
      for (let at = 2_000; at <= ms; at += 500) {
        run.answer(at, "/v1/info");
      }
      return run.said.join();
    };
    expect(waitsUntil(7_000)).toBe("");
    expect(waitsUntil(8_500)).toContain("b waits although there has been a slot in all for");
  });

  it("counts each group, and each group of a user, by itself", () => {
    const groups = groupsOfUser({
      properties: {},
      resourceGroups: {
        rootGroups: [{ name: "all", hardConcurrencyLimit: 3, maxQueued: 5, subGroups: [{ ...limits, name: "of-${USER}" }] }],
        selectors: [{ group: "all.of-${USER}" }],
      },
    });
    expect(groups("u1").map(({ id, queuedMax, runningMax, softMax }) => [id, queuedMax, runningMax, softMax])).toEqual([
      ["all", 5, 3, 3],
      ["all.of-u1", 100, 2, 2],
    ]);
  });
});
