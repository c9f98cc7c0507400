/**
 * Errors of a database about objects that a definition creates or changes, which exist already or are gone. They get the engine's names, so
 * that IF [NOT] EXISTS holds for them. So do NULLs in columns that are NOT NULL. Every other error stays JDBC_ERROR, as in Trino.
 */
import { DatabaseError } from "../../../ports/databases.ts";
import { type ErrorName, QueryError } from "../../../protocol/errors.ts";

/** By the state of the DatabaseError. */
export type ObjectErrors = ReadonlyMap<string, ErrorName>;

/** SQLSTATEs of PostgreSQL. */
export const postgresqlObjectErrors: ObjectErrors = new Map<string, ErrorName>([
  ["3F000", "SCHEMA_NOT_FOUND"],
  ["42P01", "TABLE_NOT_FOUND"],
  ["42703", "COLUMN_NOT_FOUND"],
  ["42P06", "SCHEMA_ALREADY_EXISTS"],
  ["42P07", "TABLE_ALREADY_EXISTS"],
  // A table is a type as well, and the type may be there first.
  ["42710", "TABLE_ALREADY_EXISTS"],
  ["42701", "COLUMN_ALREADY_EXISTS"],
  ["23502", "CONSTRAINT_VIOLATION"],
]);

/** Numbers of MySQL's and MariaDB's errors. */
export const mysqlObjectErrors: ObjectErrors = new Map<string, ErrorName>([
  // NULL for a column that is NOT NULL, no value for it, NULL in one that becomes NOT NULL.
  ["1048", "CONSTRAINT_VIOLATION"],
  ["1364", "CONSTRAINT_VIOLATION"],
  ["1138", "CONSTRAINT_VIOLATION"],
  ["1007", "SCHEMA_ALREADY_EXISTS"],
  ["1008", "SCHEMA_NOT_FOUND"],
  ["1049", "SCHEMA_NOT_FOUND"],
  ["1050", "TABLE_ALREADY_EXISTS"],
  ["1051", "TABLE_NOT_FOUND"],
  ["1054", "COLUMN_NOT_FOUND"],
  ["1060", "COLUMN_ALREADY_EXISTS"],
  ["1091", "COLUMN_NOT_FOUND"],
  ["1146", "TABLE_NOT_FOUND"],
]);

/** A cluster's errors have the engine's names. */
export const clusterObjectErrors: ObjectErrors = new Map(
  (
    [
      "CONSTRAINT_VIOLATION",
      "COLUMN_ALREADY_EXISTS",
      "COLUMN_NOT_FOUND",
      "SCHEMA_ALREADY_EXISTS",
      "SCHEMA_NOT_FOUND",
      "TABLE_ALREADY_EXISTS",
      "TABLE_NOT_FOUND",
    ] as const
  ).map((name) => [name, name]),
);

/** PostgreSQL's catalog has a unique index of its own, which the second of two simultaneous creations violates. */
const catalogIndex = /unique constraint "pg_(class|type|namespace)_/;
const uniqueViolation = "23505";

/** Throws the error of `work` with the engine's name for it. */
export async function withObjectErrors<T>(names: ObjectErrors, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const cause = error instanceof QueryError ? error.cause : undefined;
    if (!(cause instanceof DatabaseError)) {
      throw error;
    }
    const isTaken = cause.state === uniqueViolation && catalogIndex.test(cause.message);
    const name = isTaken
      ? cause.message.includes("namespace")
        ? "SCHEMA_ALREADY_EXISTS"
        : "TABLE_ALREADY_EXISTS"
      : names.get(cause.state ?? "");
    throw name === undefined ? error : new QueryError(name, cause.message);
  }
}
