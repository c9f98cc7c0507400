/**
 * Syntax nodes of statements.
 */
import type { Expression, Identifier, Location, QualifiedName, SortItem, TypeSyntax } from "./expression-nodes.ts";
import type { AccessStatement, Principal } from "./access-statements.ts";
import type { MaterializedViewStatement } from "./materialized-views.ts";
import type { FunctionSpecification, RoutineStatement } from "./routines.ts";
import type { QueryBody, Relation, With } from "./relations.ts";

interface Located {
  readonly location: Location;
}

/**
 * ORDER BY, OFFSET and LIMIT belong to the whole body. When the body is a QuerySpecification, ORDER BY may also name the columns of its FROM.
 */
export interface Query extends Located {
  readonly kind: "Query";
  /** WITH SESSION: only of a query that is a statement. */
  readonly session?: readonly SessionAssignment[];
  /** WITH FUNCTION: only of a query that is all of a statement, or of a view. */
  readonly functions?: readonly FunctionSpecification[];
  readonly with?: With;
  readonly body: QueryBody;
  readonly orderBy: readonly SortItem[];
  /** A constant, as the counts of LIMIT and FETCH FIRST. */
  readonly offset?: Expression;
  readonly limit?: Limit | FetchFirst;
}

/** Without a count: LIMIT ALL. */
export interface Limit extends Located {
  readonly kind: "Limit";
  readonly count?: Expression;
}

/** Without a count: one row. */
export interface FetchFirst extends Located {
  readonly kind: "FetchFirst";
  readonly count?: Expression;
  /** The count is a percentage of all rows (SQL:2008). */
  readonly percent: boolean;
  readonly withTies: boolean;
}

export interface Explain extends Located {
  readonly kind: "Explain";
  readonly analyze: boolean;
  readonly verbose: boolean;
  readonly type?: "LOGICAL" | "DISTRIBUTED" | "VALIDATE" | "IO";
  readonly format?: "TEXT" | "GRAPHVIZ" | "JSON";
  readonly statement: Statement;
}

/** LIKE of the SHOW statements. */
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
  /** FROM a schema. */
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

