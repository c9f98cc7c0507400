/**
 * Compiles the body of an SQL function into a program of steps over numbered variables, with typed expressions.
 * functions/runtime/routine-program.ts runs it.
 */
import { commonSuperType, canCoerce } from "../../../functions/registry/coercion.ts";
import { maxRoutineArguments, type RoutineProgram, type RoutineStep, routineName } from "../../../functions/runtime/routine-program.ts";
import { assert, QueryError, statementTooLarge } from "../../../protocol/errors.ts";
import {
  type CaseStatement,
  type CompoundStatement,
  type ControlStatement,
  type Expression,
  type ForStatement,
  type GuardedStatements,
  type Identifier,
  lowerName,
} from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import {
  BIGINT,
  BOOLEAN,
  decimalPrecisionMax,
  decimalType,
  displayType,
  functionType,
  isComparable,
  isNumeric,
  type Type,
  UNKNOWN,
  VARCHAR,
} from "../../../types/type.ts";
import type { Lambda, RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, call, cast, collectVariables, constant, or } from "../../plan/expression-tree.ts";
import type { Analysis, Environment } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { callOperator, coerce } from "../expression/functions.ts";
import type { Field } from "../scope/scope.ts";
import { type Routine, typeOf } from "./definition.ts";

export interface Body {
  /** All variables; parameters first. */
  readonly variables: readonly Variable[];
  readonly parameters: readonly Variable[];
  readonly steps: readonly RoutineStep[];
  /** By their numbers in the steps. The last expression is that of the final RETURN. */
  readonly expressions: readonly RowExpression[];
  /** Set if the body is a single RETURN. */
  readonly expression?: RowExpression;
}

export function compileBody(routine: Routine, analysis: Analysis): Body {
  const compiler = new BodyCompiler(routine, analysis);
  const { statement } = routine.specification;
  compiler.statement(statement, compiler.outermost);
  const { expressions, parameters, steps, variables } = compiler;
  const [only] = expressions;
  return {
    variables,
    parameters,
    steps,
    expressions,
    ...(statement.kind === "ReturnStatement" && only !== undefined && { expression: only }),
  };
}

/** Builds the call of a program: its text, the arguments, and a lambda for each of its expressions. */
export function callProgram(routine: Routine, body: Body, args: readonly RowExpression[]): RowExpression {
  const slots = new Map(body.variables.map(({ name }, index) => [name, index]));
  const inputs = body.expressions.map((expression) => [...collectVariables(expression).values()]);
  const program: RoutineProgram = {
    name: routine.name,
    variables: body.variables.length,
    ...(routine.calledOnNull ? {} : { strict: true }),
    inputs: inputs.map((used) => used.map(({ name }) => slots.get(name) as number)),
    steps: body.steps,
  };
  const lambdas = body.expressions.map((expression, index): Lambda => {
    const parameters = inputs[index] as readonly Variable[];
    const type = functionType(
      parameters.map((parameter) => parameter.type),
      expression.type,
    );
    return { kind: "lambda", type, parameters, body: expression };
  });
  const all = [constant(VARCHAR, JSON.stringify(program)), ...args, ...lambdas];
  if (all.length > maxRoutineArguments) {
    throw new QueryError("COMPILER_ERROR", statementTooLarge);
  }
  return call(routineName, routine.returnType, all);
}

/** Names visible to a statement. */
interface Block {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly labels: ReadonlyMap<string, LoopPlace>;
}

interface LoopPlace {
  /** Step at which ITERATE continues; undefined for FOR, which first increments its counter after the statements. */
  readonly start?: number;
  /** For FOR: numbers of the jump steps whose target is the increment of the counter. */
  readonly iterates: number[];
  /** Numbers of the jump steps whose target is after the loop. */
  readonly leaves: number[];
}

class BodyCompiler {
  readonly outermost: Block;
  readonly parameters: readonly Variable[];
  readonly variables: Variable[] = [];
  readonly steps: RoutineStep[] = [];
  readonly expressions: RowExpression[] = [];
  readonly #routine: Routine;
  readonly #analysis: Analysis;

