/**
 * Interprets a kernel over the same linear memory as the emitted code. It is the emitter's oracle, and the fallback if WebAssembly cannot
 * compile. Each statement and expression becomes a closure on the first call of its function, so that a row costs calls but no dispatch.
 *
 * The payload and sign of a NaN are not part of a kernel's semantics, because they differ between machines in WebAssembly. Kernels make
 * NaNs canonical before their bits become visible.
 */
import { AssertionError, assert } from "../protocol/errors.ts";
import type { LinearMemory } from "../memory/memory.ts";
import type {
  CallTarget,
  CompiledKernel,
  Expr,
  HostFunction,
  Kernel,
  KernelFunction,
  KernelValue,
  LoadOp,
  Stmt,
  StoreOp,
  ValueType,
} from "./ir.ts";
import { binaryOperations, NumericTrap, unaryOperations } from "./numeric.ts";
import { loadOps, storeOps } from "./ops.ts";
import { KernelTrap } from "./trap.ts";

/** Control flow result of a step. `fallen`: control reached the end. Otherwise the target label, or `returned`. */
const fallen = -1;
const returned = -2;
/** Continue of label n is encoded as n + continueBase. */
const continueBase = 0x4000_0000;
const callDepthMax = 1000;

interface Frame {
  readonly locals: KernelValue[];
  result: KernelValue | undefined;
}

/** A compiled statement; returns how control continues. */
type Step = (frame: Frame) => number;
type Value = (frame: Frame) => KernelValue;

/** Work of interpreted kernels: calls of functions and passes of loops. The same kernels over the same data count the same. */
export interface InterpretedWork {
  steps: number;
}

export interface InterpretedKernel {
  readonly kernel: Kernel;
  readonly linear: LinearMemory;
  readonly hosts: ReadonlyMap<string, HostFunction>;
  readonly work: InterpretedWork;
}

export function interpretKernel(interpreted: InterpretedKernel): CompiledKernel {
  const interpreter = new Interpreter(interpreted);
  return (...args) => interpreter.run(args);
}

/** WebAssembly's conversion of a value from JavaScript. */
function coerce(type: ValueType, value: KernelValue | undefined): KernelValue {
  switch (type) {
    case "i32":
      return (value as number) | 0;
    case "f32":
      return Math.fround(value as number);
    case "f64":
      return value as number;
    case "i64":
      assert(typeof value === "bigint", "an i64 is a bigint");
      return BigInt.asIntN(64, value);
    case "v128":
      throw new AssertionError("v128 does not cross to TypeScript");
  }
}

function zero(type: ValueType): KernelValue {
  return type === "i64" || type === "v128" ? 0n : 0;
}

class Interpreter {
  readonly #kernel: Kernel;
  readonly #linear: LinearMemory;
  readonly #view: DataView;
  readonly #hosts: ReadonlyMap<string, HostFunction>;
  readonly #hostResults: ReadonlyMap<string, ValueType | undefined>;
  /** By function index. */
  readonly #bodies: (Step | undefined)[] = [];
  readonly #work: InterpretedWork;
  #callDepth = 0;

  constructor({ kernel, linear, hosts, work }: InterpretedKernel) {
    this.#work = work;
    this.#kernel = kernel;
    this.#linear = linear;
    this.#view = linear.view;
    this.#hosts = hosts;
    this.#hostResults = new Map(kernel.imports.map((hostImport) => [hostImport.name, hostImport.result]));
  }

  run(args: readonly KernelValue[]): KernelValue | undefined {
    const entry = this.#kernel.functions[0] as KernelFunction;
    const outerDepth = this.#callDepth;
    this.#callDepth = 0;
    try {
      return this.#invoke(
        0,
        entry.params.map((type, index) => coerce(type, args[index])),
      );
    } catch (error) {
      throw error instanceof NumericTrap ? new KernelTrap(this.#kernel.name, error.kind) : error;
    } finally {
      this.#callDepth = outerDepth;
    }
  }

  #invoke(index: number, args: KernelValue[]): KernelValue | undefined {
    this.#work.steps++;
    if (++this.#callDepth > callDepthMax) {
      throw new NumericTrap("STACK_OVERFLOW");
    }
    const fn = this.#kernel.functions[index] as KernelFunction;
    const body = (this.#bodies[index] ??= this.#body(fn.body));
    for (const type of fn.locals) {
      args.push(zero(type));
    }
    const frame: Frame = { locals: args, result: undefined };
    const outcome = body(frame);
    this.#callDepth--;
    if (outcome === fallen && fn.result !== undefined) {
      throw new NumericTrap("UNREACHABLE");
    }
    return frame.result;
  }

