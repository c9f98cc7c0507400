/** Planted violations of the model of requests to object stores. */
import { expect, it } from "vitest";
import { storeRequests } from "../../../../sim/checkers/models/store-requests.ts";
import { FabricatedRun } from "./fabricated.ts";

const task = "20260101_000000_00000_aaaaa.1.0.0.0";

/** A task on w1 from 10 to 1,000 ms, with a read from 20 ms on. */
function run(): FabricatedRun {
  return new FabricatedRun(storeRequests)
    .transition(10, "task", task, "PLANNED -> RUNNING", "w1")
    .note(20, "w1", "store-request", "1 s3-get");
}

function over(state = "ABORTED"): FabricatedRun {
  return run().transition(1_000, "task", task, `RUNNING -> ${state}`, "w1");
}

it("accepts requests of tasks, those that end with them, and removals", () => {
  for (const accepted of [
    run().note(5_000, "w1", "store-answer", "1 s3-get"),
    over().note(1_000, "w1", "store-answer", "1 s3-get"),
    over("FINISHED").note(1_300, "w1", "store-answer", "1 s3-get"),
    over().note(1_000, "w1", "store-answer", "1 s3-get").note(9_000, "w1", "store-request", "2 s3-upload-abort"),
    over().note(1_000, "w1", "store-request", "2 s3-upload-list").note(5_000, "w1", "store-request", "3 s3-list"),
    // Another place has a task.
    over().note(1_100, "w1", "store-answer", "1 s3-get").note(9_000, "w2", "store-request", "2 azure-get"),
  ]) {
    expect(accepted.end(10_000).said).toEqual([]);
    expect(accepted.held).toBeGreaterThan(0);
  }
});

it("notices one that goes on, that begins, and that is there at the end", () => {
  expect(over().note(2_000, "w1", "store-answer", "1 s3-get").said).toEqual([
    "store-requests: w1: s3-get was under way 1000 ms after the last query and task there ended",
  ]);
  expect(over().note(1_000, "w1", "store-answer", "1 s3-get").note(1_500, "w1", "store-request", "2 azure-upload-part").said).toEqual([
    "store-requests: w1: azure-upload-part begins 500 ms after the last query and task there ended",
  ]);
  expect(over().note(1_500, "w1", "store-request", "2 s3-list").said).toHaveLength(1);
  expect(over().note(1_000, "w1", "store-request", "2 s3-upload-list").note(999_000, "w1", "store-request", "3 s3-list").said).toHaveLength(
    1,
  );
  expect(over().note(3_000, "w2", "start", "life 2").end(3_000).said).toEqual([
    "store-requests: w1: s3-get is under way at the end 2000 ms after the last query and task there ended",
  ]);
  // A process that dies ends its requests.
  expect(over().note(3_000, "w1", "start", "life 2").end(3_000).said).toEqual([]);
});
