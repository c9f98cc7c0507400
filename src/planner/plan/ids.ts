/** Names for what a plan is made of: node ids and variables, unique within one statement. Made once by planStatement; every step of planning draws from it. */
import { QueryError } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import type { Variable } from "./typed-expression.ts";

/** A plan grows with every mention of a WITH query; a text of a few lines could ask for more than a node can hold. */
const planNodesMax = 100_000;

export class PlanIds {
  private nextNode = 0;
  private nextSuffix = 0;
  private nextShared = 1;
  private readonly taken = new Set<string>();

  node(): string {
    const id = String(this.nextNode);
    this.nextNode += 1;
    if (this.nextNode > planNodesMax) {
      throw new QueryError("NOT_SUPPORTED", `Plan has more than ${planNodesMax} nodes`);
    }
    return id;
  }

  sharedPlan(): number {
    const number = this.nextShared;
    this.nextShared += 1;
    return number;
  }

  /** `hint` itself when it is free, else with a number behind it. */
  variable(hint: string, type: Type): Variable {
    const base =
      hint
        .toLowerCase()
        .replace(/[^a-z0-9_]/g, "_")
        .replace(/_\d+$/, "")
        .slice(0, 60) || "expr";
    let name = base;
    while (this.taken.has(name)) {
      this.nextSuffix += 1;
      name = `${base}_${this.nextSuffix}`;
    }
    this.taken.add(name);
    return { kind: "variable", name, type };
  }
}
