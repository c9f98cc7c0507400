/** Messages of errors are short, whatever value they quote. */
import { expect, it } from "vitest";
import { clearError, errorBlockBytes, kernelError, writeHostError } from "../../../src/functions/runtime/errors.ts";
import { messageTextOf } from "../../../src/functions/runtime/nested-values.ts";
import { internalErrorText, QueryError } from "../../../src/protocol/errors.ts";
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { arrayType, INTEGER, mapType } from "../../../src/types/type.ts";
import { createWorld } from "../execution/expressions/world.ts";

function messageOf(value: string): string {
  return new QueryError("INVALID_CAST_ARGUMENT", `Cannot cast '${value}' to INT`).message;
}

it("keeps the beginning and the end of a long message, and says how much it leaves out", () => {
  const short = "x".repeat(1_300 - "Cannot cast '' to INT".length);
  expect(messageOf(short)).toBe(`Cannot cast '${short}' to INT`);
  const long = messageOf("x".repeat(64_000_000));
  expect(long).toBe(`Cannot cast '${"x".repeat(987)}... (63998821 characters left out) ...${"x".repeat(192)}' to INT`);
  expect(new QueryError("GENERIC_USER_ERROR", long).message).toBe(long);
  expect(internalErrorText(new Error("x".repeat(5_000)))).toHaveLength(1_234);
});

it("does not split a pair of surrogates", () => {
  for (const before of ["", "a"]) {
    const message = messageOf(before + "😀".repeat(5_000));
    expect(Buffer.from(message).toString()).toBe(message);
  }
});

it("keeps the place of a syntax error", () => {
  expect(() => parseStatement(`SELECT 1 ${'"y" "'}${"x".repeat(1_000_000)}"`)).toThrow(
    /^line 1:14: mismatched input.*x\.\.\. \(\d+ characters/,
  );
});

it("keeps both ends in the error block of a kernel, also of characters of three bytes", () => {
  const { linear } = createWorld().wasm;
  const block = linear.u8.length - errorBlockBytes;
  clearError(linear, block);
  const error = new QueryError("INVALID_CAST_ARGUMENT", `Cannot cast '${"€".repeat(5_000)}' to INT`);
  writeHostError(linear, block, error);
  expect(kernelError(linear, block).message).toBe(error.message);
});

it("shows the first elements of a long value", () => {
  const numbers = Array.from({ length: 5_000 }, (_, index) => index);
  expect(messageTextOf(arrayType(INTEGER), numbers)).toBe(`[${numbers.slice(0, 1_000).join(", ")}, ...]`);
  expect(messageTextOf(mapType(INTEGER, arrayType(INTEGER)), [[1, [2, 3]]])).toBe("{1=[2, 3]}");
});
