/**
 * Generates node ids and variable names, unique within one statement. Every planning step of the statement draws from the same instance.
 */
import { QueryError } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import type { Variable } from "./typed-expression.ts";

/**
 * Maximum number of nodes in one plan. Every reference to a WITH query copies its plan, so a short statement could otherwise exceed the
 * node's memory.
 */
const planNodesMax = 100_000;

/**
 * Maximum number of queries that read each other, one inside of the other or by WITH. Plans are trees that the planner walks recursively; a
 * level has some nodes and takes some kilobytes of the stack.
 */
const queryLevelsMax = 256;

export class PlanIds {
  #nextNode = 0;
  #levels = 0;
  #nextSuffix = 0;
  #nextShared = 1;
  readonly #taken = new Set<string>();

  node(): string {
    const id = String(this.#nextNode);
    this.#nextNode += 1;
    if (this.#nextNode > planNodesMax) {
      throw new QueryError("NOT_SUPPORTED", `Plan has more than ${planNodesMax} nodes`);
    }
    return id;
  }

  /** Begins a query that another one reads. Throws NOT_SUPPORTED. */
  enterQuery(): void {
    this.#levels += 1;
    if (this.#levels > queryLevelsMax) {
      throw new QueryError("NOT_SUPPORTED", `Statement has more than ${queryLevelsMax} levels of queries`);
    }
  }

  leaveQuery(): void {
    this.#levels -= 1;
  }

  sharedPlan(): number {
    const number = this.#nextShared;
    this.#nextShared += 1;
    return number;
  }

  /** Returns `hint` if the name is free, otherwise `hint` with a numeric suffix. */
  variable(hint: string, type: Type): Variable {
    const base =
      hint
        .toLowerCase()
        .replace(/[^a-z0-9_]/g, "_")
        .replace(/_\d+$/, "")
        .slice(0, 60) || "expr";
    let name = base;
    while (this.#taken.has(name)) {
      this.#nextSuffix += 1;
      name = `${base}_${this.#nextSuffix}`;
    }
    this.#taken.add(name);
    return { kind: "variable", name, type };
  }
}
