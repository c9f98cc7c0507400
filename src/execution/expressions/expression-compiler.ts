/**
 * Generates kernel code for expressions: strict calls, lazily evaluated special forms, common subexpressions evaluated once. An error is a
 * jump out of the row.
 */
import type { EmitContext } from "../../functions/runtime/emit.ts";
import { errorNumber, errorOperandsOffset, type KernelError, swallowedHostErrors } from "../../functions/runtime/errors.ts";
import { emitHostCall } from "../../functions/runtime/host.ts";
import { loadParts } from "../../functions/runtime/memory-values.ts";
import { emitEquals, emitThreeValuedEquals, nestedUnknown } from "../../functions/runtime/operations.ts";
import { emitArenaAllocate } from "../../codegen/arena.ts";
import { type CodeBuilder, f64, i32, i64, type Label, type Local } from "../../codegen/builder.ts";
import type { Expr, ValueType } from "../../codegen/ir.ts";
import type { Call, RowExpression, SpecialForm, Variable } from "../../planner/plan/typed-expression.ts";
import { BOOLEAN, INTEGER, isNested, type Type } from "../../types/type.ts";
import { type ConstantList, emitListSearch, splitList } from "./lists.ts";
import {
  bitsOfConstant,
  constantBytes,
  type FoundImplementation,
  lambdaCallName,
  lambdasOf,
  type Implementation,
  implementationOfCall,
  implementationOfCast,
  type PreparedExpressions,
  type PreparedLambda,
} from "./prepare.ts";
import { part, partTypes, type Value, valueOf } from "../../functions/runtime/value.ts";

export type Environment = (variable: Variable) => Value;

export interface ExpressionAddresses {
  /** The error block (functions/runtime/errors.ts), of errorBlockBytes bytes. Its first word is 0 at the start. */
  readonly errorBlock: Expr;
  /** Control block of the arena for result strings. */
  readonly arena: Expr;
  /** The block that writeConstants returns. */
  readonly constants: Expr;
}

/** The code of prepared expressions in one kernel. Create it at the kernel's start, outside of loops: it loads constants into locals. */
export class ExpressionContext implements EmitContext {
  readonly errorBlock: Expr;
  readonly arena: Expr;
  readonly #keys: ReadonlyMap<RowExpression, string>;
  readonly #lists: ReadonlyMap<RowExpression, ConstantList>;
  readonly #lambdas: ReadonlyMap<RowExpression, PreparedLambda>;
  readonly #constantsAddress: Expr;
  readonly #constants = new Map<string, Value>();
  /** Values already computed, innermost branch last. Values of an outer scope are computed on every path to the current point. */
  #scopes: Map<string, Value>[] = [new Map()];
  #fail: Label | undefined;

