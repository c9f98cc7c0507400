/**
 * Productions that no generated statement has, with the reason. `ShowTables` includes its options.
 */
const excuses: Readonly<Record<string, readonly string[]>> = {
  "tells names or settings of the engine itself, which DuckDB has otherwise or not at all: test/oracle/statements, test/conformance": [
    "DescribeInput",
    "DescribeOutput",
    "Explain",
    "ShowCatalogs",
    "ShowColumns",
    "ShowCreate",
    "ShowFunctions",
    "ShowGrants",
    "ShowPattern",
    "ShowRoleGrants",
    "ShowRoles",
    "ShowSchemas",
    "ShowSession",
    "ShowStats",
    "ShowTables",
  ],
  "changes the session, and a generated statement has none of its own: test/conformance": [
    "Commit",
    "Deallocate",
    "Execute",
    "Prepare",
    "ResetSession",
    "ResetSessionAuthorization",
    "Rollback",
    "SetPath",
    "SetRole",
    "SetSession",
    "SetSessionAuthorization",
    "SetTimeZone",
    "StartTransaction",
    "Use",
  ],
  "about users and their rights, of which the engine keeps none: test/unit/sql, test/oracle/statements": [
    "CreateRole",
    "DropRole",
    "Grant",
    "GrantRoles",
    "Principal",
    "SetAuthorization",
  ],
  "the engine answers that it is not supported: test/unit/planner": [
    "CreateMaterializedView",
    "DropMaterializedView",
    "RefreshMaterializedView",
    "RenameMaterializedView",
    "SetColumnType",
    "SetTableProperties",
    "AlteredProperty",
    "TableExecute",
  ],
  "tables and schemas that more than one statement needs: the worlds of a run share theirs, and test/oracle/statements/changes.sql has these":
    [
      "Analyze",
      "Call",
      "CallArgument",
      "ColumnDefinition.comment",
      "ColumnDefinition.nullable=false",
      "SetColumnNullable",
      "Comment",
      "CreateSchema",
      "CreateView",
      "DropSchema",
      "DropTable",
      "DropView",
      "LikeClause",
      "RenameSchema",
      "RenameTable",
      "RenameView",
    ],
  "the memory connector has no properties: test/unit/planner": [
    "ColumnDefinition.properties",
    "CreateTable.properties",
    "CreateTableAsSelect.properties",
    "Property",
  ],
  "a word of the type that no statement can spell there": [
    "IntervalLiteral.endField=DAY",
    "IntervalLiteral.endField=WEEK",
    "IntervalLiteral.endField=YEAR",
    "QuantifiedComparison.operator=IS DISTINCT FROM",
  ],
  "no table function that a run knows has such an argument: test/unit/execution/operators/table-function": [
    "DescriptorField.type",
    "EmptyTreatment",
    "TableArgument.emptyTreatment",
    "TableArgument.orderBy",
    "TableArgument.partitionBy",
    "TableFunctionCall.copartitioned",
  ],
  "both table functions that a run knows are other nodes, a scan and a projection: test/unit/execution/operators/table-function": [
    "plan TableFunctionNode",
    "plan TableFunctionInput",
  ],
  "functions of a catalog outlive a statement, and a run has none: test/oracle/statements/routines.sql": [
    "CreateFunction",
    "DropFunction",
    "SecurityCharacteristic",
  ],
  "only a function with chance in it may say so: test/oracle/statements/routines-control.sql": [
    "DeterministicCharacteristic.deterministic=false",
  ],
  "refused in MATCH_RECOGNIZE: test/oracle/statements/row-pattern-errors.sql": ["PatternRecognition.searchMode"],
  "no regular expression begins again inside its match: test/oracle/patterns": [
    "AfterMatchSkip.to=FIRST",
    "AfterMatchSkip.to=LAST",
    "AfterMatchSkip.to=VARIABLE",
    "AfterMatchSkip.variable",
  ],
  "stands in a plan only until it is cut into fragments": ["plan ExchangeNode", "plan SharedPlan", "plan SharedSourceNode"],
  "only tables of the system are read there: test/oracle/statements/jdbc.sql": ["plan TableReference.coordinatorOnly=true"],
  "tables of a run are too small to be worth it: test/oracle/remote-dynamic-filters.test.ts": [
    "plan JoinNode.remoteDynamicFilters",
    "plan SemiJoinNode.remoteDynamicFilters",
    "plan TableScanNode.remoteDynamicFilters",
  ],
};

const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries(excuses).flatMap(([reason, productions]) => productions.map((production) => [production, reason] as const)),
);

/** The excuse of the production itself, of its field, or of its node. */
export function excuseOf(production: string): string | undefined {
  const [field = ""] = production.split("=");
  const [node = ""] = field.split(".");
  return reasons.get(production) ?? reasons.get(field.replace("[]", "")) ?? reasons.get(node);
}
