/**
 * Builder of kernel code: expressions are values, statements are appended to the builder in order.
 *
 *   const kernel = buildKernel("sum", (k) => {
 *     k.entry({ params: ["i32", "i32"], result: "i64" }, (b, [values, count]) => {
 *       const sum = b.local("i64", i64.const(0n));
 *       b.forRange(i32.const(0), count, (i) => b.set(sum, i64.add(sum, i64.load(i32.add(values, i32.mul(i, i32.const(8)))))));
 *       b.return_(sum);
 *     });
 *   });
 *
 * An expression is evaluated where the statement that contains it runs, each time it is used. Use `b.temp(expr)` to keep a value before its
 * inputs change.
 */
import type { BinaryOp, CallTarget, Expr, HostImport, Kernel, KernelFunction, LoadOp, Stmt, StoreOp, UnaryOp, ValueType } from "./ir.ts";
import { fieldsInLocals } from "./registers.ts";

export type Local = Expr & { readonly kind: "local" };

function load(type: ValueType, op: LoadOp): (address: Expr, offset?: number) => Expr {
  return (address, offset = 0) => ({ kind: "load", type, op, address, offset });
}
function unary(type: ValueType, op: UnaryOp): (operand: Expr) => Expr {
  return (operand) => ({ kind: "unary", type, op, operand });
}
function binary(type: ValueType, op: BinaryOp): (left: Expr, right: Expr) => Expr {
  return (left, right) => ({ kind: "binary", type, op, left, right });
}

export const i32 = {
  const: (value: number): Expr => ({ kind: "const", type: "i32", value: value | 0 }),
  load: load("i32", "i32.load"),
  load8u: load("i32", "i32.load8_u"),
  load8s: load("i32", "i32.load8_s"),
  load16u: load("i32", "i32.load16_u"),
  load16s: load("i32", "i32.load16_s"),
  add: binary("i32", "i32.add"),
  sub: binary("i32", "i32.sub"),
  mul: binary("i32", "i32.mul"),
  divS: binary("i32", "i32.div_s"),
  divU: binary("i32", "i32.div_u"),
  remS: binary("i32", "i32.rem_s"),
  remU: binary("i32", "i32.rem_u"),
  and: binary("i32", "i32.and"),
  or: binary("i32", "i32.or"),
  xor: binary("i32", "i32.xor"),
  shl: binary("i32", "i32.shl"),
  shrS: binary("i32", "i32.shr_s"),
  shrU: binary("i32", "i32.shr_u"),
  rotl: binary("i32", "i32.rotl"),
  eq: binary("i32", "i32.eq"),
  ne: binary("i32", "i32.ne"),
  ltS: binary("i32", "i32.lt_s"),
  ltU: binary("i32", "i32.lt_u"),
  gtS: binary("i32", "i32.gt_s"),
  gtU: binary("i32", "i32.gt_u"),
  leS: binary("i32", "i32.le_s"),
  leU: binary("i32", "i32.le_u"),
  geS: binary("i32", "i32.ge_s"),
  geU: binary("i32", "i32.ge_u"),
  eqz: unary("i32", "i32.eqz"),
  clz: unary("i32", "i32.clz"),
  ctz: unary("i32", "i32.ctz"),
  popcnt: unary("i32", "i32.popcnt"),
  wrapI64: unary("i32", "i32.wrap_i64"),
  extend8S: unary("i32", "i32.extend8_s"),
  extend16S: unary("i32", "i32.extend16_s"),
  truncSatF64S: unary("i32", "i32.trunc_sat_f64_s"),
  truncSatF32S: unary("i32", "i32.trunc_sat_f32_s"),
  reinterpretF32: unary("i32", "i32.reinterpret_f32"),
};

