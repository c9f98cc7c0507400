/**
 * The emitter and the interpreter produce the same results, memory and traps for random kernels. NaNs are canonicalized wherever their bits
 * could be observed, as in every kernel of the engine.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CodeBuilder,
  buildKernel,
  f32,
  f64,
  type FunctionRef,
  i32,
  i64,
  i8x16,
  type KernelBuilder,
  type Label,
  type Local,
  select,
  v128,
} from "../../../src/codegen/builder.ts";
import type { BinaryOp, Expr, Kernel, KernelValue, LoadOp, StoreOp, UnaryOp, ValueType } from "../../../src/codegen/ir.ts";
import { binaryOps, loadOps, storeOps, unaryOps } from "../../../src/codegen/ops.ts";
import { backends, newRuntime, outcomeOf, type Outcome } from "./run.ts";

/** Types that cross to TypeScript. */
type NumberType = Exclude<ValueType, "v128">;
const numberTypes: readonly NumberType[] = ["i32", "i64", "f32", "f64"];
const valueTypes: readonly ValueType[] = [...numberTypes, "v128"];
const windowStart = 4096;
const windowBytes = 1024;
const memoryBytes = 65536;

/** A deterministic source of choices. fast-check draws nothing else, so it can shrink them. */
class Choices {
  #at = 0;
  constructor(private readonly draws: readonly number[]) {}
  next(bound: number): number {
    const draw = this.draws[this.#at % this.draws.length] as number;
    this.#at++;
    return Math.abs(Math.imul(draw ^ (this.#at * 0x9e3779b1), 0x85ebca6b) >>> 3) % bound;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.next(items.length)] as T;
  }
  get exhausted(): boolean {
    return this.#at > this.draws.length * 4;
  }
}

const i32Values = [0, 1, -1, 2, 7, 31, 32, 33, 255, 256, 65535, 0x7fffffff, -0x80000000, 0x12345678, -1000];
const i64Values = [
  0n,
  1n,
  -1n,
  2n,
  63n,
  64n,
  255n,
  1n << 31n,
  -(1n << 31n),
  (1n << 53n) + 1n,
  (1n << 63n) - 1n,
  -(1n << 63n),
  0x123456789abcdef0n,
];
const floatValues = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  0.1,
  1e10,
  -1e10,
  1e30,
  2 ** 31,
  -(2 ** 31),
  2 ** 63,
  -(2 ** 63),
  2 ** 53,
  1e-40,
  5e-324,
  Infinity,
  -Infinity,
  NaN,
];

const unaryByResult = groupByResult(Object.keys(unaryOps) as UnaryOp[], (op) => unaryOps[op].to);
const binaryByResult = groupByResult(Object.keys(binaryOps) as BinaryOp[], (op) => binaryOps[op].to);
const loadsByResult = groupByResult(Object.keys(loadOps) as LoadOp[], (op) => loadOps[op].type);
const stores = Object.keys(storeOps) as StoreOp[];

function groupByResult<Op>(ops: readonly Op[], resultOf: (op: Op) => ValueType): Readonly<Record<ValueType, readonly Op[]>> {
  const of = (type: ValueType) => ops.filter((op) => resultOf(op) === type);
  return { i32: of("i32"), i64: of("i64"), f32: of("f32"), f64: of("f64"), v128: of("v128") };
}

function constant(type: ValueType, c: Choices): Expr {
  switch (type) {
    case "v128":
      return i8x16.splat(i32.const(c.pick(i32Values)));
    case "i32":
      return i32.const(c.pick(i32Values));
    case "i64":
      return i64.const(c.pick(i64Values));
    case "f32":
      return f32.const(c.pick(floatValues));
    case "f64":
      return f64.const(c.pick(floatValues));
  }
}

/** Generates one random function. Locals 0 to 3 are its parameters, one of each type. */
class Generator {
  readonly #locals: Local[] = [];
  readonly #loops: Label[] = [];
  readonly #blocks: Label[] = [];

  constructor(
    private readonly c: Choices,
    private readonly b: CodeBuilder,
    private readonly canonical: Readonly<Record<"f32" | "f64", FunctionRef>>,
    private readonly callable: readonly FunctionRef[],
    private readonly result: NumberType,
    params: readonly Local[],
  ) {
    this.#locals.push(...params);
    for (const type of valueTypes) {
      this.#locals.push(b.local(type));
    }
  }

  /** Canonicalizes NaNs whose bits could be observed. */
  visible(expr: Expr): Expr {
    return expr.type === "f32" || expr.type === "f64" ? this.b.call(this.canonical[expr.type], expr) : expr;
  }

  expr(type: ValueType, depth: number): Expr {
    const kind = depth <= 0 || this.c.exhausted ? this.c.next(2) : this.c.next(9);
    switch (kind) {
      case 0:
        return constant(type, this.c);
      case 1:
        return this.c.pick(this.#locals.filter((local) => local.type === type));
      case 2:
        return this.#unary(type, depth);
      case 3:
      case 4:
      case 5:
        return this.#binary(type, depth);
      case 6: {
        const op = this.c.pick(loadsByResult[type]);
        return { kind: "load", type, op, address: this.address(depth - 1), offset: this.c.pick([0, 0, 1, 8, 13]) };
      }
      case 7:
        return select(this.expr("i32", depth - 1), this.expr(type, depth - 1), this.expr(type, depth - 1));
      default: {
        const targets = this.callable.filter((target) => target.result === type);
        return targets.length === 0 ? constant(type, this.c) : this.#call(this.c.pick(targets), depth);
      }
    }
  }

  #call(target: FunctionRef, depth: number): Expr {
    return this.b.call(target, ...target.params.map((param) => this.visible(this.expr(param as NumberType, depth - 2))));
  }

  #unary(type: ValueType, depth: number): Expr {
    const op = this.c.pick(unaryByResult[type]);
    const operand = this.expr(unaryOps[op].from, depth - 1);
    return { kind: "unary", type, op, operand: op.includes("reinterpret") ? this.visible(operand) : operand };
  }

  #binary(type: ValueType, depth: number): Expr {
    const op = this.c.pick(binaryByResult[type]);
    const { operands } = binaryOps[op];
    const left = this.expr(operands, depth - 1);
    const right = this.expr(operands, depth - 1);
    return { kind: "binary", type, op, left, right: op.includes("copysign") ? this.visible(right) : right };
  }

  /** Mostly inside the window, rarely anywhere, to cover bounds checks. */
  address(depth: number): Expr {
    const any = this.expr("i32", depth);
    if (this.c.next(60) === 0) {
      return any;
    }
    if (this.c.next(60) === 0) {
      return i32.const(memoryBytes - this.c.next(20));
    }
    return i32.add(i32.const(windowStart), i32.and(any, i32.const(windowBytes - 1)));
  }

  statements(count: number, depth: number): void {
    for (let index = 0; index < count; index++) {
      this.#statement(depth);
    }
  }

  #statement(depth: number): void {
    const { b, c } = this;
    const kind = depth <= 0 ? c.next(6) : c.next(16);
    switch (kind) {
      case 0:
      case 1: {
        const local = c.pick(this.#locals);
        return b.set(local, this.expr(local.type, 2));
      }
      case 2:
      case 3: {
        const op = c.pick(stores);
        const { type } = storeOps[op];
        return b.store(op, this.address(2), this.visible(this.expr(type, 2)), c.pick([0, 4, 7]));
      }
      case 4:
        return this.#jump();
      case 5:
        return c.next(2) === 0 ? this.#bulk() : this.#jump();
      case 6:
      case 7:
      case 8:
        return b.if_(
          this.expr("i32", 2),
          () => this.statements(2, depth - 1),
          c.next(2) === 0 ? undefined : () => this.statements(2, depth - 1),
        );
      case 9:
      case 10:
        return b.block((label) => {
          this.#blocks.push(label);
          this.statements(3, depth - 1);
          this.#blocks.pop();
        });
      case 11:
      case 12:
      case 13:
        return this.#boundedLoop(depth);
      case 14:
        return this.#bulk();
      default: {
        const target = c.pick(this.callable);
        return b.do_(target, ...target.params.map((param) => this.visible(this.expr(param as NumberType, 1))));
      }
    }
  }

  /** A branch out of a block or loop, or a return, mostly conditional. */
  #jump(): void {
    const { b, c } = this;
    const labels = [...this.#blocks, ...this.#loops];
    if (labels.length > 0 && c.next(6) !== 0) {
      return c.next(8) === 0 ? b.break_(c.pick(labels)) : b.break_(c.pick(labels), this.expr("i32", 2));
    }
    const { result } = this;
    return b.if_(i32.eqz(i32.and(this.expr("i32", 1), i32.const(3))), () => b.return_(this.visible(this.expr(result, 1))));
  }

  #bulk(): void {
    const { b, c } = this;
    const length = i32.and(this.expr("i32", 1), i32.const(63));
    return c.next(2) === 0
      ? b.copyBytes(this.address(1), this.address(1), length)
      : b.fillBytes(this.address(1), this.expr("i32", 1), length);
  }

