/**
 * Random trees of the SQL/JSON functions and of JSON_TABLE, in the shapes that the parser produces.
 */
import fc from "fast-check";
import type {
  Expression,
  Identifier,
  JsonFormat,
  JsonInput,
  JsonPathInvocation,
  JsonTableColumn,
  JsonTablePlan,
  JsonValueBehavior,
  Location,
  Relation,
  TypeSyntax,
} from "../../../src/sql/ast/ast.ts";

interface Leaves {
  readonly expression: fc.Arbitrary<Expression>;
  readonly identifier: fc.Arbitrary<Identifier>;
  readonly type: fc.Arbitrary<TypeSyntax>;
  readonly text: fc.Arbitrary<string>;
  readonly location: Location;
  readonly list: <T>(element: fc.Arbitrary<T>, minLength?: number) => fc.Arbitrary<T[]>;
  readonly maybe: <K extends string, T>(key: K, value: fc.Arbitrary<T>) => fc.Arbitrary<{ [P in K]?: T }>;
}

function parts({ expression, identifier, type, text, location, list, maybe }: Leaves) {
  const format = maybe("encoding", fc.constantFrom("UTF8", "UTF16", "UTF32")).map(
    (encoding): JsonFormat => ({ kind: "JsonFormat", ...encoding, location }),
  );
  const input = fc
    .tuple(expression, maybe("format", format))
    .map(([value, made]): JsonInput => ({ kind: "JsonInput", value, ...made, location }));
  const path = text.map((value) => ({ kind: "JsonPathLiteral" as const, value, location }));
  const argument = fc.tuple(input, identifier).map(([made, name]) => ({ kind: "JsonArgument" as const, input: made, name, location }));
  const document = fc.tuple(expression, format).map(([value, made]): JsonInput => ({ kind: "JsonInput", value, format: made, location }));
  const invocation = fc.tuple(document, path, maybe("pathName", identifier), list(argument, 0)).map(
    ([made, of, name, passing]): JsonPathInvocation => ({
      kind: "JsonPathInvocation",
      input: made,
      path: of,
      ...name,
      passing,
      location,
    }),
  );
  const returning = fc
    .tuple(type, maybe("format", format))
    .map(([of, made]) => ({ kind: "JsonReturning" as const, type: of, ...made, location }));
  const valueBehavior: fc.Arbitrary<JsonValueBehavior> = fc.oneof(
    fc.constantFrom("ERROR", "NULL").map((of): JsonValueBehavior => ({ kind: "JsonValueBehavior", type: of, location })),
    expression.map((value): JsonValueBehavior => ({ kind: "JsonValueBehavior", type: "DEFAULT", default: value, location })),
  );
  const valueBehaviors = fc
    .tuple(maybe("emptyBehavior", valueBehavior), maybe("errorBehavior", valueBehavior))
    .map(([onEmpty, onError]) => ({ ...onEmpty, ...onError }));
  const queryBehavior = fc.constantFrom("ERROR", "NULL", "EMPTY ARRAY", "EMPTY OBJECT");
  const wrapper = fc.constantFrom("WITHOUT", "CONDITIONAL", "UNCONDITIONAL");
  const queryClauses = fc
    .tuple(
      maybe("wrapper", wrapper),
      maybe("quotes", fc.constantFrom("KEEP", "OMIT")),
      maybe("emptyBehavior", queryBehavior),
      maybe("errorBehavior", queryBehavior),
    )
    .map(([wraps, quotes, onEmpty, onError]) => ({ ...wraps, ...quotes, ...onEmpty, ...onError }));
  return { format, input, path, invocation, returning, valueBehavior, valueBehaviors, queryBehavior, queryClauses, wrapper };
}