export const i64 = {
  const: (value: bigint): Expr => ({ kind: "const", type: "i64", value: BigInt.asIntN(64, value) }),
  load: load("i64", "i64.load"),
  load8u: load("i64", "i64.load8_u"),
  load8s: load("i64", "i64.load8_s"),
  load16u: load("i64", "i64.load16_u"),
  load16s: load("i64", "i64.load16_s"),
  load32u: load("i64", "i64.load32_u"),
  load32s: load("i64", "i64.load32_s"),
  add: binary("i64", "i64.add"),
  sub: binary("i64", "i64.sub"),
  mul: binary("i64", "i64.mul"),
  divS: binary("i64", "i64.div_s"),
  divU: binary("i64", "i64.div_u"),
  remS: binary("i64", "i64.rem_s"),
  remU: binary("i64", "i64.rem_u"),
  and: binary("i64", "i64.and"),
  or: binary("i64", "i64.or"),
  xor: binary("i64", "i64.xor"),
  shl: binary("i64", "i64.shl"),
  shrS: binary("i64", "i64.shr_s"),
  shrU: binary("i64", "i64.shr_u"),
  rotl: binary("i64", "i64.rotl"),
  eq: binary("i32", "i64.eq"),
  ne: binary("i32", "i64.ne"),
  ltS: binary("i32", "i64.lt_s"),
  ltU: binary("i32", "i64.lt_u"),
  gtS: binary("i32", "i64.gt_s"),
  gtU: binary("i32", "i64.gt_u"),
  leS: binary("i32", "i64.le_s"),
  leU: binary("i32", "i64.le_u"),
  geS: binary("i32", "i64.ge_s"),
  geU: binary("i32", "i64.ge_u"),
  eqz: unary("i32", "i64.eqz"),
  clz: unary("i64", "i64.clz"),
  ctz: unary("i64", "i64.ctz"),
  popcnt: unary("i64", "i64.popcnt"),
  extendI32S: unary("i64", "i64.extend_i32_s"),
  extendI32U: unary("i64", "i64.extend_i32_u"),
  truncSatF64S: unary("i64", "i64.trunc_sat_f64_s"),
  truncSatF32S: unary("i64", "i64.trunc_sat_f32_s"),
  reinterpretF64: unary("i64", "i64.reinterpret_f64"),
};

export const v128 = {
  load: load("v128", "v128.load"),
  and: binary("v128", "v128.and"),
  or: binary("v128", "v128.or"),
  xor: binary("v128", "v128.xor"),
  anyTrue: unary("i32", "v128.any_true"),
};

export const i8x16 = {
  splat: unary("v128", "i8x16.splat"),
  /** Bit n is the highest bit of byte n. */
  bitmask: unary("i32", "i8x16.bitmask"),
  eq: binary("v128", "i8x16.eq"),
  gtS: binary("v128", "i8x16.gt_s"),
  geS: binary("v128", "i8x16.ge_s"),
  ltU: binary("v128", "i8x16.lt_u"),
  sub: binary("v128", "i8x16.sub"),
};

export const i16x8 = {
  splat: unary("v128", "i16x8.splat"),
  /** Bit n is the highest bit of lane n. */
  bitmask: unary("i32", "i16x8.bitmask"),
  eq: binary("v128", "i16x8.eq"),
  gtS: binary("v128", "i16x8.gt_s"),
  geS: binary("v128", "i16x8.ge_s"),
};

export const i32x4 = {
  splat: unary("v128", "i32x4.splat"),
  /** Bit n is the highest bit of lane n. */
  bitmask: unary("i32", "i32x4.bitmask"),
  eq: binary("v128", "i32x4.eq"),
  gtS: binary("v128", "i32x4.gt_s"),
  geS: binary("v128", "i32x4.ge_s"),
};

export const i64x2 = {
  splat: unary("v128", "i64x2.splat"),
};

