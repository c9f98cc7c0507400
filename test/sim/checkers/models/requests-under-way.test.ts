/** Planted violations of the model of requests under way. */
import { describe, expect, it } from "vitest";
import { requestsUnderWay } from "../../../../sim/checkers/models/requests-under-way.ts";
import { FabricatedRun } from "./fabricated.ts";

const task = "/v1/task/q.1.0";
const buffer = `${task}/results/0`;

/** Requests and their ends at these milliseconds: `1 c request m1 c>w1 task-status GET ...`. */
function run(steps: readonly string[]): FabricatedRun {
  const fabricated = new FabricatedRun(requestsUnderWay);
  for (const step of steps) {
    const [at = "", place = "", kind = "", ...detail] = step.split(" ");
    fabricated.note(Number(at), place, kind, detail.join(" "));
  }
  fabricated.end(100);
  return fabricated;
}

const status = `c>w1 task-status GET ${task}/status`;
const info = `c>w1 task-info GET ${task}`;
const fetch = `c>w1 exchange-fetch GET ${buffer}`;
const close = `c>w1 exchange-close DELETE ${buffer}`;
const remove = `c>w1 task-delete DELETE ${task}?abort=true`;
const wait = "w1>c announcement-watch GET /v1/announcement/w1";

describe("the model of requests under way", () => {
  it("accepts requests that follow each other, and those of several purposes", () => {
    for (const accepted of [
      run([`1 c request m1 ${status}`, "2 c answer m1 c>w1 task-status 200", `2 c request m2 ${status}`]),
      run([`1 c request m1 ${status}`, `1 c request m2 ${fetch}/0`, `1 c request m3 ${fetch.replace("results/0", "results/1")}/0`]),
      run([`1 c request m1 ${info}`, `4 c request m2 ${info}`]),
      run([`1 c request m1 ${status}`, "2 c start life 2", `3 c request m2 ${status}`]),
      run([`1 w1 request m1 ${wait}`, "2 w1 network-error m1 w1>c announcement-watch RESET", `2 w1 request m2 ${wait}`]),
    ]) {
      expect(accepted.said).toEqual([]);
    }
  });

  it("accepts a reader and a coordinator that give up their polls", () => {
    const abort = "c network-error";
    const closed = run([`1 c request m1 ${fetch}/3`, `2 c request m2 ${close}`, `2 ${abort} m1 c>w1 exchange-fetch ABORTED`]);
    expect(closed.said).toEqual([]);
    const deleted = run([`1 c request m1 ${status}`, `2 c request m2 ${remove}`, `2 ${abort} m1 c>w1 task-status ABORTED`]);
    expect(deleted.said).toEqual([]);
    expect(deleted.held).toBeGreaterThan(1);
  });

  it.each([
    ["two waits of a worker", [`1 w1 request m1 ${wait}`, `4 w1 request m2 ${wait}`], "while m1, for the same, is under way"],
    ["two polls of a task", [`1 c request m1 ${status}`, `1 c request m2 ${status}?x=1`], "while m1, for the same, is under way"],
    ["a question that is asked twice", [`1 c request m1 ${info}`, `1 c request m2 ${info}`], "while m1, for the same, is under way"],
    ["two pages of a buffer", [`1 c request m1 ${fetch}/0`, `2 c request m2 ${fetch}/1`], "while m1, for the same, is under way"],
    [
      "a poll for pages that is not given up",
      [`1 c request m1 ${fetch}/0`, `2 c request m2 ${close}`, `9 c request m3 ${status}`],
      "is still",
    ],
    ["a poll for a status that is not given up", [`1 c request m1 ${status}`, `2 c request m2 ${remove}`], "is still under way"],
    ["a page of a closed buffer", [`1 c request m1 ${close}`, `2 c request m2 ${fetch}/4`], "after it has closed the buffer"],
    ["a poll for a deleted task", [`1 c request m1 ${remove}`, `2 c request m2 ${status}`], "after the task's deletion"],
  ])("reports %s", (_, steps, sentence) => {
    expect(run(steps).said.join()).toContain(sentence);
  });

  it("does not tell the readers of a buffer apart where a task has run again", () => {
    const rerun = 'log-info task-runs-again {"taskId":"q.2.1","former":"q.2.0","nodeId":"w1"}';
    expect(run([`1 c ${rerun}`, `1 c request m1 ${close}`, `2 c request m2 ${fetch}/4`, `3 c request m3 ${fetch}/4`]).said).toEqual([]);
  });
});