export function jsonFunctions(leaves: Leaves): readonly fc.Arbitrary<Expression>[] {
  const { expression, type, location, list, maybe } = leaves;
  const { input, invocation, returning, queryClauses, wrapper } = parts(leaves);
  const { valueBehavior, queryBehavior } = parts(leaves);
  const nulls = fc.constantFrom("NULL", "ABSENT");
  const member = fc.tuple(expression, input).map(([key, value]) => ({ kind: "JsonObjectMember" as const, key, value, location }));
  return [
    fc
      .tuple(invocation, fc.constantFrom("TRUE", "FALSE", "UNKNOWN", "ERROR"))
      .map(([made, errorBehavior]): Expression => ({ kind: "JsonExists", invocation: made, errorBehavior, location })),
    fc.tuple(invocation, maybe("returning", type), valueBehavior, valueBehavior).map(
      ([made, of, emptyBehavior, errorBehavior]): Expression => ({
        kind: "JsonValue",
        invocation: made,
        ...of,
        emptyBehavior,
        errorBehavior,
        location,
      }),
    ),
    fc.tuple(invocation, maybe("returning", returning), queryClauses, wrapper, queryBehavior, queryBehavior).map(
      ([made, of, clauses, wraps, emptyBehavior, errorBehavior]): Expression => ({
        kind: "JsonQuery",
        invocation: made,
        ...of,
        ...clauses,
        wrapper: wraps,
        emptyBehavior,
        errorBehavior,
        location,
      }),
    ),
    fc
      .tuple(list(member), nulls, fc.boolean(), maybe("returning", returning))
      .map(
        ([members, onNull, uniqueKeys, of]): Expression => ({ kind: "JsonObject", members, nulls: onNull, uniqueKeys, ...of, location }),
      ),
    maybe("returning", returning).map(
      (of): Expression => ({ kind: "JsonObject", members: [], nulls: "NULL", uniqueKeys: false, ...of, location }),
    ),
    fc
      .tuple(list(input), nulls, maybe("returning", returning))
      .map(([elements, onNull, of]): Expression => ({ kind: "JsonArray", elements, nulls: onNull, ...of, location })),
    maybe("returning", returning).map((of): Expression => ({ kind: "JsonArray", elements: [], nulls: "ABSENT", ...of, location })),
  ];
}

export function jsonTables(leaves: Leaves): fc.Arbitrary<Relation> {
  const { identifier, type, location, list, maybe } = leaves;
  const { format, path, invocation, valueBehaviors, queryClauses } = parts(leaves);
  const flatColumn: fc.Arbitrary<JsonTableColumn> = fc.oneof(
    identifier.map((name): JsonTableColumn => ({ kind: "JsonOrdinalityColumn", name, location })),
    fc
      .tuple(identifier, type, maybe("path", path), valueBehaviors)
      .map(([name, of, at, behaviors]): JsonTableColumn => ({ kind: "JsonValueColumn", name, type: of, ...at, ...behaviors, location })),
    fc.tuple(identifier, type, format, maybe("path", path), queryClauses).map(
      ([name, of, made, at, clauses]): JsonTableColumn => ({
        kind: "JsonQueryColumn",
        name,
        type: of,
        format: made,
        ...at,
        ...clauses,
        location,
      }),
    ),
  );
  const { column } = fc.letrec<{ column: JsonTableColumn }>((tie) => ({
    column: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      flatColumn,
      fc
        .tuple(path, maybe("pathName", identifier), list(tie("column")))
        .map(([of, name, columns]): JsonTableColumn => ({ kind: "JsonNestedColumns", path: of, ...name, columns, location })),
    ),
  }));
  const { plan } = fc.letrec<{ plan: JsonTablePlan }>((tie) => ({
    plan: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      identifier.map((name): JsonTablePlan => ({ kind: "JsonPathPlan", name, location })),
      fc
        .tuple(identifier, fc.constantFrom("OUTER", "INNER"), tie("plan"))
        .map(([parent, of, child]): JsonTablePlan => ({ kind: "JsonParentPlan", parent, type: of, child, location })),
      fc
        .tuple(fc.constantFrom("UNION", "CROSS"), list(tie("plan"), 2))
        .map(([of, terms]): JsonTablePlan => ({ kind: "JsonSiblingsPlan", type: of, terms, location })),
    ),
  }));
  const defaultPlan = fc
    .tuple(fc.constantFrom("OUTER", "INNER"), fc.constantFrom("UNION", "CROSS"))
    .map(([parentChild, siblings]) => ({ kind: "JsonDefaultPlan" as const, parentChild, siblings, location }));
  return fc
    .tuple(invocation, list(column), maybe("plan", fc.oneof(plan, defaultPlan)), maybe("errorBehavior", fc.constantFrom("ERROR", "EMPTY")))
    .map(([made, columns, of, onError]): Relation => ({ kind: "JsonTable", invocation: made, columns, ...of, ...onError, location }));
}