export const f32 = {
  const: (value: number): Expr => ({ kind: "const", type: "f32", value: Math.fround(value) }),
  load: load("f32", "f32.load"),
  add: binary("f32", "f32.add"),
  sub: binary("f32", "f32.sub"),
  mul: binary("f32", "f32.mul"),
  div: binary("f32", "f32.div"),
  min: binary("f32", "f32.min"),
  max: binary("f32", "f32.max"),
  eq: binary("i32", "f32.eq"),
  ne: binary("i32", "f32.ne"),
  lt: binary("i32", "f32.lt"),
  gt: binary("i32", "f32.gt"),
  le: binary("i32", "f32.le"),
  ge: binary("i32", "f32.ge"),
  abs: unary("f32", "f32.abs"),
  neg: unary("f32", "f32.neg"),
  ceil: unary("f32", "f32.ceil"),
  floor: unary("f32", "f32.floor"),
  trunc: unary("f32", "f32.trunc"),
  sqrt: unary("f32", "f32.sqrt"),
  demoteF64: unary("f32", "f32.demote_f64"),
  convertI32S: unary("f32", "f32.convert_i32_s"),
  convertI64S: unary("f32", "f32.convert_i64_s"),
  reinterpretI32: unary("f32", "f32.reinterpret_i32"),
};

export const f64 = {
  const: (value: number): Expr => ({ kind: "const", type: "f64", value }),
  load: load("f64", "f64.load"),
  add: binary("f64", "f64.add"),
  sub: binary("f64", "f64.sub"),
  mul: binary("f64", "f64.mul"),
  div: binary("f64", "f64.div"),
  min: binary("f64", "f64.min"),
  max: binary("f64", "f64.max"),
  copysign: binary("f64", "f64.copysign"),
  eq: binary("i32", "f64.eq"),
  ne: binary("i32", "f64.ne"),
  lt: binary("i32", "f64.lt"),
  gt: binary("i32", "f64.gt"),
  le: binary("i32", "f64.le"),
  ge: binary("i32", "f64.ge"),
  abs: unary("f64", "f64.abs"),
  neg: unary("f64", "f64.neg"),
  ceil: unary("f64", "f64.ceil"),
  floor: unary("f64", "f64.floor"),
  trunc: unary("f64", "f64.trunc"),
  nearest: unary("f64", "f64.nearest"),
  sqrt: unary("f64", "f64.sqrt"),
  promoteF32: unary("f64", "f64.promote_f32"),
  convertI32S: unary("f64", "f64.convert_i32_s"),
  convertI32U: unary("f64", "f64.convert_i32_u"),
  convertI64S: unary("f64", "f64.convert_i64_s"),
  convertI64U: unary("f64", "f64.convert_i64_u"),
  reinterpretI64: unary("f64", "f64.reinterpret_i64"),
};

export function select(condition: Expr, then: Expr, otherwise: Expr): Expr {
  return { kind: "select", type: then.type, condition, then, otherwise };
}

export interface Signature<P extends readonly ValueType[] = readonly ValueType[]> {
  readonly params: P;
  readonly result?: ValueType;
}

/** One local per parameter. */
export type Locals<P extends readonly ValueType[]> = { readonly [K in keyof P]: Local };

type Repeated<T, N extends number, R extends readonly T[] = readonly []> = number extends N
  ? readonly T[]
  : R["length"] extends N
    ? R
    : Repeated<T, N, readonly [...R, T]>;

/** A list of `count` i32 parameters. */
export function i32s<const N extends number>(count: N): Repeated<"i32", N> {
  return Array.from({ length: count }, () => "i32" as const) as readonly "i32"[] as Repeated<"i32", N>;
}

/** A function of the kernel under construction; other functions can call it. */
export interface FunctionRef extends Signature {
  readonly target: CallTarget;
}

/** Target of break and continue: a block or a loop. */
export interface Label {
  readonly label: number;
}

export class CodeBuilder {
  readonly #params: readonly ValueType[];
  readonly #locals: ValueType[] = [];
  #body: Stmt[] = [];
  #labels = 0;

