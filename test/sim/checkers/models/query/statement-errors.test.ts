/** Planted violations of the model of the texts of errors. */
import { describe, expect, it } from "vitest";
import { statementErrors } from "../../../../../sim/checkers/models/statement/errors.ts";
import { FabricatedRun } from "../fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const properties = {
  "query.max-run-time": "20s",
  "exchange.max-error-duration": "10s",
  "query.max-scan-physical-bytes": "4kB",
};

/** A query with a session of its own fails with this error. */
function said(errorName: string, message: string, more: Readonly<Record<string, unknown>> = {}): string {
  const run = new FabricatedRun(statementErrors, { properties });
  const sentHeaders = {
    "x-trino-user": "u",
    "x-trino-session": "query_max_run_time=5s,query_max_scan_physical_bytes=2kB,query_max_memory=1MB",
  };
  run.answer(1, "/v1/statement", { method: "POST", sent: "SELECT 1", sentHeaders, body: { id } });
  const { failureInfo = {}, ...others } = more;
  const error = { errorName, message, failureInfo: { message, ...others, ...(failureInfo as object) }, ...others };
  run.answer(9, `/v1/statement/${id}/1?slug=x`, { sentHeaders, body: { id, error } });
  expect(run.held + run.said.length).toBeGreaterThan(2);
  return run.said.join();
}

const tooMany = (uri: string, count: number, lasted: string): string =>
  "Encountered too many errors talking to a worker node. The node may have crashed or be under too much load. This is probably a transient " +
  `issue, so please retry your query in a few minutes. (${uri} - ${count} failures, failure duration ${lasted}, total failed request time 9.00s)`;
const buffer = "http://w1:8080/v1/task/q.1.0/results/0";

describe("the model of the texts of errors", () => {
  it.each([
    ["EXCEEDED_TIME_LIMIT", "Query exceeded maximum time limit of 5.00s"],
    ["EXCEEDED_TIME_LIMIT", "Query exceeded maximum time limit of 20.00s"],
    ["EXCEEDED_SCAN_LIMIT", "Exceeded scan limit of 2kB"],
    ["EXCEEDED_GLOBAL_MEMORY_LIMIT", "Query exceeded distributed user memory limit of 1MB"],
    ["EXCEEDED_LOCAL_MEMORY_LIMIT", "Query exceeded per-node user memory limit of 32MB [operator AggregationOperator 1.50MB]"],
    ["ABANDONED_QUERY", `Query ${id} has not been accessed since 2026-01-01T00:00:00.000Z: currentTime 2026-01-01T00:00:30.000Z`],
    ["PAGE_TRANSPORT_TIMEOUT", tooMany(buffer, 3, "10.50s")],
    ["EXCEEDED_LOCAL_MEMORY_LIMIT", "Query exceeded per-node user memory limit of 64MB [operators of the task]"],
    ["EXCEEDED_LOCAL_MEMORY_LIMIT", "Memory limit [1048576] for memory connector exceeded"],
    ["ABANDONED_TASK", "Task q.1.0 has not been accessed since 2026-01-01T00:00:00.000Z"],
    ["DIVISION_BY_ZERO", "Division by zero"],
  ])("allows %s: %s", (errorName, message) => {
    expect(said(errorName, message)).toBe("");
  });

  it.each([
    ["USER_CANCELED", "Query was cancelled"],
    ["QUERY_QUEUE_FULL", 'Too many queued queries for ""'],
    ["EXCEEDED_TIME_LIMIT", "Query exceeded maximum time limit of 6.00s"],
    ["EXCEEDED_SCAN_LIMIT", "Exceeded scan limit of 3kB"],
    ["EXCEEDED_GLOBAL_MEMORY_LIMIT", "Query exceeded distributed user memory limit of 2MB"],
    ["EXCEEDED_LOCAL_MEMORY_LIMIT", "Query exceeded per-node user memory limit of undefined"],
    ["EXCEEDED_LOCAL_MEMORY_LIMIT", "Query exceeded per-node user memory limit of 64MB [operator undefined NaNB]"],
    ["ABANDONED_QUERY", "Query q has not been accessed since 2026-01-01T00:00:00.000Z: currentTime 2026-01-01T00:00:30.000Z"],
    ["ABANDONED_QUERY", `Query ${id} has not been accessed since 2026-01-01T00:00:31.000Z: currentTime 2026-01-01T00:00:30.000Z`],
    ["PAGE_TRANSPORT_TIMEOUT", tooMany(buffer, 2, "10.50s")],
    ["PAGE_TRANSPORT_TIMEOUT", tooMany(buffer, 3, "9.50s")],
    ["PAGE_TRANSPORT_TIMEOUT", tooMany("http://w9:8080/v1/task/q.1.0/results/0", 3, "10.50s")],
    ["REMOTE_HOST_GONE", "The node is gone: http://w9:8080/v1/task/q.1.0"],
  ])("speaks of %s: %s", (errorName, message) => {
    expect(said(errorName, message)).toContain(`${id} failed`);
  });

  it("speaks of another place, or another text in the failure", () => {
    const errorLocation = { lineNumber: 1, columnNumber: 8 };
    expect(said("COLUMN_NOT_FOUND", "line 1:8: Column 'x' cannot be resolved", { errorLocation })).toBe("");
    expect(said("COLUMN_NOT_FOUND", "line 1:9: Column 'x' cannot be resolved", { errorLocation })).toContain("at {");
    expect(said("COLUMN_NOT_FOUND", "line 1:8: Column 'x' cannot be resolved")).toContain("at undefined");
    expect(said("COLUMN_NOT_FOUND", "Column 'x' cannot be resolved", { errorLocation })).toContain("at {");
    expect(said("DIVISION_BY_ZERO", "Division by zero", { failureInfo: { message: "by zero" } })).toContain("says something else");
    const failureInfo = { errorLocation: { lineNumber: 2, columnNumber: 8 } };
    expect(said("SYNTAX_ERROR", "line 1:8: mismatched input", { errorLocation, failureInfo })).toContain("says something else");
  });
});
