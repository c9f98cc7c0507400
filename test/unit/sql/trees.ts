/**
 * Random syntax trees, in the shapes that the parser produces.
 */
import fc from "fast-check";
import type {
  Expression,
  FrameBound,
  Identifier,
  IntervalField,
  QualifiedName,
  Query,
  QueryBody,
  Relation,
  SelectItem,
  SetOperation,
  SortItem,
  TypeSyntax,
  WindowSpecification,
} from "../../../src/sql/ast/ast.ts";
import { jsonFunctions, jsonTables } from "./json-trees.ts";
import { patternRecognitions, windowPatterns } from "./pattern-trees.ts";
import { tableFunctionCalls } from "./table-function-trees.ts";

/** Predicates that a clause of CASE may have on its operand. */
function predicateOn(value: Expression, which: number, other: Expression): Expression {
  switch (which) {
    case 0:
      return { kind: "Comparison", operator: ">=", left: value, right: other, location };
    case 1:
      return { kind: "Between", value, min: other, max: { kind: "NullLiteral", location }, location };
    case 2:
      return { kind: "InList", value, list: [other], location };
    case 3:
      return { kind: "Like", value, pattern: other, location };
    case 4:
      return { kind: "IsNotNull", value, location };
    default:
      return { kind: "Comparison", operator: "IS DISTINCT FROM", left: value, right: other, location };
  }
}

export const location = { lineNumber: 1, columnNumber: 1 };

function setOperation(operator: SetOperation["operator"], distinct: boolean, terms: readonly QueryBody[]): SetOperation {
  return { kind: "SetOperation", operator, distinct, terms, keywords: terms.slice(1).map(() => ({ location })), location };
}

const names = [
  "a",
  "B",
  "orders",
  "limit",
  "offset",
  "date",
  "interval",
  "row",
  "array",
  "position",
  "trim",
  "filter",
  "over",
  "rows",
  "at",
  "type",
  "_x1",
  "zone",
  "if",
  "window",
  "lateral",
  "key",
  "value",
  "format",
  "nested",
  "path",
  "error",
  "function",
  "begin",
  "declare",
  "loop",
  "while",
  "do",
  "repeat",
  "until",
  "return",
  "elseif",
  "leave",
];
const quotedNames = ["a", "Mixed Case", 'with"quote', "select", "1st", "é", "from"];

export const identifier: fc.Arbitrary<Identifier> = fc.oneof(
  fc.constantFrom(...names).map((value): Identifier => ({ kind: "Identifier", value, delimited: false, location })),
  fc.constantFrom(...quotedNames).map((value): Identifier => ({ kind: "Identifier", value, delimited: true, location })),
);

export const qualifiedName: fc.Arbitrary<QualifiedName> = fc
  .array(identifier, { minLength: 1, maxLength: 3 })
  .map((parts): QualifiedName => ({ kind: "QualifiedName", parts, location }));

/** ROWS and similar words, as the name of a window, would begin the frame. */
const windowName = identifier.filter((name) => name.delimited || name.value === "a");

/** Names without a special form before `(`. */
const functionName: fc.Arbitrary<QualifiedName> = fc.oneof(
  fc
    .array(
      fc
        .constantFrom("f", "sum", "coalesce", "if", "date", "array")
        .map((value): Identifier => ({ kind: "Identifier", value, delimited: false, location })),
      {
        minLength: 1,
        maxLength: 1,
      },
    )
    .map((parts): QualifiedName => ({ kind: "QualifiedName", parts, location })),
  fc.constant<QualifiedName>({
    kind: "QualifiedName",
    parts: [
      { kind: "Identifier", value: "c", delimited: false, location },
      { kind: "Identifier", value: "My F", delimited: true, location },
    ],
    location,
  }),
);

export const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom("it's", "--", "/*", "''", "line\nbreak", "\u{1f600}"));
const fields: readonly IntervalField[] = ["YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"];
export const flag = fc.boolean();
export const list = <T>(element: fc.Arbitrary<T>, minLength = 1): fc.Arbitrary<T[]> => fc.array(element, { minLength, maxLength: 3 });

/** An optional member. */
export function maybe<K extends string, T>(key: K, value: fc.Arbitrary<T>): fc.Arbitrary<{ [P in K]?: T }> {
  return fc.option(value, { nil: undefined }).map((made) => (made === undefined ? {} : { [key]: made }) as { [P in K]?: T });
}