  constructor(
    readonly kernel: KernelBuilder,
    params: readonly ValueType[],
  ) {
    this.#params = params;
  }

  param(index: number): Local {
    const type = this.#params[index];
    if (type === undefined) {
      throw new Error(`kernel parameter ${index} does not exist`);
    }
    return { kind: "local", type, index };
  }

  /** A new local. Without `initial` it is zero at the start of the function, even if it is declared inside a loop. */
  local(type: ValueType, initial?: Expr): Local {
    const local: Local = { kind: "local", type, index: this.#params.length + this.#locals.length };
    this.#locals.push(type);
    if (initial !== undefined) {
      this.set(local, initial);
    }
    return local;
  }

  /** Evaluates the expression once, at this point. */
  temp(value: Expr): Expr {
    return value.kind === "const" ? value : this.local(value.type, value);
  }

  set(local: Local, value: Expr): void {
    this.#body.push({ kind: "set", index: local.index, value });
  }

  store(op: StoreOp, address: Expr, value: Expr, offset = 0): void {
    this.#body.push({ kind: "store", op, address, offset, value });
  }

  if_(condition: Expr, then: () => void, otherwise?: () => void): void {
    const thenBody = this.#collect(then);
    const otherwiseBody = otherwise === undefined ? [] : this.#collect(otherwise);
    this.#body.push({ kind: "if", condition, then: thenBody, otherwise: otherwiseBody });
  }

  block(body: (label: Label) => void): void {
    const label = this.#labels++;
    this.#body.push({ kind: "block", label, body: this.#collect(() => body({ label })) });
  }

  /** Runs once, and again each time `continue_` is reached. */
  loop(body: (label: Label) => void): void {
    const label = this.#labels++;
    this.#body.push({ kind: "loop", label, body: this.#collect(() => body({ label })) });
  }

  /** Repeats while the condition, evaluated before each iteration, is not zero. `continue_` on the loop's label evaluates it again. */
  while_(condition: () => Expr, body: (loop: Label) => void): void {
    this.loop((loop) => {
      this.if_(condition(), () => {
        body(loop);
        this.continue_(loop);
      });
    });
  }

  /** i from `start` (inclusive) to `end` (exclusive), i32 signed; `end` is evaluated once. `next` continues with the next iteration. */
  forRange(start: Expr, end: Expr, body: (index: Local, next: Label) => void): void {
    const index = this.local("i32", start);
    const stop = this.temp(end);
    this.while_(
      () => i32.ltS(index, stop),
      () => {
        this.block((next) => body(index, next));
        this.set(index, i32.add(index, i32.const(1)));
      },
    );
  }

  /** As forRange from 0 on, for a short body that does not leave it: four copies of it share a step of the loop. */
  forRangeByFours(end: Expr, body: (index: Expr) => void): void {
    const stop = this.temp(end);
    const fours = this.temp(i32.shrU(stop, i32.const(2)));
    this.forRange(i32.const(0), fours, (four) => {
      const first = this.temp(i32.shl(four, i32.const(2)));
      for (let step = 0; step < 4; step++) {
        body(step === 0 ? first : this.temp(i32.add(first, i32.const(step))));
      }
    });
    this.forRange(i32.shl(fours, i32.const(2)), stop, body);
  }

  break_(label: Label, condition?: Expr): void {
    this.#body.push(condition === undefined ? { kind: "break", label: label.label } : { kind: "break", label: label.label, condition });
  }

  continue_(label: Label, condition?: Expr): void {
    this.#body.push(
      condition === undefined ? { kind: "continue", label: label.label } : { kind: "continue", label: label.label, condition },
    );
  }

  return_(value?: Expr): void {
    this.#body.push(value === undefined ? { kind: "return" } : { kind: "return", value });
  }

