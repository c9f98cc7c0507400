/**
 * The planner's environment: catalogs, session, and an evaluator for constant expressions.
 */
import type { Knobs } from "../ports/knobs.ts";
import type { Connector, SchemaTableName } from "../connectors/spi.ts";
import type { AccessControl } from "../security/access-control.ts";
import type { Type } from "../types/type.ts";
import type { ConstantValue, RowExpression } from "./plan/typed-expression.ts";

export interface PlanSession {
  /** The value of current_user. */
  readonly user: string;
  /** The value of current_groups(). None if absent. */
  readonly groups?: readonly string[];
  /** Owner of the view or of the row filter that is planned: rights are the owner's, not the user's. */
  readonly owner?: string;
  /** What has the owner. The owner of a view needs the right to pass on what others read through it; who wrote a rule does not. */
  readonly ownerOf?: "view" | "rule";
  readonly catalog?: string;
  readonly schema?: string;
  readonly timeZone: string;
  /** Start of the query in epoch milliseconds; the value of now() and current_date. */
  readonly startMillis: number;
  readonly properties: Readonly<Record<string, string>>;
  /** By catalog: `ALL`, `NONE` or `ROLE{name}`. Absent if none is set. */
  readonly roles?: Readonly<Record<string, string>>;
  /** Whether the client supports transaction headers. */
  readonly clientTransactionSupport?: boolean;
  /** Whether the client supports SET PATH. */
  readonly clientPathSupport?: boolean;
  readonly path?: string;
  /** Whether the client supports SET SESSION AUTHORIZATION. */
  readonly clientAuthorizationSupport?: boolean;
  /** The client's current transaction, if any. */
  readonly transactionId?: string;
  /** Texts of the session's prepared statements, by name. */
  readonly preparedStatements?: Readonly<Record<string, string>>;
}

/** A table about which a plan asks its connector. */
export interface AskedTable {
  readonly catalog: string;
  readonly name: SchemaTableName;
  /** True if the statement names a version of the table. */
  readonly isVersioned: boolean;
}

export interface PlanContext {
  readonly catalogs: {
    /** Catalog names in ascending order. */
    names(): readonly string[];
    connector(name: string): Connector | undefined;
  };
  readonly session: PlanSession;
  /** Absent if all users may read and change all data. */
  readonly access?: AccessControl | undefined;
  /** Evaluates an expression without variables. Throws QueryError. */
  readonly evaluateConstant: (expression: RowExpression) => ConstantValue;
  /** Ends a slice of work between two steps of planning. Absent for statements that are planned in no time. */
  readonly turn?: () => Promise<void>;
  /** Bounds of the plan; the defaults if absent. */
  readonly knobs?: Knobs | undefined;
  /** Version of the planning node, for version(). */
  readonly nodeVersion: string;
  /** Formats a type for the client's protocol dialect. Presto clients get time types without a precision. */
  readonly typeText: (type: Type) => string;
  /** Session property defaults from the configuration, by name. */
  readonly sessionDefaults?: Readonly<Record<string, string>>;
  /** Default schema for CREATE FUNCTION and DROP FUNCTION with an unqualified name. */
  readonly functionSchema?: { readonly catalog: string; readonly schema: string };
  /** Called before the planner asks connectors about tables; undefined for a table function, whose rows may be those of any table. */
  readonly onTables?: (tables: readonly AskedTable[] | undefined) => Promise<void>;
  /** Returns 64 random bits: a separate seed for each call of random() and similar functions in the statement. */
  readonly drawSeed: () => bigint;
}