  #boundedLoop(depth: number): void {
    const { b, c } = this;
    const rounds = b.local("i32", i32.const(c.next(6)));
    b.loop((loop) => {
      b.set(rounds, i32.sub(rounds, i32.const(1)));
      b.break_(loop, i32.ltS(rounds, i32.const(0)));
      this.#loops.push(loop);
      this.statements(2, depth - 1);
      this.#loops.pop();
      if (c.next(2) === 0) {
        b.continue_(loop, this.expr("i32", 1));
      } else {
        b.continue_(loop);
      }
    });
  }
}

const entryParams = ["i32", "i64", "f32", "f64"] as const;

function canonicalFunctions(k: KernelBuilder): Readonly<Record<"f32" | "f64", FunctionRef>> {
  return {
    f32: k.function_("canonicalF32", { params: ["f32"], result: "f32" }, (b, [x]) =>
      b.return_(select(f32.eq(x as Local, x as Local), x as Local, f32.const(7))),
    ),
    f64: k.function_("canonicalF64", { params: ["f64"], result: "f64" }, (b, [x]) =>
      b.return_(select(f64.eq(x as Local, x as Local), x as Local, f64.const(7))),
    ),
  };
}

function randomKernel(draws: readonly number[]): Kernel {
  const c = new Choices(draws);
  return buildKernel("random", (k) => {
    const canonical = canonicalFunctions(k);
    const callable: FunctionRef[] = [
      k.host("test.mix", { params: ["i32", "i64"], result: "i64" }),
      k.host("test.scale", { params: ["f64", "f32"], result: "f64" }),
      k.host("test.note", { params: ["i32"] }),
    ];
    for (const type of numberTypes) {
      callable.push(
        k.function_(`helper.${type}`, { params: entryParams, result: type }, (b, params) => {
          const generator = new Generator(c, b, canonical, callable.slice(0, 3), type, params);
          generator.statements(2, 1);
          b.return_(generator.visible(generator.expr(type, 2)));
        }),
      );
    }
    const result = c.pick(numberTypes);
    k.entry({ params: entryParams, result }, (b, params) => {
      const generator = new Generator(c, b, canonical, callable, result, params);
      generator.statements(6, 3);
      if (c.next(20) !== 0) {
        b.return_(generator.visible(generator.expr(result, 3)));
      }
    });
  });
}