  constructor(
    readonly b: CodeBuilder,
    prepared: PreparedExpressions,
    addresses: ExpressionAddresses,
  ) {
    this.errorBlock = b.temp(addresses.errorBlock);
    this.arena = b.temp(addresses.arena);
    this.#keys = prepared.keys;
    this.#lists = prepared.lists;
    this.#lambdas = prepared.lambdas;
    this.#constantsAddress = prepared.lists.size === 0 && prepared.lambdas.size === 0 ? i32.const(0) : b.temp(addresses.constants);
    for (const [expression, key] of prepared.keys) {
      if (expression.kind === "constant" && expression.value !== null && !this.#constants.has(key)) {
        const number = Number(/^#(\d+)/.exec(key)?.[1]);
        const parts = loadParts(b, expression.type, addresses.constants, constantBytes * number);
        this.#constants.set(key, { type: expression.type, parts, isNull: undefined, bits: bitsOfConstant(expression) });
      }
    }
  }

  /**
   * Emits `body`. An error inside jumps to the code after it, with the error block filled. The normal path of `body` must leave by a jump
   * of its own.
   */
  guarded(body: () => void): void {
    const outer = this.#fail;
    this.b.block((fail) => {
      this.#fail = fail;
      body();
    });
    this.#fail = outer;
  }

  raise(error: KernelError, ...operands: readonly Expr[]): void {
    const { b } = this;
    b.store("i32.store", this.errorBlock, i32.const(errorNumber(error)));
    operands.forEach((operand, index) => b.store("i64.store", this.errorBlock, asOperand(operand), errorOperandsOffset + 8 * index));
    this.raiseWritten();
  }

  raiseWritten(): void {
    if (this.#fail === undefined) {
      throw new Error("an expression that can fail is emitted outside of guarded()");
    }
    this.b.break_(this.#fail);
  }

  allocate(bytes: Expr): Expr {
    return emitArenaAllocate(this.b, this.arena, bytes);
  }

  /** Call it before the expressions of another row: it forgets the values computed for the last one. */
  newRow(): void {
    this.#scopes = [new Map()];
  }

  emit(expression: RowExpression, environment: Environment): Value {
    const key = this.#keys.get(expression);
    if (key === undefined) {
      return this.#emitNew(expression, environment);
    }
    for (const scope of this.#scopes) {
      const known = scope.get(key);
      if (known !== undefined) {
        return known;
      }
    }
    const value = this.#pin(this.#emitNew(expression, environment));
    (this.#scopes.at(-1) as Map<string, Value>).set(key, value);
    return value;
  }

  /** Emits `body` as the inside of a branch. */
  #branch(body: () => void): void {
    this.#scopes.push(new Map());
    body();
    this.#scopes.pop();
  }

  #pin(value: Value): Value {
    return {
      type: value.type,
      parts: value.parts.map((expr) => pin(this.b, expr)),
      isNull: value.isNull === undefined ? undefined : pin(this.b, value.isNull),
      bits: value.bits,
    };
  }

  #emitNew(expression: RowExpression, environment: Environment): Value {
    switch (expression.kind) {
      case "variable":
        return environment(expression);
      case "constant":
        return expression.value === null ? nullValue(expression.type) : (this.#constants.get(this.#keys.get(expression) ?? "") as Value);
      case "call":
        return this.#emitCall(expression, environment);
      case "lambda":
        throw new Error("a lambda is no value");
      case "cast":
        if (expression.arg.type.kind === "unknown") {
          return nullValue(expression.type);
        }
        return expression.safe
          ? this.#emitTry(
              expression.type,
              () => this.#emitStrict(implementationOfCast(expression), [expression.arg], expression.type, environment),
              [expression.arg],
              environment,
            )
          : this.#emitStrict(implementationOfCast(expression), [expression.arg], expression.type, environment);
      case "special":
        return this.#emitSpecial(expression, environment);
    }
  }

