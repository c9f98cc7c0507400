/** Planted violations of the model of timers. */
import { describe, expect, it } from "vitest";
import { timers } from "../../../../../sim/checkers/models/timers.ts";
import { FabricatedRun } from "../fabricated.ts";

function run(): FabricatedRun {
  return new FabricatedRun(timers);
}

const status = "/v1/task/q.1.0/status";

describe("the model of timers", () => {
  it.each([
    ["task-request-backoff", "c", "answer", "m1 c>w1 task-status 503"],
    ["task-request-backoff", "c", "network-error", "m1 c>w1 task-delete TIMEOUT"],
    ["exchange-retry", "w1", "network-error", "m1 w1>w2 exchange-fetch CONNECTION_RESET"],
    ["exchange-retry", "w1", "point", "exchange-forgets-an-answer"],
    ["exchange-close", "w1", "answer", "m1 w1>w2 exchange-fetch 200"],
    ["exchange-close", "w1", "answer", "m1 w1>w2 exchange-fetch 204"],
    ["task-splits", "c", "answer", "m1 c>w1 task-splits 200"],
    ["task-follow", "c", "answer", "m1 c>w1 task-update 200"],
    ["task-follow", "c", "answer", "m1 c>w1 task-status 200"],
    ["announcement", "w1", "answer", "m1 w1>c announcement 200"],
    ["query-enforcement", "c", "serve", "m1 u1>c statement-poll GET /v1/statement/q/1"],
  ])("lets %s of %s fire once for each %s %s", (timer, place, kind, detail) => {
    const more = timer === "announcement" ? 1 : 0;
    const known = run();
    for (let reason = 0; reason < 3; reason++) {
      known.note(10, place, kind, detail);
    }
    for (let fired = 0; fired < 3 + more; fired++) {
      known.note(60, place, "timer", timer);
    }
    expect(known.said).toEqual([]);
    expect(known.note(70, place, "timer", timer).said.join()).toContain("more often than it has reasons");
  });

  it("has no reason in a request that was aborted, or answered", () => {
    const aborted = run().note(10, "c", "network-error", "m1 c>w1 task-status ABORTED").note(60, "c", "timer", "task-request-backoff");
    expect(aborted.said.join()).toContain("task-request-backoff of c fires more often");
    const answered = run().note(10, "w1", "answer", "m1 w1>w2 exchange-fetch 200").note(60, "w1", "timer", "exchange-retry");
    expect(answered.said.join()).toContain("exchange-retry of w1 fires more often");
    const refused = run().note(10, "w1", "answer", "m1 w1>w2 exchange-fetch 503").note(60, "w1", "timer", "exchange-close");
    expect(refused.said.join()).toContain("exchange-close of w1 fires more often");
  });

  it("forgets the reasons of a former incarnation", () => {
    const restarted = run().note(10, "c", "answer", "m1 c>w1 task-status 503").note(20, "c", "start", "life 2");
    expect(restarted.note(60, "c", "timer", "task-request-backoff").said).not.toEqual([]);
  });

  it("wants a poll to be answered when its timer fires", () => {
    const answered = run().note(10, "w1", "timer", "task-long-poll").answer(10, status, { from: "c", to: "w1" });
    answered.note(20, "w1", "timer", "buffer-read").answer(20, "/v1/task/q.1.0/results/0/0", { from: "w2", to: "w1" });
    expect(answered.note(30, "w1", "timer", "task-long-poll").note(30, "w1", "timer", "buffer-read").said).toEqual([]);
    const left = run().note(10, "w1", "timer", "task-long-poll").answer(15, status, { from: "c", to: "w1" });
    expect(left.note(30, "w1", "timer", "task-long-poll").said.join()).toContain("fired 20.0 ms ago, and no status was answered then");
  });

  it("lets the timer of a query that is finishing fire only then", () => {
    const finishing = run().transition(10, "query", "q", "RUNNING -> FINISHING");
    expect(finishing.note(500, "c", "timer", "query-settle").said).toEqual([]);
    finishing.transition(510, "query", "q", "FINISHING -> FINISHED");
    expect(finishing.note(520, "c", "timer", "query-settle").said.join()).toContain("while no query is finishing");
  });
});
