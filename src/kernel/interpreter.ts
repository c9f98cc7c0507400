/**
 * Runs a kernel directly over the same linear memory as the emitted code: the emitter's oracle and the fallback where WebAssembly cannot
 * compile. Plain on purpose. NaNs: payload and sign of a NaN are not part of a kernel's meaning, in WebAssembly they differ between
 * machines; kernels make NaNs canonical before their bits can be seen.
 */
import { AssertionError, assert } from "../protocol/errors.ts";
import type { LinearMemory } from "../page/memory.ts";
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

/** `fallen`: control reached the end; else the label that is jumped to, or `returned`. */
const fallen = -1;
const returned = -2;
/** A continue of label n is n + continueBase. */
const continueBase = 0x4000_0000;
const callDepthMax = 1000;

interface Frame {
  readonly locals: KernelValue[];
  result: KernelValue | undefined;
}

export function interpretKernel(kernel: Kernel, linear: LinearMemory, hosts: ReadonlyMap<string, HostFunction>): CompiledKernel {
  const interpreter = new Interpreter(kernel, linear, hosts);
  return (...args) => interpreter.run(args);
}

/** What WebAssembly does to a value that comes from JavaScript. */
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
  #callDepth = 0;

  constructor(kernel: Kernel, linear: LinearMemory, hosts: ReadonlyMap<string, HostFunction>) {
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
        entry,
        entry.params.map((type, index) => coerce(type, args[index])),
      );
    } catch (error) {
      throw error instanceof NumericTrap ? new KernelTrap(this.#kernel.name, error.kind) : error;
    } finally {
      this.#callDepth = outerDepth;
    }
  }

  #invoke(fn: KernelFunction, args: KernelValue[]): KernelValue | undefined {
    if (++this.#callDepth > callDepthMax) {
      throw new NumericTrap("STACK_OVERFLOW");
    }
    for (const type of fn.locals) {
      args.push(zero(type));
    }
    const frame: Frame = { locals: args, result: undefined };
    const outcome = this.#body(fn.body, frame);
    this.#callDepth--;
    if (outcome === fallen && fn.result !== undefined) {
      throw new NumericTrap("UNREACHABLE");
    }
    return frame.result;
  }

  #body(body: readonly Stmt[], frame: Frame): number {
    for (const stmt of body) {
      const outcome = this.#stmt(stmt, frame);
      if (outcome !== fallen) {
        return outcome;
      }
    }
    return fallen;
  }

  #stmt(stmt: Stmt, frame: Frame): number {
    switch (stmt.kind) {
      case "set":
        frame.locals[stmt.index] = this.#value(stmt.value, frame);
        return fallen;
      case "store": {
        const address = this.#number(stmt.address, frame);
        this.#store(stmt.op, address, stmt.offset, this.#value(stmt.value, frame));
        return fallen;
      }
      case "if":
        return this.#body(this.#number(stmt.condition, frame) !== 0 ? stmt.then : stmt.otherwise, frame);
      case "block": {
        const outcome = this.#body(stmt.body, frame);
        return outcome === stmt.label ? fallen : outcome;
      }
      case "loop": {
        let outcome: number;
        do {
          outcome = this.#body(stmt.body, frame);
        } while (outcome === stmt.label + continueBase);
        return outcome === stmt.label ? fallen : outcome;
      }
      case "break":
        return this.#holds(stmt.condition, frame) ? stmt.label : fallen;
      case "continue":
        return this.#holds(stmt.condition, frame) ? stmt.label + continueBase : fallen;
      case "return":
        frame.result = stmt.value === undefined ? undefined : this.#value(stmt.value, frame);
        return returned;
      case "call":
        this.#call(stmt.target, stmt.args, frame);
        return fallen;
      case "copy": {
        const target = this.#number(stmt.target, frame) >>> 0;
        const source = this.#number(stmt.source, frame) >>> 0;
        const bytes = this.#number(stmt.bytes, frame) >>> 0;
        this.#checkBounds(target, bytes);
        this.#checkBounds(source, bytes);
        this.#linear.u8.copyWithin(target, source, source + bytes);
        return fallen;
      }
      case "fill": {
        const target = this.#number(stmt.target, frame) >>> 0;
        const value = this.#number(stmt.value, frame);
        const bytes = this.#number(stmt.bytes, frame) >>> 0;
        this.#checkBounds(target, bytes);
        this.#linear.u8.fill(value, target, target + bytes);
        return fallen;
      }
    }
  }

  #holds(condition: Expr | undefined, frame: Frame): boolean {
    return condition === undefined || this.#number(condition, frame) !== 0;
  }

  #number(expr: Expr, frame: Frame): number {
    return this.#value(expr, frame) as number;
  }

  #value(expr: Expr, frame: Frame): KernelValue {
    switch (expr.kind) {
      case "const":
        return expr.type === "f32" ? Math.fround(expr.value) : expr.value;
      case "local":
        return frame.locals[expr.index] as KernelValue;
      case "load":
        return this.#load(expr.op, this.#number(expr.address, frame), expr.offset);
      case "unary":
        return unaryOperations[expr.op](this.#value(expr.operand, frame));
      case "binary": {
        const left = this.#value(expr.left, frame);
        return binaryOperations[expr.op](left, this.#value(expr.right, frame));
      }
      case "select": {
        const then = this.#value(expr.then, frame);
        const otherwise = this.#value(expr.otherwise, frame);
        return this.#number(expr.condition, frame) !== 0 ? then : otherwise;
      }
      case "call":
        return this.#call(expr.target, expr.args, frame) as KernelValue;
    }
  }

  #call(target: CallTarget, args: readonly Expr[], frame: Frame): KernelValue | undefined {
    const values = args.map((arg) => this.#value(arg, frame));
    if (!("host" in target)) {
      return this.#invoke(this.#kernel.functions[target.function] as KernelFunction, values);
    }
    const result = (this.#hosts.get(target.host) as HostFunction)(...values);
    const type = this.#hostResults.get(target.host);
    return type === undefined ? undefined : coerce(type, result);
  }

  #checkBounds(address: number, bytes: number): void {
    if (address + bytes > this.#linear.sizeBytes) {
      throw new NumericTrap("MEMORY_OUT_OF_BOUNDS");
    }
  }

  #load(op: LoadOp, base: number, offset: number): KernelValue {
    const address = (base >>> 0) + offset;
    this.#checkBounds(address, loadOps[op].bytes);
    const view = this.#view;
    switch (op) {
      case "i32.load":
        return view.getInt32(address, true);
      case "i32.load8_u":
        return view.getUint8(address);
      case "i32.load8_s":
        return view.getInt8(address);
      case "i32.load16_u":
        return view.getUint16(address, true);
      case "i32.load16_s":
        return view.getInt16(address, true);
      case "i64.load":
        return view.getBigInt64(address, true);
      case "i64.load8_u":
        return BigInt(view.getUint8(address));
      case "i64.load8_s":
        return BigInt(view.getInt8(address));
      case "i64.load16_u":
        return BigInt(view.getUint16(address, true));
      case "i64.load16_s":
        return BigInt(view.getInt16(address, true));
      case "i64.load32_u":
        return BigInt(view.getUint32(address, true));
      case "i64.load32_s":
        return BigInt(view.getInt32(address, true));
      case "f32.load":
        return view.getFloat32(address, true);
      case "f64.load":
        return view.getFloat64(address, true);
      case "v128.load":
        return view.getBigUint64(address, true) | (view.getBigUint64(address + 8, true) << 64n);
    }
  }

  #store(op: StoreOp, base: number, offset: number, value: KernelValue): void {
    const address = (base >>> 0) + offset;
    this.#checkBounds(address, storeOps[op].bytes);
    const view = this.#view;
    switch (op) {
      case "i32.store":
        return view.setInt32(address, value as number, true);
      case "i32.store8":
        return view.setInt8(address, value as number);
      case "i32.store16":
        return view.setInt16(address, value as number, true);
      case "i64.store":
        return view.setBigInt64(address, value as bigint, true);
      case "i64.store8":
        return view.setInt8(address, Number((value as bigint) & 0xffn));
      case "i64.store16":
        return view.setInt16(address, Number((value as bigint) & 0xffffn), true);
      case "i64.store32":
        return view.setInt32(address, Number((value as bigint) & 0xffff_ffffn), true);
      case "f32.store":
        return view.setFloat32(address, value as number, true);
      case "f64.store":
        return view.setFloat64(address, value as number, true);
      case "v128.store":
        view.setBigUint64(address, BigInt.asUintN(64, value as bigint), true);
        return view.setBigUint64(address + 8, (value as bigint) >> 64n, true);
    }
  }
}
