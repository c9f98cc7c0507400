import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildKernel, type CodeBuilder, f64, i32, i64, type Local } from "../../../src/codegen/builder.ts";
import type { Expr, Kernel } from "../../../src/codegen/ir.ts";
import { backends, makeBench, withMemory } from "../execution/kernels.ts";

const baseBytes = 32;

type Step = {
  readonly base: 0 | 1;
  readonly offset: number;
  readonly does: "i64 add" | "f64 add" | "i32 add" | "byte" | "if odd" | "copy" | "address" | "skip";
};

const arbitrarySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    base: fc.constantFrom(0 as const, 1 as const),
    offset: fc.constantFrom(0, 4, 8, 16),
    does: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom("i64 add" as const, "f64 add" as const, "i32 add" as const, "if odd" as const, "copy" as const),
      },
      { weight: 1, arbitrary: fc.constantFrom("byte" as const, "address" as const, "skip" as const) },
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Parameters: two addresses, rounds. */
function kernelOf(steps: readonly Step[], inLocals: boolean): Kernel {
  return buildKernel("fields", (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32"] }, (b, [first, second, rounds]) => {
      const bases = [first, second];
      const emit = (): void =>
        b.forRange(i32.const(0), rounds, (round, next) => steps.forEach((step) => emitStep(b, bases, step, round, next)));
      if (inLocals) {
        b.fieldsInLocals(bases, emit);
      } else {
        emit();
      }
    });
  });
}

function emitStep(
  b: CodeBuilder,
  bases: readonly Local[],
  { base, offset, does }: Step,
  round: Expr,
  next: { readonly label: number },
): void {
  const at = bases[base] as Local;
  const other = bases[1 - base] as Local;
  const addLong = (): void => b.store("i64.store", at, i64.add(i64.load(at, offset), i64.extendI32U(i32.add(round, i32.const(7)))), offset);
  switch (does) {
    case "i64 add":
      return addLong();
    case "f64 add":
      return b.store("f64.store", at, f64.add(f64.convertI32S(round), f64.abs(f64.load(at, offset))), offset);
    case "i32 add":
      return b.store("i32.store", at, i32.add(i32.load(at, offset), i32.const(3)), offset);
    case "byte":
      return b.store("i32.store8", at, round, offset);
    case "if odd":
      return b.if_(i32.and(round, i32.const(1)), addLong);
    case "copy":
      return b.store("i64.store", at, i64.add(i64.load(other, offset), i64.const(1n)), offset);
    case "address":
      return b.store("i32.store", i32.add(at, i32.const(offset)), i32.load(i32.add(other, i32.const(offset))));
    case "skip":
      return b.break_(next, i32.eq(round, i32.const(2)));
  }
}

describe.each(backends)("fields in locals on %s", (backend) => {
  it("leave memory as code without them does", () => {
    const bench = makeBench(backend);
    let drawn = 0;
    fc.assert(
      fc.property(arbitrarySteps, fc.uint8Array({ minLength: 2 * baseBytes, maxLength: 2 * baseBytes }), (steps, bytes) => {
        withMemory(bench, (memory) => {
          const [plain, withLocals] = [false, true].map((inLocals) => {
            const first = memory.allocate(2 * baseBytes);
            memory.linear.u8.set(bytes, first);
            bench.services.runtime.load(`fields ${drawn++}`, () => kernelOf(steps, inLocals))(first, first + baseBytes, 5);
            return [...memory.linear.u8.subarray(first, first + 2 * baseBytes)];
          });
          expect(withLocals).toEqual(plain);
        });
      }),
      { numRuns: 300 },
    );
  });

  it("that are written once per call leave no store in the loop", () => {
    const kernel = kernelOf([{ base: 0, offset: 8, does: "i64 add" }], true);
    const text = JSON.stringify(kernel.functions[0]?.body, (_, value) => (typeof value === "bigint" ? String(value) : (value as unknown)));
    expect(text.match(/"i64.store"/g)).toHaveLength(1);
  });
});
