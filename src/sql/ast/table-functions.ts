/**
 * Syntax nodes of `TABLE(f(...))`: table function calls in FROM, and their arguments that are not expressions.
 */
import type { Expression, Identifier, Location, QualifiedName, SortItem, TypeSyntax } from "./expression-nodes.ts";
import type { Relation } from "./relations.ts";

interface Located {
  readonly location: Location;
}

/** `TABLE(f(a, name => b COPARTITION (t, u)))` */
export interface TableFunctionCall extends Located {
  readonly kind: "TableFunctionCall";
  readonly name: QualifiedName;
  readonly arguments: readonly TableFunctionArgument[];
  /** Groups of table arguments, by the names of their relations. */
  readonly copartitioned: readonly (readonly QualifiedName[])[];
}

export interface TableFunctionArgument extends Located {
  readonly kind: "TableFunctionArgument";
  readonly name?: Identifier;
  readonly value: Expression | TableArgument | DescriptorArgument;
}

/** `TABLE(t) AS a (x) PARTITION BY x PRUNE WHEN EMPTY ORDER BY y`. Omitted clauses are absent. */
export interface TableArgument extends Located {
  readonly kind: "TableArgument";
  /** A table or a query, optionally with an alias. */
  readonly relation: Relation;
  readonly partitionBy?: readonly Expression[];
  readonly orderBy?: readonly SortItem[];
  readonly emptyTreatment?: EmptyTreatment;
}

export interface EmptyTreatment extends Located {
  readonly kind: "EmptyTreatment";
  readonly treatment: "KEEP" | "PRUNE";
}

/** `DESCRIPTOR(a, b bigint)`. Without fields, it is `CAST(NULL AS DESCRIPTOR)`. */
export interface DescriptorArgument extends Located {
  readonly kind: "DescriptorArgument";
  readonly fields?: readonly DescriptorField[];
}

export interface DescriptorField extends Located {
  readonly kind: "DescriptorField";
  readonly name: Identifier;
  readonly type?: TypeSyntax;
}