  #body(body: readonly Stmt[]): Step {
    const steps = body.map((stmt) => this.#step(stmt));
    const [first] = steps;
    if (first !== undefined && steps.length === 1) {
      return first;
    }
    return (frame) => {
      for (let index = 0; index < steps.length; index++) {
        const outcome = (steps[index] as Step)(frame);
        if (outcome !== fallen) {
          return outcome;
        }
      }
      return fallen;
    };
  }

  #step(stmt: Stmt): Step {
    switch (stmt.kind) {
      case "set": {
        const { index } = stmt;
        const value = this.#value(stmt.value);
        return (frame) => {
          frame.locals[index] = value(frame);
          return fallen;
        };
      }
      case "store": {
        const address = this.#value(stmt.address);
        const value = this.#value(stmt.value);
        const store = this.#storer(stmt.op);
        const { offset } = stmt;
        return (frame) => {
          const base = address(frame) as number;
          store((base >>> 0) + offset, value(frame));
          return fallen;
        };
      }
      case "if": {
        const condition = this.#value(stmt.condition);
        const then = this.#body(stmt.then);
        const otherwise = this.#body(stmt.otherwise);
        return (frame) => (condition(frame) !== 0 ? then(frame) : otherwise(frame));
      }
      case "block": {
        const { label } = stmt;
        const inner = this.#body(stmt.body);
        return (frame) => {
          const outcome = inner(frame);
          return outcome === label ? fallen : outcome;
        };
      }
      case "loop": {
        const { label } = stmt;
        const inner = this.#body(stmt.body);
        const work = this.#work;
        return (frame) => {
          let outcome: number;
          do {
            work.steps++;
            outcome = inner(frame);
          } while (outcome === label + continueBase);
          return outcome === label ? fallen : outcome;
        };
      }
      case "break":
        return this.#jump(stmt.condition, stmt.label);
      case "continue":
        return this.#jump(stmt.condition, stmt.label + continueBase);
      case "return": {
        const value = stmt.value === undefined ? undefined : this.#value(stmt.value);
        return (frame) => {
          frame.result = value?.(frame);
          return returned;
        };
      }
      case "call": {
        const call = this.#call(stmt.target, stmt.args);
        return (frame) => {
          call(frame);
          return fallen;
        };
      }
      case "copy": {
        const [target, source, bytes] = [this.#value(stmt.target), this.#value(stmt.source), this.#value(stmt.bytes)];
        return (frame) => {
          const to = (target(frame) as number) >>> 0;
          const from = (source(frame) as number) >>> 0;
          const length = (bytes(frame) as number) >>> 0;
          this.#checkBounds(to, length);
          this.#checkBounds(from, length);
          this.#linear.u8.copyWithin(to, from, from + length);
          return fallen;
        };
      }
      case "fill": {
        const [target, value, bytes] = [this.#value(stmt.target), this.#value(stmt.value), this.#value(stmt.bytes)];
        return (frame) => {
          const to = (target(frame) as number) >>> 0;
          const byte = value(frame) as number;
          const length = (bytes(frame) as number) >>> 0;
          this.#checkBounds(to, length);
          this.#linear.u8.fill(byte, to, to + length);
          return fallen;
        };
      }
    }
  }

  #jump(condition: Expr | undefined, outcome: number): Step {
    if (condition === undefined) {
      return () => outcome;
    }
    const holds = this.#value(condition);
    return (frame) => (holds(frame) !== 0 ? outcome : fallen);
  }

  #value(expr: Expr): Value {
    switch (expr.kind) {
      case "const": {
        const value = expr.type === "f32" ? Math.fround(expr.value) : expr.value;
        return () => value;
      }
      case "local": {
        const { index } = expr;
        return (frame) => frame.locals[index] as KernelValue;
      }
      case "load": {
        const address = this.#value(expr.address);
        const load = this.#loader(expr.op);
        const { offset } = expr;
        return (frame) => load(((address(frame) as number) >>> 0) + offset);
      }
      case "unary": {
        const operation = unaryOperations[expr.op];
        const operand = this.#value(expr.operand);
        return (frame) => operation(operand(frame));
      }
      case "binary": {
        const operation = binaryOperations[expr.op];
        const left = this.#value(expr.left);
        const right = this.#value(expr.right);
        return (frame) => operation(left(frame), right(frame));
      }
      case "select": {
        const [then, otherwise, condition] = [this.#value(expr.then), this.#value(expr.otherwise), this.#value(expr.condition)];
        return (frame) => {
          const whenTrue = then(frame);
          const whenFalse = otherwise(frame);
          return condition(frame) !== 0 ? whenTrue : whenFalse;
        };
      }
      case "call":
        return this.#call(expr.target, expr.args) as Value;
    }
  }

