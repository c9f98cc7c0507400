/**
 * Rewrites a statement as a query whose parameters have the same types, for DESCRIBE INPUT.
 */
import type {
  Expression,
  Identifier,
  Merge,
  MergeCase,
  QualifiedName,
  Query,
  Relation,
  SelectItem,
  Statement,
} from "../../../sql/ast/ast.ts";

/**
 * Returns a query with the statement's parameters in equivalent positions. Returns undefined for statements that cannot have parameters.
 */
export function describable(statement: Statement): Query | undefined {
  switch (statement.kind) {
    case "Query":
      return statement;
    case "Insert":
    case "CreateTableAsSelect":
      return statement.query;
    case "Explain":
      return describable(statement.statement);
    case "Delete":
      return selectFrom(tableOf(statement.table), [], statement.where);
    case "Merge":
      return selectFrom(
        mergedRows(statement),
        statement.cases.flatMap((one) => mergeValues(one, statement)),
        conditionOf(statement),
      );
    case "Update":
      return selectFrom(
        tableOf(statement.table),
        statement.assignments.map(({ column, value, location }): Expression => {
          return { kind: "Comparison", operator: "=", left: column, right: value, location };
        }),
        statement.where,
      );
    default:
      return undefined;
  }
}

function tableOf(name: QualifiedName): Relation {
  return { kind: "Table", name, location: name.location };
}

function mergedRows({ alias, location, source, table }: Merge): Relation {
  const target = tableOf(table);
  const left: Relation = alias === undefined ? target : { kind: "AliasedRelation", relation: target, alias, location };
  return { kind: "Join", type: "CROSS", left, right: source, location };
}

function conditionOf({ cases, condition, location }: Merge): Expression {
  return { kind: "Logical", operator: "AND", terms: [condition, ...cases.flatMap((one) => one.condition ?? [])], location };
}

/** Returns the values of a WHEN clause, compared with the target columns that they are assigned to. */
function mergeValues(one: MergeCase, merge: Merge): readonly Expression[] {
  const { location } = one;
  const name = merge.alias ?? (merge.table.parts.at(-1) as Identifier);
  const taken = (column: Identifier, right: Expression): Expression => {
    return { kind: "Comparison", operator: "=", left: { kind: "Dereference", base: name, field: column, location }, right, location };
  };
  switch (one.kind) {
    case "MergeUpdate":
      return one.assignments.map(({ column, value }) => taken(column, value));
    case "MergeInsert":
      return one.values.map((value, index) => (one.columns?.[index] === undefined ? value : taken(one.columns[index], value)));
    case "MergeDelete":
      return [];
  }
}

function selectFrom(from: Relation, expressions: readonly Expression[], where?: Expression): Query {
  const { location } = from;
  const one: Expression = { kind: "LongLiteral", value: "1", location };
  const items = [one, ...expressions].map((expression): SelectItem => ({ kind: "SingleColumn", expression, location }));
  const body = {
    kind: "QuerySpecification",
    select: { kind: "Select", distinct: false, items, location },
    from,
    windows: [],
    location,
  } as const;
  return { kind: "Query", body: where === undefined ? body : { ...body, where }, orderBy: [], location };
}