  #emitCall(call: Call, environment: Environment): Value {
    const found = implementationOfCall(call);
    const lambdas = lambdasOf(call, this.#lambdas);
    if (lambdas.length === 0) {
      return this.#emitStrict(found, call.args, call.type, environment);
    }
    const { implementation, hostName } = found;
    const captured = lambdas.flatMap((lambda): readonly Value[] => [
      valueOf(INTEGER, i32.add(this.#constantsAddress, i32.const(constantBytes * lambda.firstConstant))),
      ...lambda.captures.map((capture) => this.#pin(environment(capture))),
    ]);
    const withLambdas: Implementation = {
      ...(implementation.nulls === undefined ? {} : { nulls: implementation.nulls }),
      emit: (_context, given, type) => emitHostCall(this, lambdaCallName(hostName, lambdas), [...given, ...captured], type),
    };
    const plain = call.args.filter((arg) => arg.kind !== "lambda");
    return this.#emitStrict({ implementation: withLambdas, hostName }, plain, call.type, environment);
  }

  #emitStrict(found: FoundImplementation, args: readonly RowExpression[], type: Type, environment: Environment): Value {
    const { b } = this;
    const values = args.map((arg) => this.emit(arg, environment));
    const { implementation, hostName } = found;
    const compute = (given: readonly Value[]): Value => {
      const callHost = () => emitHostCall(this, hostName, given, type);
      return implementation.emit === undefined ? callHost() : { ...implementation.emit(this, given, type, callHost), type };
    };
    const nulls = values.flatMap((value) => (value.isNull === undefined ? [] : [value.isNull]));
    if (implementation.nulls === "seen" || nulls.length === 0) {
      return compute(values);
    }
    const present = values.map((value) => ({ ...value, isNull: undefined }));
    const isNull = b.temp(anyOf(nulls));
    if (implementation.total === true) {
      const value = compute(present);
      return { ...value, isNull: value.isNull === undefined ? isNull : i32.or(isNull, value.isNull) };
    }
    const result = new Result(b, type);
    b.set(result.isNull, i32.const(1));
    b.if_(i32.eqz(isNull), () => this.#branch(() => result.set(compute(present))));
    return result.value;
  }

  #emitSpecial(expression: SpecialForm, environment: Environment): Value {
    const { b } = this;
    const { args, type } = expression;
    const arg = (index: number) => args[index] as RowExpression;
    switch (expression.form) {
      case "AND":
        return this.#emitLogic(args, environment, "AND");
      case "OR":
        return this.#emitLogic(args, environment, "OR");
      case "IS_NULL":
        return { type: BOOLEAN, parts: [this.emit(arg(0), environment).isNull ?? i32.const(0)], isNull: undefined };
      case "IF":
      case "SWITCH":
        return this.#emitSwitch(args, type, environment);
      case "COALESCE":
        return this.#emitCoalesce(args, type, environment);
      case "IN":
        return this.#emitIn(expression, environment);
      case "NULL_IF": {
        const value = this.emit(arg(0), environment);
        const equal = this.#emitNew({ kind: "call", name: "$eq", type: BOOLEAN, args }, environment);
        const isEqual = equal.isNull === undefined ? part(equal, 0) : i32.and(part(equal, 0), i32.eqz(equal.isNull));
        return { ...value, isNull: value.isNull === undefined ? isEqual : b.temp(i32.or(value.isNull, isEqual)) };
      }
      case "TRY":
        return this.#emitTry(type, () => this.emit(arg(0), environment), args.slice(1), environment);
    }
  }

  /**
   * Turns errors that TRY catches into NULL. `outside` lists the subexpressions that are evaluated before, so that TRY does not catch their
   * errors.
   */
  #emitTry(type: Type, emit: () => Value, outside: readonly RowExpression[], environment: Environment): Value {
    const { b } = this;
    for (const expression of outside) {
      this.emit(expression, environment);
    }
    const result = new Result(b, type);
    b.block((done) => {
      this.guarded(() => {
        this.#branch(() => result.set(emit()));
        b.break_(done);
      });
      const isHostError = i32.eq(i32.load(this.errorBlock), i32.const(1));
      const isOther = i32.geU(i32.load(this.errorBlock, 4), i32.const(swallowedHostErrors));
      b.if_(i32.and(isHostError, isOther), () => this.raiseWritten());
      b.store("i32.store", this.errorBlock, i32.const(0));
      b.set(result.isNull, i32.const(1));
    });
    return result.value;
  }

  #emitSwitch(args: readonly RowExpression[], type: Type, environment: Environment): Value {
    const { b } = this;
    const result = new Result(b, type);
    const [first, ...rest] = args;
    const last = args.length % 2 === 1 ? (rest.pop() ?? first) : undefined;
    b.block((done) => {
      // The branches are emitted in sequence and not nested: there may be thousands. Each condition is computed on every path to the next
      // one.
      const take = (condition: RowExpression, then: RowExpression): void => {
        b.if_(isTrue(this.emit(condition, environment)), () => {
          this.#branch(() => result.set(this.emit(then, environment)));
          b.break_(done);
        });
      };
      if (first !== undefined && rest[0] !== undefined) {
        take(first, rest[0]);
      }
      this.#branch(() => {
        for (let index = 1; index < rest.length; index += 2) {
          take(rest[index] as RowExpression, rest[index + 1] as RowExpression);
        }
        if (last === undefined) {
          b.set(result.isNull, i32.const(1));
        } else {
          result.set(this.emit(last, environment));
        }
      });
    });
    return result.value;
  }

  #emitCoalesce(args: readonly RowExpression[], type: Type, environment: Environment): Value {
    const { b } = this;
    const result = new Result(b, type);
    // Emitted in sequence, like a switch: each value is computed on every path to the next one.
    const [first, ...rest] = args;
    b.block((done) => {
      /** Returns false if no later argument can be reached. */
      const take = (arg: RowExpression): boolean => {
        const value = this.emit(arg, environment);
        result.set(value);
        if (value.isNull === undefined) {
          return false;
        }
        b.break_(done, i32.eqz(value.isNull));
        return true;
      };
      if (first !== undefined && take(first)) {
        this.#branch(() => void rest.every(take));
      }
    });
    return result.value;
  }

  /** Three-valued: if an item is NULL, a value that is not found gives NULL. */
  #emitIn(expression: SpecialForm, environment: Environment): Value {
    const { b } = this;
    const list = this.#lists.get(expression);
    const compared = list === undefined ? expression.args : (splitList(expression)?.others ?? []);
    const [value, ...items] = compared.map((arg) => this.emit(arg, environment)) as [Value, ...Value[]];
    const found = b.local("i32", i32.const(0));
    const nulls: Expr[] = [];
    b.block((done) => {
      if (list !== undefined) {
        if (value.isNull !== undefined) {
          b.break_(done, value.isNull);
        }
        const address = i32.add(this.#constantsAddress, i32.const(constantBytes * list.first));
        emitListSearch(b, { value, found, address, count: list.count, stride: constantBytes });
        b.break_(done, found);
      }
      for (const item of items) {
        const answer = isNested(value.type) ? emitThreeValuedEquals(b, value, item) : undefined;
        const equal = answer === undefined ? emitEquals(b, value, item) : i32.eq(answer, i32.const(1));
        b.set(found, item.isNull === undefined ? equal : i32.and(equal, i32.eqz(item.isNull)));
        b.break_(done, found);
        if (item.isNull !== undefined) {
          nulls.push(item.isNull);
        }
        if (answer !== undefined) {
          nulls.push(i32.eq(answer, i32.const(nestedUnknown)));
        }
      }
    });
    const missIsNull = nulls.length === 0 ? undefined : i32.and(i32.eqz(found), anyOf(nulls));
    const isNull = value.isNull === undefined ? missIsNull : missIsNull === undefined ? value.isNull : i32.or(value.isNull, missIsNull);
    return { type: BOOLEAN, parts: [found], isNull };
  }

  /**
   * For AND an argument that is false decides; for OR one that is true. Arguments that cannot fail are evaluated without a branch. The
   * others are evaluated only if no argument before them has decided.
   */
  #emitLogic(args: readonly RowExpression[], environment: Environment, form: "AND" | "OR"): Value {
    const { b } = this;
    const decides = (value: Value): Expr => {
      const bare = form === "AND" ? i32.eqz(part(value, 0)) : part(value, 0);
      return value.isNull === undefined ? bare : i32.and(bare, i32.eqz(value.isNull));
    };
    interface Step {
      readonly decided: Expr;
      readonly sawNull: Expr | undefined;
    }
    const emitStep = (step: readonly RowExpression[]): Step => {
      const values = step.map((arg) => this.emit(arg, environment));
      const nulls = values.flatMap((value) => (value.isNull === undefined ? [] : [value.isNull]));
      return { decided: anyOf(values.map(decides)), sawNull: nulls.length === 0 ? undefined : anyOf(nulls) };
    };
    const emitSteps = (steps: readonly (readonly RowExpression[])[]): Step => {
      const decided = b.local("i32");
      const sawNull = b.local("i32", i32.const(0));
      let mayBeNull = false;
      // The steps are emitted in sequence and not nested: there may be thousands. Each step is computed on every path to the next one.
      b.block((done) => {
        const take = (args: readonly RowExpression[]): void => {
          const step = emitStep(args);
          b.set(decided, step.decided);
          if (step.sawNull !== undefined) {
            mayBeNull = true;
            b.set(sawNull, i32.or(sawNull, step.sawNull));
          }
        };
        const [first = [], ...rest] = steps;
        take(first);
        this.#branch(() => {
          for (const step of rest) {
            b.break_(done, decided);
            take(step);
          }
        });
      });
      return { decided, sawNull: mayBeNull ? sawNull : undefined };
    };
    const steps = logicSteps(args);
    const { decided, sawNull } = steps.length === 1 ? emitStep(args) : emitSteps(steps);
    const result = pin(b, decided);
    return {
      type: BOOLEAN,
      parts: [form === "AND" ? i32.eqz(result) : result],
      isNull: sawNull === undefined ? undefined : i32.and(sawNull, i32.eqz(result)),
    };
  }
}

