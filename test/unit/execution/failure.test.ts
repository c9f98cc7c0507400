import { describe, expect, test } from "vitest";
import { toFailure, toQueryError } from "../../../src/execution/driver/failure.ts";
import { MemoryLimitExceeded } from "../../../src/memory/memory.ts";
import { QueryError } from "../../../src/protocol/errors.ts";

function overflow(depth: number): number {
  return overflow(depth + 1) + 1;
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("a thrown value becomes", () => {
  test("the failure that it is, with its location", () => {
    const error = new QueryError("COLUMN_NOT_FOUND", "line 1:8: Column 'x' cannot be resolved", { lineNumber: 1, columnNumber: 8 });
    expect(toQueryError(error, "result rows")).toBe(error);
    expect(toFailure(error)).toEqual({
      errorName: "COLUMN_NOT_FOUND",
      message: error.message,
      location: { lineNumber: 1, columnNumber: 8 },
    });
  });

  test("a memory limit with the name of what held the memory", () => {
    const error = new MemoryLimitExceeded("query", 10 * 1024 * 1024, 1);
    expect(toFailure(error, "result rows")).toEqual({
      errorName: "EXCEEDED_LOCAL_MEMORY_LIMIT",
      message: "Query exceeded per-node user memory limit of 10MB [result rows]",
    });
    expect(toFailure(error).message).toBe("Query exceeded per-node user memory limit of 10MB");
  });

  test("a statement that is too large, when the stack did not suffice", () => {
    expect(toFailure(thrownBy(() => overflow(0))).errorName).toBe("COMPILER_ERROR");
  });

  test("a bug of the engine in all other cases, which keeps its cause and hides the platform's words", () => {
    const bug = thrownBy(() => (undefined as unknown as { x: number }).x);
    expect(toFailure(bug)).toEqual({ errorName: "GENERIC_INTERNAL_ERROR", message: "Internal error" });
    expect(toQueryError(bug, undefined).cause).toBe(bug);
    expect(toFailure(new Error("a broken invariant")).message).toBe("a broken invariant");
    expect(toFailure("text").message).toBe("Internal error");
  });
});
