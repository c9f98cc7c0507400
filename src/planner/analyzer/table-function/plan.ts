/**
 * Plans `TABLE(f(...))`: a scan for a function without table arguments, otherwise a TableFunction node over its table arguments.
 */
import type {
  ProcessingAnalysis,
  ProcessingTableFunction,
  ReturnedColumn,
  SourceTableFunction,
  TableFunctionArgument,
} from "../../../connectors/table-function.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { type AliasedRelation, lowerName, type TableFunctionCall } from "../../../sql/ast/ast.ts";
import type { Variable } from "../../plan/typed-expression.ts";
import type { PlanNode, TableFunctionInput } from "../../plan/node.ts";
import type { Analysis, QueryContext } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import type { Field, RelationPlan } from "../scope/scope.ts";
import { bindArguments, constantArgument, tableArgument } from "./arguments.ts";
import { copartition } from "./copartition.ts";
import { resolveTableFunction, sourceArguments, sourceKey, type ResolvedTableFunction } from "./resolve.ts";
import { planTableArgument, type PlannedArgument } from "./tables.ts";

/** `proper` are the function's own columns, which get its alias. `passed` are columns of its tables, which keep their qualifiers. */
interface Planned {
  readonly node: PlanNode;
  readonly proper: readonly Field[];
  readonly passed: readonly Field[];
  readonly isPassThrough: boolean;
  readonly tables: readonly PlannedArgument[];
}

export function planTableFunction(
  call: TableFunctionCall,
  alias: AliasedRelation | undefined,
  analysis: Analysis,
  queries: QueryContext,
): RelationPlan {
  const resolved = resolveTableFunction(call, analysis.context);
  const planned =
    resolved.function.kind === "SOURCE"
      ? planSource(call, resolved, resolved.function, analysis)
      : planProcessing(call, resolved.catalog, resolved.function, analysis, queries);
  const proper = alias === undefined ? planned.proper : aliased(alias, call, planned);
  return { node: planned.node, fields: [...proper, ...planned.passed] };
}

function aliased(relation: AliasedRelation, call: TableFunctionCall, { isPassThrough, proper, tables }: Planned): readonly Field[] {
  const { alias, columnNames } = relation;
  if (isPassThrough) {
    const message = "Alias specified for table function with ONLY PASS THROUGH return type";
    throw semanticError("INVALID_TABLE_FUNCTION_INVOCATION", call.name, message);
  }
  const name = lowerName(alias);
  const duplicate = tables.find(({ qualifier }) => qualifier?.[qualifier.length - 1] === name);
  if (duplicate !== undefined) {
    const message = `Relation alias: ${alias.value} is a duplicate of input table name: ${duplicate.qualifier?.join(".")}`;
    throw semanticError("DUPLICATE_RANGE_VARIABLE", alias, message);
  }
  if (columnNames !== undefined && columnNames.length !== proper.length) {
    const message = `Column alias list has ${columnNames.length} entries but table function has ${proper.length} proper columns`;
    throw semanticError("MISMATCHED_COLUMN_ALIASES", relation, message);
  }
  const names = columnNames?.map(({ value }) => value) ?? proper.map((field) => field.name);
  const seen = new Set<string>();
  for (const column of names) {
    if (column === undefined) {
      continue;
    }
    const lower = column.toLowerCase();
    if (seen.has(lower)) {
      throw semanticError("DUPLICATE_COLUMN_NAME", call.name, `Duplicate name of table function proper column: ${lower}`);
    }
    seen.add(lower);
  }
  return proper.map((field, index) => {
    const { name: _name, ...rest } = field;
    return { ...rest, ...(names[index] === undefined ? {} : { name: names[index] }), qualifier: [name] };
  });
}

function planSource(call: TableFunctionCall, resolved: ResolvedTableFunction, found: SourceTableFunction, analysis: Analysis): Planned {
  const args = sourceArguments(call, found, analysis);
  const answer = analysis.tables.source(sourceKey(resolved, args));
  if (answer instanceof QueryError) {
    throw answer;
  }
  const { table } = answer;
  const outputs = table.columns.map((column) => analysis.ids.variable(column.name, column.type));
  const node: PlanNode = {
    kind: "TableScan",
    id: analysis.ids.node(),
    table: {
      catalog: resolved.catalog,
      name: table.name,
      handle: table.handle,
      coordinatorOnly: table.coordinatorOnly ?? false,
      call: [...args].map(([name, argument]) => `${name} => ${describeArgument(argument)}`).join(", "),
    },
    outputs,
    columns: table.columns,
  };
  const proper = table.columns.map(
    (column, index): Field => ({ name: column.name, expression: outputs[index] as Variable, hidden: column.hidden ?? false }),
  );
  return { node, proper, passed: [], isPassThrough: false, tables: [] };
}