const simpleType: fc.Arbitrary<TypeSyntax> = fc.constantFrom<TypeSyntax>(
  { kind: "GenericType", name: "bigint", arguments: [], location },
  { kind: "GenericType", name: "decimal", arguments: [10, 2], location },
  { kind: "GenericType", name: "varchar", arguments: [5], location },
  { kind: "GenericType", name: "double", arguments: [], location },
  { kind: "GenericType", name: "timestamp with time zone", arguments: [3], location },
  { kind: "GenericType", name: "time with time zone", arguments: [], location },
  { kind: "GenericType", name: "interval day to second", arguments: [], location },
  { kind: "GenericType", name: "interval year to month", arguments: [], location },
);
export const type: fc.Arbitrary<TypeSyntax> = fc.oneof(
  simpleType,
  simpleType.map((of): TypeSyntax => ({ kind: "GenericType", name: "array", arguments: [of], location })),
  fc.tuple(simpleType, simpleType).map((of): TypeSyntax => ({ kind: "GenericType", name: "map", arguments: of, location })),
  list(fc.tuple(fc.option(identifier, { nil: undefined }), simpleType)).map(
    (made): TypeSyntax => ({
      kind: "RowType",
      fields: made.map(([name, of]) => ({ kind: "RowTypeField", ...(name === undefined ? {} : { name }), type: of, location })),
      location,
    }),
  ),
);

export const literal: fc.Arbitrary<Expression> = fc.oneof(
  fc.constantFrom<Expression>(
    { kind: "NullLiteral", location },
    { kind: "BooleanLiteral", value: true, location },
    { kind: "BooleanLiteral", value: false, location },
    { kind: "DecimalLiteral", value: "1.50", location },
    { kind: "DecimalLiteral", value: ".5", location },
    { kind: "DecimalLiteral", value: "7.", location },
    { kind: "DoubleLiteral", value: Number.POSITIVE_INFINITY, location },
    { kind: "BinaryLiteral", value: "0AFF", location },
    { kind: "GenericLiteral", type: "date", value: "1998-12-01", location },
    { kind: "GenericLiteral", type: "decimal", value: "1", location },
    { kind: "GenericLiteral", type: "my type", value: "1", location },
    { kind: "CurrentTime", function: "CURRENT_DATE", location },
    { kind: "CurrentTime", function: "LOCALTIMESTAMP", precision: 3, location },
    { kind: "CurrentName", name: "CURRENT_USER", location },
    { kind: "Parameter", position: 0, location },
  ),
  fc.bigInt({ min: 0n, max: 10n ** 30n }).map((value): Expression => ({ kind: "LongLiteral", value: String(value), location })),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value): Expression => ({ kind: "DoubleLiteral", value, location })),
  text.map((value): Expression => ({ kind: "StringLiteral", value, location })),
  fc
    .tuple(text, fc.constantFrom("+", "-"), fc.constantFrom(...fields), maybe("endField", fc.constantFrom(...fields)))
    .map(([value, sign, startField, end]): Expression => ({ kind: "IntervalLiteral", value, sign, startField, ...end, location })),
);

type Trees = {
  readonly expression: Expression;
  readonly query: Query;
  readonly relation: Relation;
  readonly window: WindowSpecification;
  readonly frameBound: FrameBound;
  readonly sortItem: SortItem;
};

/** One depth limit for all nested parts, so that trees stay readable. */
const depthIdentifier = fc.createDepthIdentifier();

