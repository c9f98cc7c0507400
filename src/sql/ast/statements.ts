/**
 * Syntax nodes of statements, but for those that define things (definition-statements.ts, materialized-views.ts, sql/ast/routines.ts) and
 * those about users (access-statements.ts).
 */
import type { AccessStatement } from "./access-statements.ts";
import type { DefinitionStatement, Property } from "./definition-statements.ts";
import type { Expression, Identifier, Location, QualifiedName } from "./expression-nodes.ts";
import type { MaterializedViewStatement } from "./materialized-views.ts";
import type { Query, Relation } from "./relations.ts";
import type { RoutineStatement } from "./routines.ts";

interface Located {
  readonly location: Location;
}

export interface Explain extends Located {
  readonly kind: "Explain";
  readonly analyze: boolean;
  readonly verbose: boolean;
  readonly type?: "LOGICAL" | "DISTRIBUTED" | "VALIDATE" | "IO";
  readonly format?: "TEXT" | "GRAPHVIZ" | "JSON";
  readonly statement: Statement;
}

/** LIKE in a SHOW statement. */
export interface ShowPattern extends Located {
  readonly kind: "ShowPattern";
  readonly like: string;
  readonly escape?: string;
}

export interface ShowCatalogs extends Located {
  readonly kind: "ShowCatalogs";
  readonly pattern?: ShowPattern;
}

export interface ShowSchemas extends Located {
  readonly kind: "ShowSchemas";
  readonly catalog?: Identifier;
  readonly pattern?: ShowPattern;
}

export interface ShowTables extends Located {
  readonly kind: "ShowTables";
  readonly schema?: QualifiedName;
  readonly pattern?: ShowPattern;
}

/** Also DESCRIBE t and DESC t. */
export interface ShowColumns extends Located {
  readonly kind: "ShowColumns";
  readonly table: QualifiedName;
  readonly pattern?: ShowPattern;
}

export interface ShowFunctions extends Located {
  readonly kind: "ShowFunctions";
  /** FROM or IN a schema. */
  readonly schema?: QualifiedName;
  readonly pattern?: ShowPattern;
}

export interface ShowSession extends Located {
  readonly kind: "ShowSession";
  readonly pattern?: ShowPattern;
}

export interface ShowCreate extends Located {
  readonly kind: "ShowCreate";
  readonly object: "TABLE" | "VIEW" | "SCHEMA" | "MATERIALIZED VIEW" | "FUNCTION";
  readonly name: QualifiedName;
}

/** FOR a table, or FOR (query). */
export interface ShowStats extends Located {
  readonly kind: "ShowStats";
  readonly table?: QualifiedName;
  readonly query?: Query;
}

export interface DescribeInput extends Located {
  readonly kind: "DescribeInput";
  readonly name: Identifier;
}

export interface DescribeOutput extends Located {
  readonly kind: "DescribeOutput";
  readonly name: Identifier;
}

/** `USE schema` or `USE catalog.schema`. */
export interface Use extends Located {
  readonly kind: "Use";
  readonly catalog?: Identifier;
  readonly schema: Identifier;
}

export interface SetSession extends Located {
  readonly kind: "SetSession";
  readonly name: QualifiedName;
  readonly value: Expression;
}

export interface ResetSession extends Located {
  readonly kind: "ResetSession";
  readonly name: QualifiedName;
}

export interface Insert extends Located {
  readonly kind: "Insert";
  readonly table: QualifiedName;
  readonly columns?: readonly Identifier[];
  readonly query: Query;
}

export interface Delete extends Located {
  readonly kind: "Delete";
  readonly table: QualifiedName;
  readonly where?: Expression;
}

export interface UpdateAssignment extends Located {
  readonly kind: "UpdateAssignment";
  readonly column: Identifier;
  readonly value: Expression;
}

export interface Update extends Located {
  readonly kind: "Update";
  readonly table: QualifiedName;
  readonly assignments: readonly UpdateAssignment[];
  readonly where?: Expression;
}