interface Run {
  readonly outcome: Outcome;
  readonly memory: Uint8Array;
  readonly notes: readonly KernelValue[];
}

function runOn(backend: "wasm" | "interpreter", kernel: Kernel, args: readonly KernelValue[]): Run {
  const { runtime, linear } = newRuntime(backend, memoryBytes);
  const notes: KernelValue[] = [];
  runtime.registerHost("test.mix", { params: ["i32", "i64"], result: "i64" }, (x, y) => {
    notes.push(x as number, y as bigint);
    return (y as bigint) * 31n + BigInt(x as number);
  });
  runtime.registerHost("test.scale", { params: ["f64", "f32"], result: "f64" }, (x, y) => (x as number) * (y as number));
  runtime.registerHost("test.note", { params: ["i32"] }, (x) => {
    notes.push(x as number);
    return undefined;
  });
  for (let at = 0; at < windowBytes + 64; at++) {
    linear.u8[windowStart + at] = (at * 37 + 11) & 0xff;
  }
  const outcome = outcomeOf(
    runtime.load("random", () => kernel),
    args,
  );
  return { outcome, memory: linear.u8.slice(), notes };
}

test("random kernels do the same on both backends", () => {
  const trapped = { count: 0 };
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 20, maxLength: 120 }),
      fc.tuple(fc.constantFrom(...i32Values), fc.constantFrom(...i64Values), fc.float(), fc.double()),
      (draws, args) => {
        const kernel = randomKernel(draws);
        const emitted = runOn("wasm", kernel, args);
        const interpreted = runOn("interpreter", kernel, args);
        trapped.count += "trap" in emitted.outcome ? 1 : 0;
        expect(interpreted.outcome).toEqual(emitted.outcome);
        expect(interpreted.notes).toEqual(emitted.notes);
        expect(Buffer.compare(interpreted.memory, emitted.memory)).toBe(0);
      },
    ),
    { numRuns: 1500 },
  );
  // The property is meaningful only if enough runs trap.
  expect(trapped.count).toBeGreaterThan(20);
});

/** Addresses of vectors in the window. */
const vectorAddresses = Array.from({ length: 12 }, (_, index) => windowStart + 29 * index);
const resultAddress = windowStart + windowBytes;

