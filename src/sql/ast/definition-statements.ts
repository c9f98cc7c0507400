/**
 * Syntax nodes of statements that define schemas, tables and views, and of those that change or drop them.
 */
import type { Principal } from "./access-statements.ts";
import type { Expression, Identifier, Location, QualifiedName, TypeSyntax } from "./expression-nodes.ts";
import type { Query } from "./relations.ts";

interface Located {
  readonly location: Location;
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
  /** DEFAULT: a literal with an optional sign. */
  readonly defaultValue?: Expression;
  readonly comment?: string;
  readonly properties: readonly Property[];
}

/** `LIKE t INCLUDING PROPERTIES` in a column list. */
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

export interface CreateCatalog extends Located {
  readonly kind: "CreateCatalog";
  readonly name: Identifier;
  readonly ifNotExists: boolean;
  readonly connector: Identifier;
  readonly comment?: string;
  /** AUTHORIZATION. */
  readonly owner?: Principal;
  readonly properties: readonly Property[];
}

export interface DropCatalog extends Located {
  readonly kind: "DropCatalog";
  readonly name: Identifier;
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
  /** An extension of Presto's grammar: `CREATE VIEW v (a, b) AS`, as in the SQL standard and TPC-H. */
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

/** `ALTER TABLE t ALTER COLUMN c SET DEFAULT 1`; DROP DEFAULT has no value. */
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

export interface Comment extends Located {
  readonly kind: "Comment";
  readonly object: "TABLE" | "VIEW" | "COLUMN";
  readonly name: QualifiedName;
  /** Absent: IS NULL. */
  readonly comment?: string;
}

export type DefinitionStatement =
  | CreateTable
  | CreateTableAsSelect
  | DropTable
  | CreateCatalog
  | DropCatalog
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
  | Comment;
