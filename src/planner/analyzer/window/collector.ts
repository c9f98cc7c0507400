/**
 * Collects the window functions of one SELECT during its analysis. They are planned (`window/plan.ts`) above its aggregation and below its
 * projection. A variable represents each call.
 */
import type { Identifier } from "../../../sql/ast/ast.ts";
import type { Variable } from "../../plan/typed-expression.ts";
import { expressionKey } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { semanticError } from "../errors.ts";
import type { ChosenFunction } from "../expression/functions.ts";
import type { AnalyzedMeasure, AnalyzedWindowPattern } from "../pattern/context.ts";
import { type AnalyzedBound, type AnalyzedFrame, type AnalyzedWindow, defaultFrame, type WindowInput } from "./specification.ts";

export interface CollectedMeasure {
  readonly output: Variable;
  readonly measure: AnalyzedMeasure;
  readonly window: AnalyzedWindow;
}

export interface CollectedWindow {
  readonly output: Variable;
  readonly chosen: ChosenFunction;
  readonly args: readonly WindowInput[];
  readonly ignoreNulls: boolean;
  readonly filter?: WindowInput;
  readonly window: AnalyzedWindow;
}

/** Canonical window name, as in the SQL standard: unquoted names are upper case. */
function windowKey({ value, delimited }: Identifier): string {
  return delimited ? value : value.toUpperCase();
}

export class WindowCollector {
  readonly #byKey = new Map<string, CollectedWindow>();
  readonly #named = new Map<string, AnalyzedWindow>();
  readonly #measures = new Map<AnalyzedMeasure, CollectedMeasure>();
  /** Windows with a pattern are equal only if they are the same window. */
  readonly #patterns: AnalyzedWindowPattern[] = [];
  readonly #ids: PlanIds;

  constructor(ids: PlanIds) {
    this.#ids = ids;
  }

  /** Adds a window of the WINDOW clause; `analyze` may refer to earlier ones. */
  define(name: Identifier, analyze: () => AnalyzedWindow): void {
    const key = windowKey(name);
    if (this.#named.has(key)) {
      throw semanticError("DUPLICATE_WINDOW_NAME", name, `WINDOW name '${name.value}' specified more than once`);
    }
    this.#named.set(key, analyze());
  }

  find(name: Identifier): AnalyzedWindow {
    const window = this.#named.get(windowKey(name));
    if (window === undefined) {
      throw semanticError("INVALID_WINDOW_REFERENCE", name, `Cannot resolve WINDOW name ${name.value}`);
    }
    return window;
  }

  add(call: Omit<CollectedWindow, "output">): Variable {
    const key = JSON.stringify([
      call.chosen.name,
      call.args.map(({ expression }) => expressionKey(expression)),
      call.ignoreNulls,
      call.filter && expressionKey(call.filter.expression),
      call.window.partitionBy.map(({ expression }) => expressionKey(expression)),
      call.window.orderBy.map(({ expression, descending, nullsFirst }) => [expressionKey(expression), descending, nullsFirst]),
      frameKey(call.window.frame ?? defaultFrame),
      this.#patternNumber(call.window),
    ]);
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      return known.output;
    }
    const output = this.#ids.variable(call.chosen.name, call.chosen.returnType);
    this.#byKey.set(key, { ...call, output });
    return output;
  }

  addMeasure(measure: AnalyzedMeasure, window: AnalyzedWindow): Variable {
    const known = this.#measures.get(measure);
    if (known !== undefined) {
      return known.output;
    }
    const output = this.#ids.variable(measure.name.value, measure.expression.type);
    this.#measures.set(measure, { output, measure, window });
    return output;
  }

  functions(): readonly CollectedWindow[] {
    return [...this.#byKey.values()];
  }

  patternMeasures(): readonly CollectedMeasure[] {
    return [...this.#measures.values()];
  }

  outputs(): readonly Variable[] {
    return [...this.#byKey.values(), ...this.#measures.values()].map(({ output }) => output);
  }

  #patternNumber({ recognition }: AnalyzedWindow): number {
    if (recognition === undefined) {
      return -1;
    }
    const known = this.#patterns.indexOf(recognition);
    return known >= 0 ? known : this.#patterns.push(recognition) - 1;
  }
}

function frameKey({ type, start, end }: AnalyzedFrame): unknown {
  const bound = ({ type: kind, offset }: AnalyzedBound) => [kind, offset && expressionKey(offset.expression)];
  return [type, bound(start), bound(end)];
}