/**
 * Each step after the first starts with an argument that is not total (isTotal), so a branch guards it. The other arguments of a step are
 * cheap and cannot fail.
 */
function logicSteps(args: readonly RowExpression[]): readonly (readonly RowExpression[])[] {
  const steps: RowExpression[][] = [];
  for (const [index, arg] of args.entries()) {
    if (index === 0 || !isTotal(arg)) {
      steps.push([]);
    }
    steps.at(-1)?.push(arg);
  }
  return steps;
}

/** i32: whether any flag is 1. A balanced tree keeps the depth low for any number of flags. */
function anyOf(flags: readonly Expr[]): Expr {
  let level = flags;
  while (level.length > anyOfWidth) {
    const groups = Math.ceil(level.length / anyOfWidth);
    const below = level;
    level = Array.from({ length: groups }, (_, group) => orChain(below.slice(group * anyOfWidth, (group + 1) * anyOfWidth)));
  }
  return orChain(level);
}

const anyOfWidth = 16;

function orChain(flags: readonly Expr[]): Expr {
  return flags.reduce((left, right) => i32.or(left, right));
}

/** Locals of a value that several branches assign. */
class Result {
  readonly isNull: Local;
  readonly #b: CodeBuilder;
  readonly #type: Type;
  readonly #parts: readonly Local[];