/** `ALTER TABLE t EXECUTE optimize(file_size => '1MB') WHERE d = 1`. */
export interface TableExecute extends Located {
  readonly kind: "TableExecute";
  readonly table: QualifiedName;
  readonly procedure: Identifier;
  readonly arguments: readonly CallArgument[];
  readonly where?: Expression;
}

export interface Merge extends Located {
  readonly kind: "Merge";
  readonly table: QualifiedName;
  readonly alias?: Identifier;
  readonly source: Relation;
  readonly condition: Expression;
  /** At least one. */
  readonly cases: readonly MergeCase[];
}

/** WHEN [NOT] MATCHED [AND condition] THEN. */
export type MergeCase = MergeUpdate | MergeDelete | MergeInsert;

export interface MergeUpdate extends Located {
  readonly kind: "MergeUpdate";
  readonly condition?: Expression;
  readonly assignments: readonly UpdateAssignment[];
}

export interface MergeDelete extends Located {
  readonly kind: "MergeDelete";
  readonly condition?: Expression;
}

/** For source rows without a match. */
export interface MergeInsert extends Located {
  readonly kind: "MergeInsert";
  readonly condition?: Expression;
  readonly columns?: readonly Identifier[];
  readonly values: readonly Expression[];
}

/** The search path of functions: `SET PATH catalog.schema, schema`. */
export interface SetPath extends Located {
  readonly kind: "SetPath";
  /** Names of one or two parts. */
  readonly elements: readonly QualifiedName[];
}

export interface TruncateTable extends Located {
  readonly kind: "TruncateTable";
  readonly name: QualifiedName;
}

/** LOCAL, the client's zone, has no value. */
export interface SetTimeZone extends Located {
  readonly kind: "SetTimeZone";
  readonly zone?: Expression;
}

export interface Analyze extends Located {
  readonly kind: "Analyze";
  readonly table: QualifiedName;
  readonly properties: readonly Property[];
}

export interface Prepare extends Located {
  readonly kind: "Prepare";
  readonly name: Identifier;
  readonly statement: Statement;
}

export interface Execute extends Located {
  readonly kind: "Execute";
  readonly name: Identifier;
  readonly parameters: readonly Expression[];
}

/** `EXECUTE IMMEDIATE 'sql' USING ...`. */
export interface ExecuteImmediate extends Located {
  readonly kind: "ExecuteImmediate";
  readonly statement: Statement;
  readonly sql: string;
  readonly parameters: readonly Expression[];
}

export interface Deallocate extends Located {
  readonly kind: "Deallocate";
  readonly name: Identifier;
}

export interface StartTransaction extends Located {
  readonly kind: "StartTransaction";
  readonly isolation?: "SERIALIZABLE" | "REPEATABLE READ" | "READ COMMITTED" | "READ UNCOMMITTED";
  readonly accessMode?: "READ ONLY" | "READ WRITE";
}

export interface Commit extends Located {
  readonly kind: "Commit";
}

export interface Rollback extends Located {
  readonly kind: "Rollback";
}

export interface CallArgument extends Located {
  readonly kind: "CallArgument";
  readonly name?: Identifier;
  readonly value: Expression;
}

export interface Call extends Located {
  readonly kind: "Call";
  readonly name: QualifiedName;
  readonly arguments: readonly CallArgument[];
}

export type Statement =
  | Query
  | Explain
  | ShowCatalogs
  | ShowSchemas
  | ShowTables
  | ShowColumns
  | ShowFunctions
  | ShowSession
  | ShowCreate
  | ShowStats
  | DescribeInput
  | DescribeOutput
  | Use
  | SetSession
  | ResetSession
  | Insert
  | Delete
  | Update
  | TableExecute
  | Analyze
  | TruncateTable
  | SetTimeZone
  | DefinitionStatement
  | AccessStatement
  | MaterializedViewStatement
  | RoutineStatement
  | Merge
  | SetPath
  | Prepare
  | Execute
  | ExecuteImmediate
  | Deallocate
  | StartTransaction
  | Commit
  | Rollback
  | Call;