  constructor(routine: Routine, analysis: Analysis) {
    this.#routine = routine;
    this.#analysis = analysis;
    this.parameters = routine.parameters.map(({ name, type }) => this.#variable(name, type));
    this.outermost = {
      variables: new Map(routine.parameters.map(({ name }, index) => [name, this.parameters[index] as Variable])),
      labels: new Map(),
    };
  }

  statement(node: ControlStatement, block: Block): void {
    switch (node.kind) {
      case "ReturnStatement":
        this.#add({ do: "return", value: this.#typed(node.value, block, this.#routine.returnType, "Value of RETURN") });
        return;
      case "AssignmentStatement": {
        const target = block.variables.get(lowerName(node.target));
        if (target === undefined) {
          throw semanticError("NOT_FOUND", node.target, `Variable cannot be resolved: ${printExpression(node.target)}`);
        }
        const value = this.#typed(node.value, block, target.type, `Value of SET '${printExpression(node.target)}'`);
        this.#add({ do: "set", variable: this.#slotOf(target), value });
        return;
      }
      case "CompoundStatement":
        this.#compound(node, block);
        return;
      case "IfStatement":
        this.#branches(
          node.branches.map((branch, index) => ({
            branch,
            condition: () =>
              this.#condition(branch.condition, block, index === 0 ? "Condition of IF statement" : "Condition of ELSEIF clause"),
          })),
          node.otherwise,
          block,
        );
        return;
      case "CaseStatement":
        this.#case(node, block);
        return;
      case "IterateStatement":
        this.#iterate(this.#loopOf(node.label, block));
        return;
      case "LeaveStatement":
        this.#loopOf(node.label, block).leaves.push(this.#add({ do: "jump", to: -1 }));
        return;
      case "LoopStatement":
      case "WhileStatement":
      case "RepeatStatement":
        this.#loop(node, block);
        return;
      case "ForStatement":
        this.#for(node, block);
        return;
    }
  }

