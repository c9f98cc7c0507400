/** What planning is given from outside: the catalogs, the session and an evaluator of constants. Filled in by the coordinator. */
import type { Connector } from "../connectors/spi.ts";
import type { Type } from "../types/type.ts";
import type { ConstantValue, RowExpression } from "./plan/typed-expression.ts";

export interface PlanSession {
  readonly user: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly timeZone: string;
  /** Epoch milliseconds at which the query began: now() and current_date. */
  readonly startMillis: number;
  readonly properties: Readonly<Record<string, string>>;
  /** The client understands the headers of transactions. */
  readonly clientTransactionSupport?: boolean;
  /** The client keeps a path for functions. */
  readonly clientPathSupport?: boolean;
  readonly path?: string;
  /** The client can be another user for a while. */
  readonly clientAuthorizationSupport?: boolean;
  /** Of the transaction that the client is in. */
  readonly transactionId?: string;
  /** Text of the session's prepared statements, by name. */
  readonly preparedStatements?: Readonly<Record<string, string>>;
}

export interface PlanContext {
  readonly catalogs: {
    /** Sorted. */
    names(): readonly string[];
    connector(name: string): Connector | undefined;
  };
  readonly session: PlanSession;
  /** The value of an expression without variables. Throws QueryError. */
  readonly evaluateConstant: (expression: RowExpression) => ConstantValue;
  /** Of the node that plans: version(). */
  readonly nodeVersion: string;
  /** A type as the client is told it, also in results: Presto's have no precision of times. */
  readonly typeText: (type: Type) => string;
  /** Defaults of session properties that the configuration sets, by name. */
  readonly sessionDefaults?: Readonly<Record<string, string>>;
  /** Of functions that are created and dropped by their name alone. */
  readonly functionSchema?: { readonly catalog: string; readonly schema: string };
  /** 64 random bits: another stream of chance for each mention of random() and its like. */
  readonly drawSeed: () => bigint;
}
