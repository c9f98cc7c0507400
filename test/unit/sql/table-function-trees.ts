/**
 * Random trees of table function calls, in the shapes that the parser produces.
 */
import fc from "fast-check";
import type {
  DescriptorArgument,
  Expression,
  Identifier,
  Location,
  QualifiedName,
  Query,
  Relation,
  SortItem,
  TableArgument,
  TableFunctionArgument,
  TypeSyntax,
} from "../../../src/sql/ast/ast.ts";

interface Leaves {
  readonly expression: fc.Arbitrary<Expression>;
  readonly identifier: fc.Arbitrary<Identifier>;
  readonly qualifiedName: fc.Arbitrary<QualifiedName>;
  readonly sortItem: fc.Arbitrary<SortItem>;
  readonly query: fc.Arbitrary<Query>;
  readonly type: fc.Arbitrary<TypeSyntax>;
  readonly location: Location;
  readonly list: <T>(element: fc.Arbitrary<T>, minLength?: number) => fc.Arbitrary<T[]>;
  readonly maybe: <K extends string, T>(key: K, value: fc.Arbitrary<T>) => fc.Arbitrary<{ [P in K]?: T }>;
}

function tableArguments({ expression, identifier, qualifiedName, sortItem, query, location, list, maybe }: Leaves) {
  const named = fc.oneof(
    qualifiedName.map((name): Relation => ({ kind: "Table", name, location })),
    query.map((of): Relation => ({ kind: "TableSubquery", query: of, location })),
  );
  const relation = fc.oneof(
    named,
    fc
      .tuple(named, identifier, maybe("columnNames", list(identifier)))
      .map(([of, alias, columns]): Relation => ({ kind: "AliasedRelation", relation: of, alias, ...columns, location })),
  );
  const treatment = fc.constantFrom("KEEP", "PRUNE").map((of) => ({ kind: "EmptyTreatment" as const, treatment: of, location }));
  return fc
    .tuple(relation, maybe("partitionBy", list(expression, 0)), maybe("orderBy", list(sortItem)), maybe("emptyTreatment", treatment))
    .map(
      ([of, partitionBy, orderBy, emptyTreatment]): TableArgument => ({
        kind: "TableArgument",
        relation: of,
        ...partitionBy,
        ...orderBy,
        ...emptyTreatment,
        location,
      }),
    );
}

export function tableFunctionCalls(leaves: Leaves): fc.Arbitrary<Relation> {
  const { expression, identifier, qualifiedName, type, location, list, maybe } = leaves;
  const field = fc
    .tuple(identifier, maybe("type", type))
    .map(([name, of]) => ({ kind: "DescriptorField" as const, name, ...of, location }));
  const descriptor = maybe("fields", list(field)).map(
    (fields): DescriptorArgument => ({ kind: "DescriptorArgument", ...fields, location }),
  );
  const argument = fc
    .tuple(maybe("name", identifier), fc.oneof(expression, tableArguments(leaves), descriptor))
    .map(([name, value]): TableFunctionArgument => ({ kind: "TableFunctionArgument", ...name, value, location }));
  return fc
    .tuple(qualifiedName, list(argument, 0), list(list(qualifiedName, 2), 0))
    .map(([name, args, copartitioned]): Relation => ({ kind: "TableFunctionCall", name, arguments: args, copartitioned, location }));
}