function describeArgument(argument: TableFunctionArgument): string {
  switch (argument.kind) {
    case "SCALAR":
      return String(argument.value);
    case "DESCRIPTOR":
      return argument.fields === null ? "NULL" : `DESCRIPTOR(${argument.fields.map(({ name }) => name).join(", ")})`;
    case "TABLE":
      return "TABLE";
  }
}

function planProcessing(
  call: TableFunctionCall,
  catalog: string,
  found: ProcessingTableFunction,
  analysis: Analysis,
  queries: QueryContext,
): Planned {
  const bound = bindArguments(call, found.parameters);
  const tables: PlannedArgument[] = [];
  const args = new Map<string, TableFunctionArgument>();
  for (const parameter of found.parameters) {
    if (parameter.kind !== "TABLE") {
      args.set(parameter.name, constantArgument(call, parameter, bound, analysis));
      continue;
    }
    const table = planTableArgument(parameter, tableArgument(call, parameter, bound), bound.get(parameter.name) ?? call, analysis, queries);
    tables.push(table);
    args.set(parameter.name, { kind: "TABLE", columns: table.columns, partitionBy: table.partitionNames });
  }
  const groups = copartition(call, tables, analysis);
  const answer = found.analyze(args);
  const required = groups.tables.map((table) => requiredOf(table, answer));
  const returned = returnedColumns(found, answer);
  if (answer.isProjection === true) {
    const [table] = groups.tables as [PlannedArgument];
    const proper = returned.map((column, index) => fieldOf(column, (required[0] as readonly Variable[])[index] as Variable));
    return { node: table.node, proper, passed: [], isPassThrough: false, tables };
  }
  const outputs = returned.map(({ name, type }) => analysis.ids.variable(name ?? "column", type));
  const inputs = groups.tables.map((table, index) => inputOf(table, required[index] as readonly Variable[], tables.length));
  const node: PlanNode = {
    kind: "TableFunction",
    id: analysis.ids.node(),
    function: { catalog, schema: found.schema, name: found.name, handle: answer.handle },
    sources: groups.tables.map((table) => table.node),
    inputs,
    copartitioned: groups.places,
    outputs,
  };
  return {
    node,
    proper: returned.map((column, index) => fieldOf(column, outputs[index] as Variable)),
    passed: groups.tables.flatMap(({ passed }) => passed),
    isPassThrough: found.returns === "PASS_THROUGH",
    tables,
  };
}

function fieldOf({ name }: ReturnedColumn, expression: Variable): Field {
  return { ...(name === undefined ? {} : { name }), expression, hidden: false };
}

function returnedColumns({ name, returns }: ProcessingTableFunction, { columns }: ProcessingAnalysis): readonly ReturnedColumn[] {
  if (returns === "PASS_THROUGH") {
    return [];
  }
  if (returns !== "GENERIC") {
    return returns;
  }
  if (columns !== undefined && columns.length > 0) {
    return columns;
  }
  throw new QueryError("FUNCTION_IMPLEMENTATION_ERROR", `Cannot determine returned relation type for table function ${name}`);
}

function requiredOf({ parameter, variables }: PlannedArgument, { required }: ProcessingAnalysis): readonly Variable[] {
  const indices = Object.hasOwn(required, parameter.name) ? (required[parameter.name] as readonly number[]) : [];
  if (indices.length === 0) {
    const message = `Table function does not specify required columns from table argument ${parameter.name}`;
    throw new QueryError("FUNCTION_IMPLEMENTATION_ERROR", message);
  }
  return indices.map((index) => {
    const variable = variables[index];
    if (variable !== undefined) {
      return variable;
    }
    const message = `Invalid index: ${index} of required column from table argument ${parameter.name}`;
    throw new QueryError("FUNCTION_IMPLEMENTATION_ERROR", message);
  });
}

/** With several tables, a table with row semantics is treated as a set without partition keys. */
function inputOf(table: PlannedArgument, required: readonly Variable[], tables: number): TableFunctionInput {
  const { orderBy, parameter, partitionBy, passed, prunesWhenEmpty } = table;
  return {
    argument: parameter.name,
    semantics: parameter.semantics === "ROWS" && tables === 1 ? "ROWS" : "SET",
    partitionBy,
    orderBy,
    prunesWhenEmpty,
    required,
    passed: passed.map(({ expression }) => expression as Variable),
    passesThrough: parameter.passesThrough === true,
  };
}
