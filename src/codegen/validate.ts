/**
 * Type checker of kernel code. Every kernel passes it once, when it is built; a failure is a bug in the code that built the kernel.
 */
import { assert } from "../protocol/errors.ts";
import type { CallTarget, Expr, HostImport, Kernel, KernelFunction, Stmt, ValueType } from "./ir.ts";
import { binaryOps, loadOps, storeOps, unaryOps } from "./ops.ts";

const offsetMax = 0xffff_ffff;

interface CallSignature {
  readonly params: readonly ValueType[];
  readonly result?: ValueType;
}

export function validateKernel(kernel: Kernel): void {
  const entry = kernel.functions[0];
  assert(entry !== undefined, `kernel ${kernel.name} has no entry point`);
  const imports = new Map<string, HostImport>();
  for (const hostImport of kernel.imports) {
    assert(!imports.has(hostImport.name), `kernel ${kernel.name} imports ${hostImport.name} twice`);
    imports.set(hostImport.name, hostImport);
    assertCallableFromOutside(kernel, hostImport);
  }
  assertCallableFromOutside(kernel, entry);
  for (const fn of kernel.functions) {
    new FunctionChecker(kernel, imports, fn).check();
  }
}

function assertCallableFromOutside(kernel: Kernel, signature: CallSignature): void {
  assert(!signature.params.includes("v128") && signature.result !== "v128", `kernel ${kernel.name}: v128 does not cross to TypeScript`);
}

type LabelKind = "block" | "loop";

class FunctionChecker {
  readonly #kernel: Kernel;
  readonly #imports: ReadonlyMap<string, HostImport>;
  readonly #fn: KernelFunction;
  readonly #locals: readonly ValueType[];
  readonly #labels = new Map<number, LabelKind>();

  constructor(kernel: Kernel, imports: ReadonlyMap<string, HostImport>, fn: KernelFunction) {
    this.#kernel = kernel;
    this.#imports = imports;
    this.#fn = fn;
    this.#locals = [...fn.params, ...fn.locals];
  }

  check(): void {
    this.#body(this.#fn.body);
  }

  #assert(condition: boolean, what: () => string): asserts condition {
    if (!condition) {
      assert(false, `kernel ${this.#kernel.name}, function ${this.#fn.name}: ${what()}`);
    }
  }

  #body(body: readonly Stmt[]): void {
    for (const stmt of body) {
      this.#stmt(stmt);
    }
  }

  #stmt(stmt: Stmt): void {
    switch (stmt.kind) {
      case "set":
        return this.#expect(stmt.value, this.#localType(stmt.index), "set");
      case "store": {
        this.#offset(stmt.offset);
        this.#expect(stmt.address, "i32", stmt.op);
        return this.#expect(stmt.value, storeOps[stmt.op].type, stmt.op);
      }
      case "if":
        this.#expect(stmt.condition, "i32", "if");
        this.#body(stmt.then);
        return this.#body(stmt.otherwise);
      case "block":
      case "loop":
        this.#assert(!this.#labels.has(stmt.label), () => `label ${stmt.label} is opened inside itself`);
        this.#labels.set(stmt.label, stmt.kind);
        this.#body(stmt.body);
        this.#labels.delete(stmt.label);
        return;
      case "break":
      case "continue":
        return this.#jump(stmt);
      case "return":
        return this.#return(stmt.value);
      case "call": {
        const result = this.#call(stmt.target, stmt.args);
        this.#assert(result === stmt.result, () => `a call of ${describe(stmt.target)} drops ${stmt.result}, its result is ${result}`);
        return;
      }
      case "copy":
        this.#expect(stmt.target, "i32", "copy");
        this.#expect(stmt.source, "i32", "copy");
        return this.#expect(stmt.bytes, "i32", "copy");
      case "fill":
        this.#expect(stmt.target, "i32", "fill");
        this.#expect(stmt.value, "i32", "fill");
        return this.#expect(stmt.bytes, "i32", "fill");
    }
  }

  #jump(stmt: Extract<Stmt, { kind: "break" | "continue" }>): void {
    const target = this.#labels.get(stmt.label);
    this.#assert(target !== undefined, () => `${stmt.kind} of label ${stmt.label} from outside it`);
    this.#assert(stmt.kind === "break" || target === "loop", () => "continue of a block");
    if (stmt.condition !== undefined) {
      this.#expect(stmt.condition, "i32", stmt.kind);
    }
  }

  #return(value: Expr | undefined): void {
    const { result } = this.#fn;
    if (value === undefined || result === undefined) {
      this.#assert(value === undefined && result === undefined, () => `return ${value?.type} from a function of ${result}`);
      return;
    }
    this.#expect(value, result, "return");
  }

  #expect(expr: Expr, type: ValueType, where: string): void {
    const actual = this.#expr(expr);
    this.#assert(actual === type, () => `${where} needs ${type}, not ${actual}`);
  }

  #expr(expr: Expr): ValueType {
    const type = this.#typeOf(expr);
    this.#assert(type === expr.type, () => `${expr.kind} is ${type}, marked ${expr.type}`);
    return type;
  }

  #typeOf(expr: Expr): ValueType {
    switch (expr.kind) {
      case "const":
        this.#assert((typeof expr.value === "bigint") === (expr.type === "i64"), () => `constant ${expr.value} is no ${expr.type}`);
        this.#assert(expr.type !== "i32" || (expr.value | 0) === expr.value, () => `constant ${expr.value} is no i32`);
        return expr.type;
      case "local":
        return this.#localType(expr.index);
      case "load":
        this.#offset(expr.offset);
        this.#expect(expr.address, "i32", expr.op);
        return loadOps[expr.op].type;
      case "unary": {
        const { from, to } = unaryOps[expr.op];
        this.#expect(expr.operand, from, expr.op);
        return to;
      }
      case "binary": {
        const { operands, to } = binaryOps[expr.op];
        this.#expect(expr.left, operands, expr.op);
        this.#expect(expr.right, operands, expr.op);
        return to;
      }
      case "select":
        this.#expect(expr.condition, "i32", "select");
        this.#expect(expr.otherwise, this.#expr(expr.then), "select");
        return expr.then.type;
      case "call": {
        const result = this.#call(expr.target, expr.args);
        this.#assert(result !== undefined, () => `${describe(expr.target)} has no result`);
        return result;
      }
    }
  }

  #call(target: CallTarget, args: readonly Expr[]): ValueType | undefined {
    const signature: CallSignature | undefined =
      "host" in target ? this.#imports.get(target.host) : this.#kernel.functions[target.function];
    this.#assert(signature !== undefined, () => `${describe(target)} does not exist`);
    this.#assert(
      signature.params.length === args.length,
      () => `${describe(target)} takes ${signature.params.length} arguments, not ${args.length}`,
    );
    for (const [index, param] of signature.params.entries()) {
      this.#expect(args[index] as Expr, param, describe(target));
    }
    return signature.result;
  }

  #localType(index: number): ValueType {
    const type = this.#locals[index];
    this.#assert(type !== undefined, () => `local ${index} does not exist`);
    return type;
  }

  #offset(offset: number): void {
    this.#assert(Number.isInteger(offset) && offset >= 0 && offset <= offsetMax, () => `offset ${offset} is no u32`);
  }
}

function describe(target: CallTarget): string {
  return "host" in target ? `host function ${target.host}` : `function ${target.function}`;
}