const trees = fc.letrec<Trees>((tie) => {
  const expression = tie("expression");
  const query = tie("query");
  const sortItem = fc
    .tuple(expression, fc.constantFrom("ASC", "DESC"), maybe("nulls", fc.constantFrom("FIRST", "LAST")))
    .map(([key, ordering, nulls]): SortItem => ({ kind: "SortItem", key, ordering, ...nulls, location }));
  const comparison = fc.constantFrom("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM");
  const plainComparison = fc.constantFrom("=", "<>", "<", "<=", ">", ">=");
  const operators: fc.Arbitrary<Expression>[] = [
    fc
      .tuple(fc.constantFrom("+", "-", "*", "/", "%"), expression, expression)
      .map(([operator, left, right]): Expression => ({ kind: "ArithmeticBinary", operator, left, right, location })),
    fc
      .tuple(fc.constantFrom("+", "-"), expression)
      .map(([sign, value]): Expression => ({ kind: "ArithmeticUnary", sign, value, location })),
    fc
      .tuple(comparison, expression, expression)
      .map(([operator, left, right]): Expression => ({ kind: "Comparison", operator, left, right, location })),
    fc
      .tuple(fc.constantFrom("AND", "OR"), list(expression, 2))
      .map(([operator, terms]): Expression => ({ kind: "Logical", operator, terms, location })),
    expression.map((value): Expression => ({ kind: "Not", value, location })),
    fc.tuple(expression, expression, expression).map(([value, min, max]): Expression => ({ kind: "Between", value, min, max, location })),
    fc.tuple(expression, list(expression)).map(([value, made]): Expression => ({ kind: "InList", value, list: made, location })),
    fc.tuple(expression, query).map(([value, of]): Expression => ({ kind: "InSubquery", value, query: of, location })),
    fc
      .tuple(expression, expression, maybe("escape", expression))
      .map(([value, pattern, escape]): Expression => ({ kind: "Like", value, pattern, ...escape, location })),
    expression.map((value): Expression => ({ kind: "IsNull", value, location })),
    expression.map((value): Expression => ({ kind: "IsNotNull", value, location })),
    fc.tuple(expression, plainComparison, fc.constantFrom("ALL", "ANY"), query).map(
      ([value, operator, quantifier, of]): Expression => ({
        kind: "QuantifiedComparison",
        operator,
        quantifier,
        value,
        query: of,
        location,
      }),
    ),
  ];
  const forms: fc.Arbitrary<Expression>[] = [
    fc.tuple(expression, identifier).map(([base, field]): Expression => ({ kind: "Dereference", base, field, location })),
    fc.tuple(expression, expression).map(([base, index]): Expression => ({ kind: "Subscript", base, index, location })),
    fc.tuple(maybe("operand", expression), list(fc.tuple(expression, expression)), maybe("defaultValue", expression)).map(
      ([operand, whens, defaultValue]): Expression => ({
        kind: "Case",
        ...operand,
        whenClauses: whens.map(([when, result]) => ({ kind: "WhenClause", operand: when, result, location })),
        ...defaultValue,
        location,
      }),
    ),
    fc.tuple(expression, list(fc.tuple(fc.integer({ min: 0, max: 5 }), flag, text))).map(([operand, whens]): Expression => {
      const whenClauses = whens.map(([which, negated, value]) => {
        const result = { kind: "StringLiteral", value, location } as const;
        const predicate = predicateOn(operand, which, result);
        const isNegatable =
          predicate.kind !== "IsNotNull" && (predicate.kind !== "Comparison" || predicate.operator === "IS DISTINCT FROM");
        const written: Expression = negated && isNegatable ? { kind: "Not", value: predicate, location } : predicate;
        return { kind: "WhenClause", operand: written, isPredicate: true, result, location } as const;
      });
      return { kind: "Case", operand, whenClauses, location };
    }),
    fc.tuple(expression, list(expression)).map(([left, items]): Expression => {
      return { kind: "Overlaps", left, right: { kind: "Row", items, location }, location };
    }),
    fc.tuple(expression, type, flag).map(([value, of, safe]): Expression => ({ kind: "Cast", value, type: of, safe, location })),
    fc.tuple(fc.constantFrom("YEAR", "DOW"), expression).map(([field, value]): Expression => ({ kind: "Extract", field, value, location })),
    fc.tuple(expression, text).map(
      ([value, zone]): Expression => ({
        kind: "AtTimeZone",
        value,
        timeZone: { kind: "StringLiteral", value: zone, location },
        location,
      }),
    ),
    query.map((of): Expression => ({ kind: "SubqueryExpression", query: of, location })),
    query.map((of): Expression => ({ kind: "Exists", query: of, location })),
    list(expression).map((items): Expression => ({ kind: "Row", items, location })),
    list(expression, 0).map((items): Expression => ({ kind: "ArrayConstructor", items, location })),
    fc.tuple(list(identifier, 0), expression).map(([parameters, body]): Expression => ({ kind: "Lambda", parameters, body, location })),
    fc.tuple(functionName, list(expression), flag, list(sortItem, 0), maybe("filter", expression)).map(
      ([name, args, distinct, orderBy, filter]): Expression => ({
        kind: "FunctionCall",
        name,
        arguments: args,
        star: false,
        distinct,
        orderBy,
        ...filter,
        location,
      }),
    ),
    fc.tuple(functionName, maybe("nullTreatment", fc.constantFrom("IGNORE", "RESPECT")), tie("window")).map(
      ([name, nulls, window]): Expression => ({
        kind: "FunctionCall",
        name,
        arguments: [],
        star: true,
        distinct: false,
        orderBy: [],
        ...nulls,
        window,
        location,
      }),
    ),
    fc.tuple(functionName, identifier).map(
      ([name, window]): Expression => ({
        kind: "FunctionCall",
        name,
        arguments: [],
        star: false,
        distinct: false,
        orderBy: [],
        window: { kind: "WindowReference", name: window, location },
        location,
      }),
    ),
    fc.tuple(functionName, fc.constantFrom("RUNNING", "FINAL"), maybe("starLabel", identifier)).map(
      ([name, mode, label]): Expression => ({
        kind: "FunctionCall",
        name,
        arguments: [],
        star: true,
        ...label,
        processingMode: { kind: "ProcessingMode", mode, location },
        distinct: false,
        orderBy: [],
        location,
      }),
    ),
    fc.tuple(identifier, tie("window")).map(([name, of]): Expression => ({ kind: "WindowMeasure", name, window: of, location })),
    fc
      .tuple(identifier, identifier)
      .map(
        ([name, of]): Expression => ({ kind: "WindowMeasure", name, window: { kind: "WindowReference", name: of, location }, location }),
      ),
    ...jsonFunctions({ expression, identifier, type, text, location, list, maybe }),
  ];
  const frameBound: fc.Arbitrary<FrameBound> = fc.oneof(
    fc
      .constantFrom("UNBOUNDED PRECEDING", "CURRENT ROW", "UNBOUNDED FOLLOWING")
      .map((of): FrameBound => ({ kind: "FrameBound", type: of, location })),
    fc
      .tuple(fc.constantFrom("PRECEDING", "FOLLOWING"), expression)
      .map(([of, value]): FrameBound => ({ kind: "FrameBound", type: of, value, location })),
  );
  const frame = fc
    .tuple(
      fc.constantFrom("ROWS", "RANGE", "GROUPS"),
      frameBound,
      maybe("end", frameBound),
      maybe("recognition", windowPatterns({ expression, identifier, location, list, maybe })),
    )
    .map(([of, start, end, recognition]) => ({ kind: "WindowFrame" as const, type: of, start, ...end, ...recognition, location }));
  const window = fc.tuple(maybe("existingWindow", windowName), list(expression, 0), list(sortItem, 0), maybe("frame", frame)).map(
    ([existing, partitionBy, orderBy, made]): WindowSpecification => ({
      kind: "WindowSpecification",
      ...existing,
      partitionBy,
      orderBy,
      ...made,
      location,
    }),
  );
  return {
    expression: fc.oneof({ maxDepth: 3, depthIdentifier, withCrossShrink: true }, literal, identifier, ...operators, ...forms),
    sortItem,
    frameBound,
    window,
    relation: relations(tie("relation"), query, expression, sortItem),
    query: queries(query, tie("relation"), expression, sortItem, window),
  };
});