  /**
   * Runs `body` with the fields of memory at the bases in locals (registers.ts). The bases do not change in `body`, and their areas do not
   * overlap. If `body` is left early, memory keeps the old values.
   */
  fieldsInLocals(bases: readonly Local[], body: () => void): void {
    const fields = fieldsInLocals(this.#collect(body), new Set(bases.map(({ index }) => index)), (type) => this.local(type).index);
    this.#body.push(...fields.before, ...fields.body, ...fields.after);
  }

  /** Call as an expression; the function must have a result. */
  call(target: FunctionRef, ...args: readonly Expr[]): Expr {
    if (target.result === undefined) {
      throw new Error("a call without a result is no expression");
    }
    return { kind: "call", type: target.result, target: target.target, args };
  }

  /** Call as a statement; a result is dropped. */
  do_(target: FunctionRef, ...args: readonly Expr[]): void {
    this.#body.push({ kind: "call", target: target.target, args, ...(target.result === undefined ? {} : { result: target.result }) });
  }

  copyBytes(target: Expr, source: Expr, bytes: Expr): void {
    this.#body.push({ kind: "copy", target, source, bytes });
  }

  fillBytes(target: Expr, value: Expr, bytes: Expr): void {
    this.#body.push({ kind: "fill", target, value, bytes });
  }

  finish(name: string, signature: Signature): KernelFunction {
    return {
      name,
      params: signature.params,
      ...(signature.result === undefined ? {} : { result: signature.result }),
      locals: this.#locals,
      body: this.#body,
    };
  }

  #collect(body: () => void): readonly Stmt[] {
    const outer = this.#body;
    const inner: Stmt[] = [];
    this.#body = inner;
    body();
    this.#body = outer;
    return inner;
  }
}

export class KernelBuilder {
  readonly #name: string;
  readonly #functions: (KernelFunction | undefined)[] = [undefined];
  readonly #named = new Map<string, FunctionRef>();
  readonly #imports = new Map<string, HostImport>();

  constructor(name: string) {
    this.#name = name;
  }

  /** The function that TypeScript calls. A kernel has exactly one. */
  entry<const P extends readonly ValueType[]>(signature: Signature<P>, body: (b: CodeBuilder, params: Locals<P>) => void): void {
    this.#functions[0] = this.#build("run", signature, body);
  }

  /** A helper function, built on first use of its name. */
  function_<const P extends readonly ValueType[]>(
    name: string,
    signature: Signature<P>,
    body: (b: CodeBuilder, params: Locals<P>) => void,
  ): FunctionRef {
    const known = this.#named.get(name);
    if (known !== undefined) {
      return known;
    }
    const ref: FunctionRef = { ...signature, target: { function: this.#functions.length } };
    const index = this.#functions.length;
    this.#functions.push(undefined);
    this.#named.set(name, ref);
    this.#functions[index] = this.#build(name, signature, body);
    return ref;
  }

  /** A host function, resolved by name when the kernel is loaded (see runtime.ts). */
  host(name: string, signature: Signature): FunctionRef {
    if (!this.#imports.has(name)) {
      this.#imports.set(name, { name, ...signature });
    }
    return { ...signature, target: { host: name } };
  }

  finish(): Kernel {
    const functions = this.#functions.map((fn) => {
      if (fn === undefined) {
        throw new Error(`kernel ${this.#name} has no entry point`);
      }
      return fn;
    });
    return { name: this.#name, functions, imports: [...this.#imports.values()] };
  }

  #build<const P extends readonly ValueType[]>(
    name: string,
    signature: Signature<P>,
    body: (b: CodeBuilder, params: Locals<P>) => void,
  ): KernelFunction {
    const code = new CodeBuilder(this, signature.params);
    body(code, signature.params.map((_, index) => code.param(index)) as Locals<P>);
    return code.finish(name, signature);
  }
}

export function buildKernel(name: string, body: (kernel: KernelBuilder) => void): Kernel {
  const builder = new KernelBuilder(name);
  body(builder);
  return builder.finish();
}
