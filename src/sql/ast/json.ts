/**
 * Syntax nodes of the SQL/JSON functions and of JSON_TABLE. Omitted clauses of functions have their default values. Omitted clauses of
 * JSON_TABLE columns stay absent, because their defaults depend on the table.
 */
import type { Expression, Identifier, Location, TypeSyntax } from "./expression-nodes.ts";

interface Located {
  readonly location: Location;
}

export type JsonEncoding = "UTF8" | "UTF16" | "UTF32";

/** `FORMAT JSON [ENCODING e]` */
export interface JsonFormat extends Located {
  readonly kind: "JsonFormat";
  readonly encoding?: JsonEncoding;
}

/** A value, and whether it is read as JSON. */
export interface JsonInput extends Located {
  readonly kind: "JsonInput";
  readonly value: Expression;
  readonly format?: JsonFormat;
}

/** `value AS name` in PASSING. */
export interface JsonArgument extends Located {
  readonly kind: "JsonArgument";
  readonly input: JsonInput;
  readonly name: Identifier;
}

/** Text of a path, with the location of its literal. */
export interface JsonPathLiteral extends Located {
  readonly kind: "JsonPathLiteral";
  readonly value: string;
}

/** `input, 'path' [AS name] [PASSING ...]` */
export interface JsonPathInvocation extends Located {
  readonly kind: "JsonPathInvocation";
  readonly input: JsonInput;
  readonly path: JsonPathLiteral;
  readonly pathName?: Identifier;
  readonly passing: readonly JsonArgument[];
}

export interface JsonExists extends Located {
  readonly kind: "JsonExists";
  readonly invocation: JsonPathInvocation;
  readonly errorBehavior: "TRUE" | "FALSE" | "UNKNOWN" | "ERROR";
}

/** For JSON_VALUE: `default` is only set for DEFAULT. */
export interface JsonValueBehavior extends Located {
  readonly kind: "JsonValueBehavior";
  readonly type: "ERROR" | "NULL" | "DEFAULT";
  readonly default?: Expression;
}

export interface JsonValue extends Located {
  readonly kind: "JsonValue";
  readonly invocation: JsonPathInvocation;
  readonly returning?: TypeSyntax;
  readonly emptyBehavior: JsonValueBehavior;
  readonly errorBehavior: JsonValueBehavior;
}

export type JsonQueryBehavior = "ERROR" | "NULL" | "EMPTY ARRAY" | "EMPTY OBJECT";
export type JsonWrapper = "WITHOUT" | "CONDITIONAL" | "UNCONDITIONAL";
export type JsonQuotes = "KEEP" | "OMIT";

/** `RETURNING type [FORMAT JSON ...]` */
export interface JsonReturning extends Located {
  readonly kind: "JsonReturning";
  readonly type: TypeSyntax;
  readonly format?: JsonFormat;
}

export interface JsonQuery extends Located {
  readonly kind: "JsonQuery";
  readonly invocation: JsonPathInvocation;
  readonly returning?: JsonReturning;
  readonly wrapper: JsonWrapper;
  readonly quotes?: JsonQuotes;
  readonly emptyBehavior: JsonQueryBehavior;
  readonly errorBehavior: JsonQueryBehavior;
}

export interface JsonObjectMember extends Located {
  readonly kind: "JsonObjectMember";
  readonly key: Expression;
  readonly value: JsonInput;
}

export interface JsonObject extends Located {
  readonly kind: "JsonObject";
  readonly members: readonly JsonObjectMember[];
  readonly nulls: "NULL" | "ABSENT";
  readonly uniqueKeys: boolean;
  readonly returning?: JsonReturning;
}

export interface JsonArray extends Located {
  readonly kind: "JsonArray";
  readonly elements: readonly JsonInput[];
  readonly nulls: "NULL" | "ABSENT";
  readonly returning?: JsonReturning;
}

export type JsonFunction = JsonExists | JsonValue | JsonQuery | JsonObject | JsonArray;

/** `name FOR ORDINALITY` */
export interface JsonOrdinalityColumn extends Located {
  readonly kind: "JsonOrdinalityColumn";
  readonly name: Identifier;
}

export interface JsonValueColumn extends Located {
  readonly kind: "JsonValueColumn";
  readonly name: Identifier;
  readonly type: TypeSyntax;
  readonly path?: JsonPathLiteral;
  readonly emptyBehavior?: JsonValueBehavior;
  readonly errorBehavior?: JsonValueBehavior;
}

/** A column with FORMAT JSON. */
export interface JsonQueryColumn extends Located {
  readonly kind: "JsonQueryColumn";
  readonly name: Identifier;
  readonly type: TypeSyntax;
  readonly format: JsonFormat;
  readonly path?: JsonPathLiteral;
  readonly wrapper?: JsonWrapper;
  readonly quotes?: JsonQuotes;
  readonly emptyBehavior?: JsonQueryBehavior;
  readonly errorBehavior?: JsonQueryBehavior;
}

/** `NESTED PATH 'path' [AS name] COLUMNS (...)` */
export interface JsonNestedColumns extends Located {
  readonly kind: "JsonNestedColumns";
  readonly path: JsonPathLiteral;
  readonly pathName?: Identifier;
  readonly columns: readonly JsonTableColumn[];
}

export type JsonTableColumn = JsonOrdinalityColumn | JsonValueColumn | JsonQueryColumn | JsonNestedColumns;

export interface JsonPathPlan extends Located {
  readonly kind: "JsonPathPlan";
  readonly name: Identifier;
}

/** A path with its nested plan. */
export interface JsonParentPlan extends Located {
  readonly kind: "JsonParentPlan";
  readonly parent: Identifier;
  readonly type: "OUTER" | "INNER";
  readonly child: JsonTablePlan;
}

export interface JsonSiblingsPlan extends Located {
  readonly kind: "JsonSiblingsPlan";
  readonly type: "UNION" | "CROSS";
  readonly terms: readonly JsonTablePlan[];
}

export type JsonTablePlan = JsonPathPlan | JsonParentPlan | JsonSiblingsPlan;

/** `PLAN DEFAULT (OUTER, UNION)`: OUTER and UNION are the defaults of omitted options. */
export interface JsonDefaultPlan extends Located {
  readonly kind: "JsonDefaultPlan";
  readonly parentChild: "OUTER" | "INNER";
  readonly siblings: "UNION" | "CROSS";
}

export interface JsonTable extends Located {
  readonly kind: "JsonTable";
  readonly invocation: JsonPathInvocation;
  readonly columns: readonly JsonTableColumn[];
  readonly plan?: JsonTablePlan | JsonDefaultPlan;
  readonly errorBehavior?: "ERROR" | "EMPTY";
}