/** A property as WITH SESSION sets it for its query. */
export interface SessionAssignment extends Located {
  readonly kind: "SessionAssignment";
  readonly name: QualifiedName;
  readonly value: Expression;
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

/** `name = value` in WITH (...). */
export interface Property extends Located {
  readonly kind: "Property";
  readonly name: Identifier;
  readonly value: Expression;
}

export interface ColumnDefinition extends Located {
  readonly kind: "ColumnDefinition";
  readonly name: Identifier;
  readonly type: TypeSyntax;
  readonly nullable: boolean;
  /** DEFAULT: a literal, with a sign perhaps. */
  readonly defaultValue?: Expression;
  readonly comment?: string;
  readonly properties: readonly Property[];
}

/** `LIKE t INCLUDING PROPERTIES` among the columns. */
export interface LikeClause extends Located {
  readonly kind: "LikeClause";
  readonly table: QualifiedName;
  readonly properties?: "INCLUDING" | "EXCLUDING";
}

export interface CreateTable extends Located {
  readonly kind: "CreateTable";
  readonly name: QualifiedName;
  readonly elements: readonly (ColumnDefinition | LikeClause)[];
  /** OR REPLACE. */
  readonly replace: boolean;
  readonly ifNotExists: boolean;
  readonly comment?: string;
  readonly properties: readonly Property[];
}

export interface CreateTableAsSelect extends Located {
  readonly kind: "CreateTableAsSelect";
  readonly name: QualifiedName;
  readonly columnNames?: readonly Identifier[];
  /** OR REPLACE. */
  readonly replace: boolean;
  readonly ifNotExists: boolean;
  readonly comment?: string;
  readonly properties: readonly Property[];
  readonly query: Query;
  /** False with WITH NO DATA. */
  readonly withData: boolean;
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

export interface DropTable extends Located {
  readonly kind: "DropTable";
  readonly name: QualifiedName;
  readonly ifExists: boolean;
}

export interface CreateSchema extends Located {
  readonly kind: "CreateSchema";
  readonly name: QualifiedName;
  readonly ifNotExists: boolean;
  /** AUTHORIZATION. */
  readonly owner?: Principal;
  readonly properties: readonly Property[];
}

export interface DropSchema extends Located {
  readonly kind: "DropSchema";
  readonly name: QualifiedName;
  readonly ifExists: boolean;
  readonly cascade: boolean;
}

export interface RenameSchema extends Located {
  readonly kind: "RenameSchema";
  readonly name: QualifiedName;
  readonly target: Identifier;
}

export interface CreateView extends Located {
  readonly kind: "CreateView";
  readonly name: QualifiedName;
  readonly replace: boolean;
  /** Beyond Presto: `CREATE VIEW v (a, b) AS`, as the standard and TPC-H write it. */
  readonly columnNames?: readonly Identifier[];
  readonly comment?: string;
  readonly security?: "DEFINER" | "INVOKER";
  readonly query: Query;
}

export interface DropView extends Located {
  readonly kind: "DropView";
  readonly name: QualifiedName;
  readonly ifExists: boolean;
}

export interface RenameView extends Located {
  readonly kind: "RenameView";
  readonly name: QualifiedName;
  readonly target: QualifiedName;
}

export interface RenameTable extends Located {
  readonly kind: "RenameTable";
  readonly name: QualifiedName;
  readonly target: QualifiedName;
  readonly ifExists: boolean;
}

export interface RenameColumn extends Located {
  readonly kind: "RenameColumn";
  readonly table: QualifiedName;
  readonly column: Identifier;
  readonly target: Identifier;
  readonly tableExists: boolean;
  readonly columnExists: boolean;
}

export interface AddColumn extends Located {
  readonly kind: "AddColumn";
  readonly table: QualifiedName;
  readonly column: ColumnDefinition;
  readonly tableExists: boolean;
  readonly columnNotExists: boolean;
}

export interface DropColumn extends Located {
  readonly kind: "DropColumn";
  readonly table: QualifiedName;
  readonly column: Identifier;
  readonly tableExists: boolean;
  readonly columnExists: boolean;
}

/** `ALTER TABLE t ALTER COLUMN c SET DATA TYPE bigint`. */
export interface SetColumnType extends Located {
  readonly kind: "SetColumnType";
  readonly table: QualifiedName;
  readonly column: Identifier;
  readonly type: TypeSyntax;
  readonly tableExists: boolean;
}

/** `ALTER TABLE t ALTER COLUMN c SET DEFAULT 1`; without a value DROP DEFAULT. */
export interface SetColumnDefault extends Located {
  readonly kind: "SetColumnDefault";
  readonly table: QualifiedName;
  readonly column: Identifier;
  readonly value?: Expression;
  readonly tableExists: boolean;
}

/** `ALTER TABLE t ALTER COLUMN c SET NOT NULL`, `DROP NOT NULL`. */
export interface SetColumnNullable extends Located {
  readonly kind: "SetColumnNullable";
  readonly table: QualifiedName;
  readonly column: Identifier;
  /** True with DROP NOT NULL. */
  readonly nullable: boolean;
  readonly tableExists: boolean;
}

/** `ALTER TABLE t SET PROPERTIES a = 1, b = DEFAULT`. */
export interface SetTableProperties extends Located {
  readonly kind: "SetTableProperties";
  readonly object: "MATERIALIZED VIEW" | "TABLE";
  readonly table: QualifiedName;
  readonly properties: readonly AlteredProperty[];
}

/** Without a value: DEFAULT. */
export interface AlteredProperty extends Located {
  readonly kind: "AlteredProperty";
  readonly name: Identifier;
  readonly value?: Expression;
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
  /** One at least. */
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

/** Of rows that nothing matches. */
export interface MergeInsert extends Located {
  readonly kind: "MergeInsert";
  readonly condition?: Expression;
  readonly columns?: readonly Identifier[];
  readonly values: readonly Expression[];
}

/** Where functions are looked for: `SET PATH catalog.schema, schema`. */
export interface SetPath extends Located {
  readonly kind: "SetPath";
  /** Of one or two parts. */
  readonly elements: readonly QualifiedName[];
}

export interface Comment extends Located {
  readonly kind: "Comment";
  readonly object: "TABLE" | "VIEW" | "COLUMN";
  readonly name: QualifiedName;
  /** Absent: IS NULL. */
  readonly comment?: string;
}

export interface TruncateTable extends Located {
  readonly kind: "TruncateTable";
  readonly name: QualifiedName;
}

/** Without a zone: LOCAL, that of the client. */
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
  | CreateTable
  | CreateTableAsSelect
  | Insert
  | Delete
  | Update
  | DropTable
  | CreateSchema
  | DropSchema
  | RenameSchema
  | CreateView
  | DropView
  | RenameView
  | RenameTable
  | RenameColumn
  | AddColumn
  | DropColumn
  | SetColumnType
  | SetColumnDefault
  | SetColumnNullable
  | SetTableProperties
  | TableExecute
  | Comment
  | Analyze
  | TruncateTable
  | SetTimeZone
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