  #call(target: CallTarget, args: readonly Expr[]): (frame: Frame) => KernelValue | undefined {
    const values = args.map((arg) => this.#value(arg));
    const evaluate = (frame: Frame): KernelValue[] => {
      const evaluated: KernelValue[] = [];
      for (let index = 0; index < values.length; index++) {
        evaluated.push((values[index] as Value)(frame));
      }
      return evaluated;
    };
    if (!("host" in target)) {
      return (frame) => this.#invoke(target.function, evaluate(frame));
    }
    const host = this.#hosts.get(target.host) as HostFunction;
    const type = this.#hostResults.get(target.host);
    return type === undefined ? (frame) => host(...evaluate(frame)) : (frame) => coerce(type, host(...evaluate(frame)));
  }

  #checkBounds(address: number, bytes: number): void {
    if (address + bytes > this.#linear.sizeBytes) {
      throw new NumericTrap("MEMORY_OUT_OF_BOUNDS");
    }
  }

  #loader(op: LoadOp): (address: number) => KernelValue {
    const { bytes } = loadOps[op];
    const read = readers[op];
    const view = this.#view;
    const last = this.#linear.sizeBytes - bytes;
    return (address) => {
      if (address > last) {
        throw new NumericTrap("MEMORY_OUT_OF_BOUNDS");
      }
      return read(view, address);
    };
  }

  #storer(op: StoreOp): (address: number, value: KernelValue) => void {
    const { bytes } = storeOps[op];
    const write = writers[op];
    const view = this.#view;
    const last = this.#linear.sizeBytes - bytes;
    return (address, value) => {
      if (address > last) {
        throw new NumericTrap("MEMORY_OUT_OF_BOUNDS");
      }
      write(view, address, value);
    };
  }
}

const readers: Readonly<Record<LoadOp, (view: DataView, address: number) => KernelValue>> = Object.freeze({
  "i32.load": (view, address) => view.getInt32(address, true),
  "i32.load8_u": (view, address) => view.getUint8(address),
  "i32.load8_s": (view, address) => view.getInt8(address),
  "i32.load16_u": (view, address) => view.getUint16(address, true),
  "i32.load16_s": (view, address) => view.getInt16(address, true),
  "i64.load": (view, address) => view.getBigInt64(address, true),
  "i64.load8_u": (view, address) => BigInt(view.getUint8(address)),
  "i64.load8_s": (view, address) => BigInt(view.getInt8(address)),
  "i64.load16_u": (view, address) => BigInt(view.getUint16(address, true)),
  "i64.load16_s": (view, address) => BigInt(view.getInt16(address, true)),
  "i64.load32_u": (view, address) => BigInt(view.getUint32(address, true)),
  "i64.load32_s": (view, address) => BigInt(view.getInt32(address, true)),
  "f32.load": (view, address) => view.getFloat32(address, true),
  "f64.load": (view, address) => view.getFloat64(address, true),
  "v128.load": (view, address) => view.getBigUint64(address, true) | (view.getBigUint64(address + 8, true) << 64n),
});

const writers: Readonly<Record<StoreOp, (view: DataView, address: number, value: KernelValue) => void>> = Object.freeze({
  "i32.store": (view, address, value) => view.setInt32(address, value as number, true),
  "i32.store8": (view, address, value) => view.setInt8(address, value as number),
  "i32.store16": (view, address, value) => view.setInt16(address, value as number, true),
  "i64.store": (view, address, value) => view.setBigInt64(address, value as bigint, true),
  "i64.store8": (view, address, value) => view.setInt8(address, Number((value as bigint) & 0xffn)),
  "i64.store16": (view, address, value) => view.setInt16(address, Number((value as bigint) & 0xffffn), true),
  "i64.store32": (view, address, value) => view.setInt32(address, Number((value as bigint) & 0xffff_ffffn), true),
  "f32.store": (view, address, value) => view.setFloat32(address, value as number, true),
  "f64.store": (view, address, value) => view.setFloat64(address, value as number, true),
  "v128.store": (view, address, value) => {
    view.setBigUint64(address, BigInt.asUintN(64, value as bigint), true);
    view.setBigUint64(address + 8, (value as bigint) >> 64n, true);
  },
});
