/**
 * Emits a WebAssembly module from a kernel, one to one. There is no optimizer, because the platform's compiler has one. The memory is
 * imported as `env.memory`, host functions from module `host` by name; the entry point is exported as `run`. Kernels must have passed
 * validate.ts.
 */
import { assert } from "../protocol/errors.ts";
import type { CallTarget, Expr, Kernel, KernelFunction, Stmt, ValueType } from "./ir.ts";
import { binaryOps, loadOps, storeOps, unaryOps } from "./ops.ts";

const valueTypeCodes: Readonly<Record<ValueType, number>> = Object.freeze({ i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b });

const section = Object.freeze({ type: 1, import: 2, function: 3, export: 7, code: 10 });
const op = Object.freeze({
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  return: 0x0f,
  call: 0x10,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  i32Const: 0x41,
  i64Const: 0x42,
  f32Const: 0x43,
  f64Const: 0x44,
  bulk: 0xfc,
});
const bulkCopy = 10;
const bulkFill = 11;
const noResult = 0x40;

/** A growing byte buffer with the number encodings of the binary format. */
class Bytes {
  #bytes = new Uint8Array(256);
  #length = 0;

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      this.#grow(1);
    }
    this.#bytes[this.#length++] = value;
  }

  /** LEB128. */
  u32(value: number): void {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  s32(value: number): void {
    let rest = value | 0;
    while (rest < -64 || rest > 63) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.byte(rest & 0x7f);
  }

  s64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    while (rest < -64n || rest > 63n) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest & 0x7fn));
  }

  f32(value: number): void {
    const bytes = new DataView(new ArrayBuffer(4));
    bytes.setFloat32(0, value, true);
    this.raw(new Uint8Array(bytes.buffer));
  }

  f64(value: number): void {
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setFloat64(0, value, true);
    this.raw(new Uint8Array(bytes.buffer));
  }

  /** ASCII only: names are the engine's own. */
  name(text: string): void {
    this.u32(text.length);
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      assert(code < 0x80, `${text} is no name of a host function`);
      this.byte(code);
    }
  }

  raw(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) {
      this.#grow(bytes.length);
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes the content, preceded by its length. */
  sized(content: Bytes): void {
    this.u32(content.#length);
    this.raw(content.finish());
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(bytes: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

interface CallSignature {
  readonly params: readonly ValueType[];
  readonly result?: ValueType;
}

/** Function types without duplicates. */
class TypeTable {
  readonly #indexes = new Map<string, number>();
  readonly #types: CallSignature[] = [];

  indexOf(signature: CallSignature): number {
    const key = `${signature.params.join(",")}:${signature.result ?? ""}`;
    let index = this.#indexes.get(key);
    if (index === undefined) {
      index = this.#types.length;
      this.#types.push(signature);
      this.#indexes.set(key, index);
    }
    return index;
  }

  emit(): Bytes {
    const out = new Bytes();
    out.u32(this.#types.length);
    for (const { params, result } of this.#types) {
      out.byte(0x60);
      out.u32(params.length);
      for (const param of params) {
        out.byte(valueTypeCodes[param]);
      }
      out.u32(result === undefined ? 0 : 1);
      if (result !== undefined) {
        out.byte(valueTypeCodes[result]);
      }
    }
    return out;
  }
}

export function emitWasm(kernel: Kernel): Uint8Array {
  const types = new TypeTable();
  const hostIndexes = new Map(kernel.imports.map((hostImport, index) => [hostImport.name, index]));

  const imports = new Bytes();
  imports.u32(kernel.imports.length + 1);
  for (const hostImport of kernel.imports) {
    imports.name("host");
    imports.name(hostImport.name);
    imports.byte(0x00);
    imports.u32(types.indexOf(hostImport));
  }
  imports.name("env");
  imports.name("memory");
  imports.byte(0x02);
  imports.byte(0x00);
  imports.u32(1);

  const functions = new Bytes();
  functions.u32(kernel.functions.length);
  const code = new Bytes();
  code.u32(kernel.functions.length);
  for (const fn of kernel.functions) {
    functions.u32(types.indexOf(fn));
    code.sized(new FunctionEmitter(fn, hostIndexes).emit());
  }

  const exports = new Bytes();
  exports.u32(1);
  exports.name("run");
  exports.byte(0x00);
  exports.u32(kernel.imports.length);

  const out = new Bytes();
  out.raw(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00));
  for (const [id, content] of [
    [section.type, types.emit()],
    [section.import, imports],
    [section.function, functions],
    [section.export, exports],
    [section.code, code],
  ] as const) {
    out.byte(id);
    out.sized(content);
  }
  return out.finish().slice();
}

/** Target of a branch to a label, as an index into the open constructs. */
interface OpenLabel {
  readonly breakDepth: number;
  readonly continueDepth: number;
}

class FunctionEmitter {
  readonly #fn: KernelFunction;
  readonly #hostIndexes: ReadonlyMap<string, number>;
  readonly #out = new Bytes();
  readonly #labels = new Map<number, OpenLabel>();
  #depth = 0;

  constructor(fn: KernelFunction, hostIndexes: ReadonlyMap<string, number>) {
    this.#fn = fn;
    this.#hostIndexes = hostIndexes;
  }

  emit(): Bytes {
    this.#locals();
    this.#body(this.#fn.body);
    if (this.#fn.result !== undefined) {
      this.#out.byte(op.unreachable);
    }
    this.#out.byte(op.end);
    return this.#out;
  }

  #locals(): void {
    const runs: { type: ValueType; count: number }[] = [];
    for (const type of this.#fn.locals) {
      const last = runs.at(-1);
      if (last?.type === type) {
        last.count++;
      } else {
        runs.push({ type, count: 1 });
      }
    }
    this.#out.u32(runs.length);
    for (const { type, count } of runs) {
      this.#out.u32(count);
      this.#out.byte(valueTypeCodes[type]);
    }
  }

  #body(body: readonly Stmt[]): void {
    for (const stmt of body) {
      this.#stmt(stmt);
    }
  }

  #stmt(stmt: Stmt): void {
    const out = this.#out;
    switch (stmt.kind) {
      case "set":
        this.#expr(stmt.value);
        out.byte(op.localSet);
        return out.u32(stmt.index);
      case "store":
        this.#expr(stmt.address);
        this.#expr(stmt.value);
        return this.#memoryOp(storeOps[stmt.op].code, stmt.offset);
      case "if":
        return this.#if(stmt);
      case "block":
        this.#labels.set(stmt.label, { breakDepth: this.#depth, continueDepth: -1 });
        this.#open(op.block);
        this.#body(stmt.body);
        return this.#close();
      case "loop":
        this.#labels.set(stmt.label, { breakDepth: this.#depth, continueDepth: this.#depth + 1 });
        this.#open(op.block);
        this.#open(op.loop);
        this.#body(stmt.body);
        this.#close();
        return this.#close();
      case "break":
        return this.#branch((this.#labels.get(stmt.label) as OpenLabel).breakDepth, stmt.condition);
      case "continue":
        return this.#branch((this.#labels.get(stmt.label) as OpenLabel).continueDepth, stmt.condition);
      case "return":
        if (stmt.value !== undefined) {
          this.#expr(stmt.value);
        }
        return out.byte(op.return);
      case "call":
        this.#call(stmt.target, stmt.args);
        if (stmt.result !== undefined) {
          out.byte(op.drop);
        }
        return;
      case "copy":
        this.#expr(stmt.target);
        this.#expr(stmt.source);
        this.#expr(stmt.bytes);
        return out.raw(Uint8Array.of(op.bulk, bulkCopy, 0, 0));
      case "fill":
        this.#expr(stmt.target);
        this.#expr(stmt.value);
        this.#expr(stmt.bytes);
        return out.raw(Uint8Array.of(op.bulk, bulkFill, 0));
    }
  }

  #if(stmt: Extract<Stmt, { kind: "if" }>): void {
    this.#expr(stmt.condition);
    this.#open(op.if);
    this.#body(stmt.then);
    if (stmt.otherwise.length > 0) {
      this.#out.byte(op.else);
      this.#body(stmt.otherwise);
    }
    this.#close();
  }

  #open(code: number): void {
    this.#out.byte(code);
    this.#out.byte(noResult);
    this.#depth++;
  }

  #close(): void {
    this.#out.byte(op.end);
    this.#depth--;
  }

  #branch(targetDepth: number, condition: Expr | undefined): void {
    if (condition !== undefined) {
      this.#expr(condition);
    }
    this.#out.byte(condition === undefined ? op.br : op.brIf);
    this.#out.u32(this.#depth - 1 - targetDepth);
  }

  #expr(expr: Expr): void {
    const out = this.#out;
    switch (expr.kind) {
      case "const":
        return this.#const(expr);
      case "local":
        out.byte(op.localGet);
        return out.u32(expr.index);
      case "load":
        this.#expr(expr.address);
        return this.#memoryOp(loadOps[expr.op].code, expr.offset);
      case "unary":
        this.#expr(expr.operand);
        return this.#code(unaryOps[expr.op].code);
      case "binary":
        this.#expr(expr.left);
        this.#expr(expr.right);
        return this.#code(binaryOps[expr.op].code);
      case "select":
        this.#expr(expr.then);
        this.#expr(expr.otherwise);
        this.#expr(expr.condition);
        return out.byte(op.select);
      case "call":
        return this.#call(expr.target, expr.args);
    }
  }

  #const(expr: Extract<Expr, { kind: "const" }>): void {
    const out = this.#out;
    switch (expr.type) {
      case "i32":
        out.byte(op.i32Const);
        return out.s32(expr.value);
      case "i64":
        out.byte(op.i64Const);
        return out.s64(expr.value);
      case "f32":
        out.byte(op.f32Const);
        return out.f32(expr.value);
      case "f64":
        out.byte(op.f64Const);
        return out.f64(expr.value);
    }
  }

  #call(target: CallTarget, args: readonly Expr[]): void {
    for (const arg of args) {
      this.#expr(arg);
    }
    this.#out.byte(op.call);
    this.#out.u32("host" in target ? (this.#hostIndexes.get(target.host) as number) : this.#hostIndexes.size + target.function);
  }

  #memoryOp(code: readonly number[], offset: number): void {
    this.#code(code);
    // Alignment 2^0: a hint that does not matter on the supported platforms.
    this.#out.u32(0);
    this.#out.u32(offset);
  }

  #code(code: readonly number[]): void {
    for (const byte of code) {
      this.#out.byte(byte);
    }
  }
}
