/**
 * Linearity of recursive steps. UNION DISTINCT in WITH RECURSIVE keeps only new rows. If the step is linear, the levels need no comparison
 * with all earlier levels. Linear means that the result for the union of two inputs is the union of their results. The distinct union of
 * all levels is then correct, and no level is larger than it.
 */
import type { Query, QueryBody, Relation } from "../../../sql/ast/ast.ts";
import { callOverRows } from "../aggregation/calls-inside.ts";
import { notSupported, type Placed } from "../errors.ts";

/** Throws at the first construct that is not linear. `references` finds the references to the recursive query in a part of the step. */
export function requireLinearStep(step: QueryBody, references: (root: object) => readonly Placed[]): void {
  new LinearStep(references).body(step);
}

class LinearStep {
  readonly #references: (root: object) => readonly Placed[];

  constructor(references: (root: object) => readonly Placed[]) {
    this.#references = references;
  }

  body(body: QueryBody): void {
    if (!this.#mentions(body)) {
      return;
    }
    switch (body.kind) {
      case "TableSubquery":
        return this.#query(body.query);
      case "SetOperation": {
        const [first, ...others] = body.terms;
        if (!body.distinct && body.operator !== "UNION") {
          refuse(body, `${body.operator} ALL`);
        }
        if (body.operator === "EXCEPT") {
          others.filter((term) => this.#mentions(term)).forEach((term) => refuse(term, "the right side of EXCEPT"));
        }
        if (first !== undefined) {
          this.body(first);
        }
        return others.forEach((term) => this.body(term));
      }
      case "QuerySpecification": {
        const { from, groupBy, having, qualify, select } = body;
        if (groupBy !== undefined) {
          refuse(groupBy, "GROUP BY");
        }
        if (having !== undefined) {
          refuse(having, "HAVING");
        }
        if (qualify !== undefined) {
          refuse(qualify, "QUALIFY");
        }
        const call = callOverRows(select.items.flatMap((item) => (item.kind === "SingleColumn" ? [item.expression] : [])));
        if (call !== undefined) {
          refuse(call, "aggregations and window functions");
        }
        const { from: _from, ...rest } = body;
        this.#refuseIn(rest);
        if (from !== undefined) {
          this.#relation(from);
        }
        return;
      }
      case "Values":
      case "TableQuery":
        return this.#refuseIn(body.kind === "Values" ? body.rows : []);
    }
  }

  #query(query: Query): void {
    if (!this.#mentions(query)) {
      return;
    }
    const { with: named, offset, limit, body } = query;
    if (named !== undefined) {
      this.#refuseIn(named);
    }
    if (offset !== undefined) {
      refuse(offset, "OFFSET");
    }
    if (limit !== undefined) {
      refuse(limit, "LIMIT");
    }
    this.body(body);
  }

  #relation(relation: Relation): void {
    if (!this.#mentions(relation)) {
      return;
    }
    switch (relation.kind) {
      case "AliasedRelation":
        return this.#relation(relation.relation);
      case "SampledRelation":
        return refuse(relation, "TABLESAMPLE");
      case "Pivot":
        return refuse(relation, "PIVOT");
      case "TableSubquery":
      case "Lateral":
        return this.#query(relation.query);
      case "Join":
        this.#relation(relation.left);
        this.#relation(relation.right);
        return this.#refuseIn(relation.criteria ?? {});
      case "Unnest":
        return this.#refuseIn(relation.expressions);
      default:
        return;
    }
  }

  #mentions(part: object): boolean {
    return this.#references(part).length > 0;
  }

  /** Rejects recursive references in subqueries of expressions. */
  #refuseIn(part: object): void {
    const [at] = this.#references(part);
    if (at !== undefined) {
      refuse(at, "subqueries in expressions");
    }
  }
}

function refuse(at: Placed, what: string): void {
  throw notSupported(at, `recursive reference below ${what} is not supported in a recursive query with UNION DISTINCT`);
}
