/**
 * Kernels that exceed the limits of V8's compilers still run.
 */
import { describe, expect, it } from "vitest";
import { buildKernel, i32 } from "../../../src/codegen/builder.ts";
import type { Kernel } from "../../../src/codegen/ir.ts";
import { isTooLargeToCompile } from "../../../src/codegen/size.ts";

/** `count` consecutive loops with their own locals; each adds its number of iterations. */
function loops(count: number, rounds: number): Kernel {
  return buildKernel("loops", (kernel) => {
    kernel.entry({ params: [], result: "i32" }, (b) => {
      const sum = b.local("i32", i32.const(0));
      for (let index = 0; index < count; index++) {
        b.forRange(i32.const(0), i32.const(rounds), () => b.set(sum, i32.add(sum, i32.const(1))));
      }
      b.return_(sum);
    });
  });
}

describe("kernels too large to compile", () => {
  it("are those whose locals times jumps are many", () => {
    expect(isTooLargeToCompile(loops(300, 1))).toBe(false);
    expect(isTooLargeToCompile(loops(3000, 1))).toBe(true);
  });
});