function relations(
  relation: fc.Arbitrary<Relation>,
  query: fc.Arbitrary<Query>,
  expression: fc.Arbitrary<Expression>,
  sortItem: fc.Arbitrary<SortItem>,
): fc.Arbitrary<Relation> {
  const criteria = fc.oneof(
    expression.map((on) => ({ kind: "JoinOn" as const, expression: on, location })),
    list(identifier).map((columns) => ({ kind: "JoinUsing" as const, columns, location })),
    fc.constant({ kind: "NaturalJoin" as const, location }),
  );
  return fc.oneof(
    { maxDepth: 3, depthIdentifier, withCrossShrink: true },
    qualifiedName.map((name): Relation => ({ kind: "Table", name, location })),
    fc
      .tuple(
        qualifiedName,
        fc.constantFrom("VERSION" as const, "TIMESTAMP" as const),
        fc.constantFrom("AS OF" as const, "BEFORE" as const),
        expression,
      )
      .map(
        ([name, pointer, state, value]): Relation => ({
          kind: "Table",
          name,
          period: { kind: "QueryPeriod", pointer, state, value, location },
          location,
        }),
      ),
    fc.string({ maxLength: 8 }).map((value): Relation => {
      const part = { kind: "Identifier", value, delimited: true, location } as const;
      return { kind: "Table", name: { kind: "QualifiedName", parts: [part], isPath: true, location }, location };
    }),
    fc
      .tuple(relation, identifier, maybe("columnNames", list(identifier)))
      .map(([of, alias, columns]): Relation => ({ kind: "AliasedRelation", relation: of, alias, ...columns, location })),
    query.map((of): Relation => ({ kind: "TableSubquery", query: of, location })),
    fc
      .tuple(fc.constantFrom("INNER", "LEFT", "RIGHT", "FULL"), relation, relation, criteria)
      .map(([of, left, right, on]): Relation => ({ kind: "Join", type: of, left, right, criteria: on, location })),
    fc.tuple(relation, relation).map(([left, right]): Relation => ({ kind: "Join", type: "CROSS", left, right, location })),
    query.map((of): Relation => ({ kind: "Lateral", query: of, location })),
    fc
      .tuple(list(expression), flag)
      .map(([expressions, withOrdinality]): Relation => ({ kind: "Unnest", expressions, withOrdinality, location })),
    fc
      .tuple(relation, fc.constantFrom("BERNOULLI", "SYSTEM"), expression)
      .map(([of, method, percentage]): Relation => ({ kind: "SampledRelation", relation: of, method, percentage, location })),
    fc
      .tuple(
        relation,
        list(fc.tuple(expression, maybe("alias", identifier))),
        fc.constantFrom(1, 2),
        list(fc.tuple(expression, expression, maybe("alias", identifier))),
        fc.option(list(identifier), { nil: undefined }),
      )
      .map(([of, aggregations, width, values, grouped]): Relation => {
        const column = { kind: "Identifier", value: "c", delimited: false, location } as const;
        const elements = grouped?.map((one) => ({ kind: "SimpleGroupBy", expressions: [one], location }) as const);
        return {
          kind: "Pivot",
          relation: of,
          aggregations: aggregations.map(([one, alias]) => ({ kind: "PivotAggregation", expression: one, ...alias, location })),
          columns: [column, column].slice(0, width),
          values: values.map(([first, second, alias]) => ({
            kind: "PivotValue",
            expressions: [first, second].slice(0, width),
            ...alias,
            location,
          })),
          ...(elements !== undefined && { groupBy: { kind: "GroupBy", distinct: false, elements, location } }),
          location,
        };
      }),
    jsonTables({ expression, identifier, type, text, location, list, maybe }),
    patternRecognitions({ expression, identifier, relation, sortItem, location, list, maybe }),
    tableFunctionCalls({ expression, identifier, qualifiedName, sortItem, query, type, location, list, maybe }),
  );
}