/** Bytes that differ little from each other, so that all orders of two bytes are met. */
function writeVectors({ u8 }: { readonly u8: Uint8Array }): void {
  for (let at = 0; at < windowBytes; at++) {
    u8[windowStart + at] = [0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff][(at * at + (at >> 3)) % 7] as number;
  }
}

const operandsOf: Readonly<Record<ValueType, readonly KernelValue[]>> = {
  v128: vectorAddresses,
  i32: i32Values,
  i64: i64Values,
  f32: floatValues,
  f64: floatValues,
};

test("every operation agrees on every pair of edge values", () => {
  for (const op of [...(Object.keys(unaryOps) as UnaryOp[]), ...(Object.keys(binaryOps) as BinaryOp[])]) {
    const unaryEntry = op in unaryOps ? unaryOps[op as UnaryOp] : undefined;
    const entry = unaryEntry === undefined ? binaryOps[op as BinaryOp] : { operands: unaryEntry.from, to: unaryEntry.to };
    const from = entry.operands;
    const isVector = from === "v128";
    const param = isVector ? "i32" : from;
    const kernel = buildKernel(op, (k) =>
      k.entry({ params: [param, param], result: entry.to === "v128" ? "i32" : entry.to }, (b, [x, y]) => {
        const [left, right] = isVector ? [v128.load(x), v128.load(y)] : [x, y];
        const result: Expr =
          unaryEntry === undefined
            ? { kind: "binary", type: entry.to, op: op as BinaryOp, left, right }
            : { kind: "unary", type: entry.to, op: op as UnaryOp, operand: left };
        if (entry.to === "v128") {
          b.store("v128.store", i32.const(resultAddress), result);
        }
        b.return_(entry.to === "v128" ? i32.const(0) : result);
      }),
    );
    const [emitted, interpreted] = backends.map((backend) => {
      const { runtime, linear } = newRuntime(backend, memoryBytes);
      writeVectors(linear);
      const run = runtime.load(op, () => kernel);
      return (args: readonly KernelValue[]) => [outcomeOf(run, args), linear.u8.slice(resultAddress, resultAddress + 16).join()];
    });
    for (const x of operandsOf[from]) {
      for (const y of unaryEntry === undefined ? operandsOf[from] : [x]) {
        const looksAtBits = op.includes("reinterpret") || op.includes("copysign");
        if (!(looksAtBits && (Number.isNaN(x) || Number.isNaN(y)))) {
          expect([op, x, y, interpreted?.([x, y])]).toEqual([op, x, y, emitted?.([x, y])]);
        }
      }
    }
  }
});

test("memory ends at the same byte for every access", () => {
  const ends = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17].map((back) => memoryBytes - back);
  const addresses = [...ends, 0, -1, -8, -16, 0x7fff_ffff];
  const bodies: Readonly<Record<string, (b: CodeBuilder, x: Local, y: Local, n: Local) => void>> = {
    copy: (b, x, y, n) => b.copyBytes(x, y, n),
    fill: (b, x, _, n) => b.fillBytes(x, i32.const(0x1ff), n),
  };
  for (const [name, body] of Object.entries(bodies)) {
    const kernel = buildKernel(name, (k) =>
      k.entry({ params: ["i32", "i32", "i32"] }, (b, [x, y, n]) => body(b, x as Local, y as Local, n as Local)),
    );
    for (const x of addresses) {
      for (const y of name === "copy" ? addresses : [0]) {
        for (const n of [0, 1, 8, 16, -1]) {
          expect([name, x, y, n, runOn("interpreter", kernel, [x, y, n]).outcome]).toEqual([
            name,
            x,
            y,
            n,
            runOn("wasm", kernel, [x, y, n]).outcome,
          ]);
        }
      }
    }
  }
  for (const op of Object.keys(loadOps) as LoadOp[]) {
    const type = loadOps[op].type;
    const store = `${type}.store` as StoreOp;
    for (const offset of [0, 1, 0xffff_ffff]) {
      const kernel = buildKernel(op, (k) =>
        k.entry({ params: ["i32"] }, (b, [x]) =>
          b.store(store, i32.const(windowStart), { kind: "load", type, op, address: x as Local, offset }),
        ),
      );
      for (const x of addresses) {
        const [emitted, interpreted] = [runOn("wasm", kernel, [x]), runOn("interpreter", kernel, [x])];
        expect([op, offset, x, interpreted.outcome]).toEqual([op, offset, x, emitted.outcome]);
        expect(Buffer.compare(interpreted.memory, emitted.memory)).toBe(0);
      }
    }
  }
});