  constructor(b: CodeBuilder, type: Type) {
    this.#b = b;
    this.#type = type;
    this.#parts = partTypes(type).map((partType) => b.local(partType, zeroOf(partType)));
    this.isNull = b.local("i32", i32.const(0));
  }

  set(value: Value): void {
    this.#parts.forEach((local, index) => this.#b.set(local, fit(part(value, index), local.type)));
    this.#b.set(this.isNull, value.isNull ?? i32.const(0));
  }

  get value(): Value {
    return { type: this.#type, parts: this.#parts, isNull: this.isNull };
  }
}

/** A NULL of type unknown may stand where a value of any type is expected. */
function fit(expr: Expr, type: ValueType): Expr {
  return expr.type === type ? expr : zeroOf(type);
}

function zeroOf(type: ValueType): Expr {
  switch (type) {
    case "i64":
      return i64.const(0n);
    case "f64":
      return f64.const(0);
    case "f32":
      return { kind: "const", type: "f32", value: 0 };
    default:
      return i32.const(0);
  }
}

function nullValue(type: Type): Value {
  return { type, parts: partTypes(type).map(zeroOf), isNull: i32.const(1) };
}

/** i32: true, and neither false nor NULL. */
export function isTrue(value: Value): Expr {
  return value.isNull === undefined ? part(value, 0) : i32.and(part(value, 0), i32.eqz(value.isNull));
}

function pin(b: CodeBuilder, expr: Expr): Expr {
  return expr.kind === "const" || expr.kind === "local" ? expr : b.temp(expr);
}

function asOperand(operand: Expr): Expr {
  switch (operand.type) {
    case "i32":
      return i64.extendI32S(operand);
    case "f32":
      return i64.reinterpretF64(f64.promoteF32(operand));
    case "f64":
      return i64.reinterpretF64(operand);
    default:
      return operand;
  }
}

/** True if an expression is cheap and cannot fail. Such an expression may be evaluated speculatively. */
export function isTotal(expression: RowExpression): boolean {
  switch (expression.kind) {
    case "variable":
    case "constant":
      return true;
    case "call":
      return implementationOfCall(expression).implementation.total === true && expression.args.every(isTotal);
    case "cast":
      return implementationOfCast(expression).implementation.total === true && isTotal(expression.arg);
    case "lambda":
      return false;
    case "special":
      return (expression.form === "AND" || expression.form === "OR" || expression.form === "IS_NULL") && expression.args.every(isTotal);
  }
}