  #statements(nodes: readonly ControlStatement[], block: Block): void {
    for (const node of nodes) {
      this.statement(node, block);
    }
  }

  #compound(node: CompoundStatement, outer: Block): void {
    const variables = new Map(outer.variables);
    const block: Block = { variables, labels: outer.labels };
    for (const declaration of node.declarations) {
      const type = typeOf(declaration.type, declaration);
      const { defaultValue } = declaration;
      const value = defaultValue === undefined ? undefined : this.#typed(defaultValue, block, type, "Value of DEFAULT");
      for (const written of declaration.names) {
        const variable = this.#declare(written, type, variables);
        // Initialized each time the block begins, because the block may be inside a loop.
        this.#add({ do: "set", variable: this.#slotOf(variable), ...(value === undefined ? {} : { value }) });
      }
    }
    this.#statements(node.statements, block);
  }

  /** Emits each condition, followed by its statements and a jump to the end. */
  #branches(
    branches: readonly { readonly branch: GuardedStatements; readonly condition: () => number }[],
    otherwise: readonly ControlStatement[] | undefined,
    block: Block,
  ): void {
    const ends: number[] = [];
    for (const { branch, condition } of branches) {
      const check = this.#add({ do: "unless", condition: condition(), to: -1 });
      this.#statements(branch.statements, block);
      ends.push(this.#add({ do: "jump", to: -1 }));
      this.#land(check);
    }
    this.#statements(otherwise ?? [], block);
    ends.forEach((end) => this.#land(end));
  }

  /** As in Trino, all conditions are analyzed before the statements. */
  #case(node: CaseStatement, block: Block): void {
    const conditions = node.operand === undefined ? this.#searched(node, block) : this.#compared(node.operand, node, block);
    this.#branches(
      node.whenClauses.map((branch, index) => ({ branch, condition: () => conditions[index] as number })),
      node.otherwise,
      block,
    );
  }

  #searched(node: CaseStatement, block: Block): readonly number[] {
    return node.whenClauses.map((clause) => this.#condition(clause.condition, block, "Condition of WHEN clause"));
  }

  /** The operand is evaluated once. */
  #compared(operand: Expression, node: CaseStatement, block: Block): readonly number[] {
    const value = this.#analyze(operand, block);
    const kept = this.#variable("case", value.type);
    this.#add({ do: "set", variable: this.#slotOf(kept), value: this.#number(value) });
    return node.whenClauses.map(({ condition }) => {
      const when = this.#analyze(condition, block);
      const common = commonSuperType(value.type, when.type);
      if (common === undefined || !isComparable(common)) {
        const types = `${displayType(value.type)} (actual: ${displayType(when.type)})`;
        throw semanticError("TYPE_MISMATCH", condition, `WHEN clause value must evaluate to CASE value type ${types}`);
      }
      return this.#number(callOperator("$eq", [kept, when], condition));
    });
  }

  #loop(node: ControlStatement & { readonly kind: "LoopStatement" | "WhileStatement" | "RepeatStatement" }, outer: Block): void {
    const start = this.steps.length;
    const place: LoopPlace = { start, iterates: [], leaves: [] };
    const block = node.label === undefined ? outer : { ...outer, labels: this.#withLabel(outer, node.label, place) };
    if (node.kind === "WhileStatement") {
      place.leaves.push(
        this.#add({ do: "unless", condition: this.#condition(node.condition, block, "Condition of WHILE statement"), to: -1 }),
      );
    }
    if (node.kind === "RepeatStatement") {
      const condition = this.#condition(node.condition, block, "Condition of REPEAT statement");
      this.#statements(node.statements, block);
      this.#add({ do: "unless", condition, to: start });
    } else {
      this.#statements(node.statements, block);
      this.#add({ do: "jump", to: start });
    }
    place.leaves.forEach((leave) => this.#land(leave));
  }

  /**
   * The range is evaluated once, at the start of the loop. The loop runs no statement for an empty range, or if the step leads away from
   * the end.
   */
  #for(node: ForStatement, outer: Block): void {
    const { counter, limit, step } = this.#range(node, outer);
    const start = this.steps.length;
    const place: LoopPlace = { iterates: [], leaves: [] };
    const inRange = (operator: string) => callOperator(operator, [counter, limit], node);
    const zero = constant(BIGINT, "0");
    const condition =
      step === undefined
        ? inRange("$le")
        : or([
            and([callOperator("$gt", [step, zero], node), inRange("$le")]),
            and([callOperator("$lt", [step, zero], node), inRange("$ge")]),
          ]);
    place.leaves.push(this.#add({ do: "unless", condition: this.#number(condition), to: -1 }));
    const variables = new Map(outer.variables);
    this.#name(node.counter, counter, variables);
    const labels = node.label === undefined ? outer.labels : this.#withLabel(outer, node.label, place);
    this.#statements(node.statements, { variables, labels });
    place.iterates.forEach((iterate) => this.#land(iterate));
    const next = callOperator("$add", [counter, step ?? cast(constant(BIGINT, "1"), counter.type)], node);
    this.#add({ do: "set", variable: this.#slotOf(counter), value: this.#number(coerce(next, counter.type)) });
    this.#add({ do: "jump", to: start });
    place.leaves.forEach((leave) => this.#land(leave));
  }

  /** Declares and sets the three variables of the range, all of one type. */
  #range(node: ForStatement, block: Block): { readonly counter: Variable; readonly limit: Variable; readonly step?: Variable } {
    const written = [node.lower, node.upper, ...(node.step === undefined ? [] : [node.step])];
    const values = written.map((expression) => this.#analyze(expression, block));
    const type = values.reduce<Type | undefined>((common, value) => common && commonSuperType(common, value.type), UNKNOWN);
    values.forEach((value, index) => {
      if (isNumeric(value.type) || (value.type.kind === "unknown" && type !== undefined && isNumeric(type))) {
        return;
      }
      const what = ["Lower bound", "Upper bound", "Step"][index] as string;
      const message = `${what} of FOR statement must evaluate to a numeric type (actual: ${displayType(value.type)})`;
      throw semanticError("TYPE_MISMATCH", written[index] as Expression, message);
    });
    assert(type !== undefined, "numeric types have a common type");
    // One more digit, so that a decimal counter can exceed its end.
    const counterType = type.kind === "decimal" ? decimalType(Math.min(type.precision + 1, decimalPrecisionMax), type.scale) : type;
    const [counter, limit, step] = values.map((value, index) => {
      const variable = this.#variable(["counter", "limit", "step"][index] as string, counterType);
      this.#add({ do: "set", variable: this.#slotOf(variable), value: this.#number(coerce(value, counterType)) });
      return variable;
    });
    return { counter: counter as Variable, limit: limit as Variable, ...(step !== undefined && { step }) };
  }

  #declare(written: Identifier, type: Type, variables: Map<string, Variable>): Variable {
    const variable = this.#variable(lowerName(written), type);
    this.#name(written, variable, variables);
    return variable;
  }

  #name(written: Identifier, variable: Variable, variables: Map<string, Variable>): void {
    const name = lowerName(written);
    if (variables.has(name)) {
      throw semanticError("ALREADY_EXISTS", written, `Variable already declared in this scope: ${printExpression(written)}`);
    }
    variables.set(name, variable);
  }

  #iterate({ iterates, start }: LoopPlace): void {
    const jump = this.#add({ do: "jump", to: start ?? -1 });
    if (start === undefined) {
      iterates.push(jump);
    }
  }

  #withLabel({ labels }: Block, written: Identifier, place: LoopPlace): ReadonlyMap<string, LoopPlace> {
    const label = lowerName(written);
    if (labels.has(label)) {
      throw semanticError("ALREADY_EXISTS", written, `Label already declared in this scope: ${printExpression(written)}`);
    }
    return new Map(labels).set(label, place);
  }

  #loopOf(label: Identifier, { labels }: Block): LoopPlace {
    const place = labels.get(lowerName(label));
    if (place === undefined) {
      throw semanticError("NOT_FOUND", label, `Label not defined: ${printExpression(label)}`);
    }
    return place;
  }

  #add(step: RoutineStep): number {
    return this.steps.push(step) - 1;
  }

  /** Sets the target of a jump to the next step that will be added. */
  #land(index: number): void {
    const step = this.steps[index];
    assert(step !== undefined && "to" in step, "a step that jumps");
    this.steps[index] = { ...step, to: this.steps.length };
  }

  #condition(expression: Expression, block: Block, what: string): number {
    return this.#typed(expression, block, BOOLEAN, what);
  }

  #typed(expression: Expression, block: Block, type: Type, what: string): number {
    const value = this.#analyze(expression, block);
    if (!canCoerce(value.type, type)) {
      const types = `${displayType(type)} (actual: ${displayType(value.type)})`;
      throw semanticError("TYPE_MISMATCH", expression, `${what} must evaluate to ${types}`);
    }
    return this.#number(coerce(value, type));
  }

  #number(expression: RowExpression): number {
    return this.expressions.push(expression) - 1;
  }

  /** Expressions may use variables and functions only: no columns, subqueries, aggregates or windows. */
  #analyze(expression: Expression, { variables }: Block): RowExpression {
    const fields = [...variables].map(([name, variable]): Field => ({ name, expression: variable, hidden: false }));
    const env: Environment = {
      analysis: this.#analysis,
      scope: { fields, queryBoundary: true },
      queries: { named: new Map() },
      clause: "Function",
    };
    return analyzeExpression(expression, env);
  }

  #variable(name: string, type: Type): Variable {
    const variable = this.#analysis.ids.variable(name, type);
    this.variables.push(variable);
    return variable;
  }

  #slotOf({ name }: Variable): number {
    return this.variables.findIndex((variable) => variable.name === name);
  }
}