function queries(
  query: fc.Arbitrary<Query>,
  relation: fc.Arbitrary<Relation>,
  expression: fc.Arbitrary<Expression>,
  sortItem: fc.Arbitrary<SortItem>,
  window: fc.Arbitrary<WindowSpecification>,
): fc.Arbitrary<Query> {
  const selectItem: fc.Arbitrary<SelectItem> = fc.oneof(
    fc.constant<SelectItem>({ kind: "AllColumns", aliases: [], location }),
    fc.tuple(identifier, list(identifier, 0)).map(([target, aliases]): SelectItem => ({ kind: "AllColumns", target, aliases, location })),
    fc
      .tuple(expression, maybe("alias", identifier))
      .map(([of, alias]): SelectItem => ({ kind: "SingleColumn", expression: of, ...alias, location })),
  );
  const groupingSet = fc.oneof(
    list(identifier, 0),
    list(expression).filter((set) => set.length > 1),
  );
  const element = fc.oneof(
    groupingSet.map((expressions) => ({ kind: "SimpleGroupBy" as const, expressions, location })),
    fc.constant({ kind: "AutoGroupBy" as const, location }),
    list(groupingSet).map((sets) => ({ kind: "GroupingSets" as const, sets, location })),
    list(expression, 0).map((expressions) => ({ kind: "Rollup" as const, expressions, location })),
    list(expression, 0).map((expressions) => ({ kind: "Cube" as const, expressions, location })),
  );
  // A comma in FROM is allowed only at its top level.
  const from = fc.oneof(
    relation,
    fc.tuple(relation, relation, relation).map(
      ([first, second, third]): Relation => ({
        kind: "Join",
        type: "IMPLICIT",
        left: { kind: "Join", type: "IMPLICIT", left: first, right: second, location },
        right: third,
        location,
      }),
    ),
  );
  const specification: fc.Arbitrary<QueryBody> = fc
    .tuple(
      flag,
      list(selectItem),
      maybe("from", from),
      maybe("where", expression),
      maybe(
        "groupBy",
        fc.tuple(flag, list(element)).map(([distinct, elements]) => ({ kind: "GroupBy" as const, distinct, elements, location })),
      ),
      maybe("having", expression),
      maybe("qualify", expression),
      list(fc.tuple(identifier, window), 0),
    )
    .map(
      ([distinct, items, from_, where, groupBy, having, qualify, windows]): QueryBody => ({
        kind: "QuerySpecification",
        select: { kind: "Select", distinct, items, location },
        ...from_,
        ...where,
        ...groupBy,
        ...having,
        ...qualify,
        windows: windows.map(([name, of]) => ({ kind: "WindowDefinition", name, window: of, location })),
        location,
      }),
    );
  const primary: fc.Arbitrary<QueryBody> = fc.oneof(
    { maxDepth: 3, depthIdentifier, withCrossShrink: true },
    qualifiedName.map((name): QueryBody => ({ kind: "TableQuery", name, location })),
    list(expression).map((rows): QueryBody => ({ kind: "Values", rows, location })),
    specification,
    query.map((of): QueryBody => ({ kind: "TableSubquery", query: of, location })),
  );
  const intersection = fc.oneof(
    primary,
    fc.tuple(flag, list(primary, 2)).map(([distinct, terms]): QueryBody => setOperation("INTERSECT", distinct, terms)),
  );
  const body = fc.oneof(
    intersection,
    fc
      .tuple(fc.constantFrom("UNION", "EXCEPT"), flag, list(intersection, 2))
      .map(([operator, distinct, terms]): QueryBody => setOperation(operator, distinct, terms)),
    fc
      .tuple(list(intersection, 2), list(intersection))
      .map(([first, others]): QueryBody => setOperation("UNION", true, [setOperation("UNION", false, first), ...others])),
    fc.tuple(fc.constantFrom("UNION", "EXCEPT"), flag, intersection, intersection, maybe("columns", list(identifier))).map(
      ([operator, distinct, left, right, columns]): QueryBody => ({
        ...setOperation(operator, distinct, [setOperation(operator, distinct, [left, right]), right]),
        corresponding: { kind: "Corresponding", ...columns, location },
      }),
    ),
  );
  const ten: Expression = { kind: "LongLiteral", value: "10", location };
  const count = fc.constantFrom<Expression>(
    ten,
    { kind: "Parameter", position: 0, location },
    { kind: "ArithmeticBinary", operator: "+", left: ten, right: ten, location },
    { kind: "Cast", safe: false, value: ten, type: { kind: "GenericType", name: "bigint", arguments: [], location }, location },
  );
  const percentage = fc.oneof(count, fc.constant<Expression>({ kind: "DecimalLiteral", value: "12.5", location }));
  const limit = fc.oneof(
    maybe("count", count).map((made) => ({ kind: "Limit" as const, ...made, location })),
    fc
      .tuple(maybe("count", count), flag)
      .map(([made, withTies]) => ({ kind: "FetchFirst" as const, ...made, percent: false, withTies, location })),
    fc.tuple(percentage, flag).map(([made, withTies]) => ({ kind: "FetchFirst" as const, count: made, percent: true, withTies, location })),
  );
  const withQuery = fc
    .tuple(identifier, maybe("columnNames", list(identifier)), query)
    .map(([name, columns, of]) => ({ kind: "WithQuery" as const, name, ...columns, query: of, location }));
  const withClause = fc
    .tuple(flag, list(withQuery))
    .map(([recursive, made]) => ({ kind: "With" as const, recursive, queries: made, location }));
  return fc
    .tuple(
      fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: withClause }),
      body,
      list(sortItem, 0),
      maybe("offset", count),
      maybe("limit", limit),
    )
    .map(
      ([made, of, orderBy, offset, limited]): Query => ({
        kind: "Query",
        ...(made === undefined ? {} : { with: made }),
        body: of,
        orderBy,
        ...offset,
        ...limited,
        location,
      }),
    )
    .map(withoutNeedlessParentheses);
}

/** The parser cannot distinguish `IN ((SELECT 1))` from `IN (scalar subquery)`, so a query is never just a subquery. */
function withoutNeedlessParentheses(query: Query): Query {
  const { body } = query;
  const bare = query.with === undefined && query.orderBy.length === 0 && query.offset === undefined && query.limit === undefined;
  return bare && body.kind === "TableSubquery" ? body.query : query;
}

export const anyExpression: fc.Arbitrary<Expression> = trees.expression;
export const anyQuery: fc.Arbitrary<Query> = trees.query;

/** The tree without what depends on the text's layout: locations and the parameter count. */
export function withoutPlaces(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) =>
      key === "location" || key === "position" ? undefined : value === Number.POSITIVE_INFINITY ? "Infinity" : value,
    ),
  );
}
