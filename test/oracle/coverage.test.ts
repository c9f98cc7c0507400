/**
 * Requirements for the oracle's files: every function of the registry, and every error of the catalog that a SQL statement alone can raise.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { listFunctions } from "../../src/functions/registry/registry.ts";
import { errorCatalogue } from "../../src/protocol/errors.ts";
import { parseStatements } from "./statements.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "statements");
const statements = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .flatMap((name) => parseStatements(name, readFileSync(join(folder, name), "utf8")));

/** User errors that no statement of these files raises, and why. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  "no statement raises them: the engine has no such feature, or they await functions that it does not have": [
    "DUPLICATE_PROPERTY",
    "INVALID_COLUMN_MASK",
    "INVALID_ROW_FILTER",
    "INVALID_SPATIAL_PARTITIONING",
    "MULTI_CATALOG_WRITE_CONFLICT",
    "OPERATOR_NOT_FOUND",
    "PERMISSION_DENIED",
    "QUERY_REJECTED",
    "ROLE_ALREADY_EXISTS",
    "UNSUPPORTED_SUBQUERY",
  ],
  "need a client, a session, a cluster in some state or two statements at once (test/conformance, test/unit, test/oracle/limits.test.ts)": [
    "ABANDONED_QUERY",
    "ADMINISTRATIVELY_KILLED",
    "AUTOCOMMIT_WRITE_CONFLICT",
    "MISSING_CATALOG_NAME",
    "MISSING_SCHEMA_NAME",
    "QUERY_HAS_TOO_MANY_STAGES",
    "QUERY_TEXT_TOO_LARGE",
    "READ_ONLY_VIOLATION",
    "TRANSACTION_ALREADY_ABORTED",
    "TRANSACTION_CONFLICT",
    "UNKNOWN_TRANSACTION",
    "UNSUPPORTED_ISOLATION_LEVEL",
    "USER_CANCELED",
  ],
};

it("there are more than 2,000, each once", () => {
  expect(statements.length).toBeGreaterThan(2000);
  // Tables in memory are queried again after each change.
  const texts = statements.map(({ sql }) => sql).filter((sql) => !sql.includes("memory."));
  expect(texts.filter((sql, index) => texts.indexOf(sql) !== index)).toEqual([]);
});

it("every function is called", () => {
  const called = new Set(
    statements.flatMap(({ sql }) => [...sql.matchAll(/\b([a-z_][a-z0-9_]*)\s*\(/gi)].map(([, name = ""]) => name.toLowerCase())),
  );
  const names = new Set(listFunctions().map(({ name }) => name));
  // Available as an operator only.
  names.delete("like");
  expect([...names].filter((name) => !called.has(name))).toEqual([]);
});

it("every error that a statement can meet is met", () => {
  const met = new Set(statements.flatMap(({ error }) => (error === undefined ? [] : [error.name])));
  const excused = Object.values(elsewhere).flat();
  const wanted = Object.entries(errorCatalogue).flatMap(([name, { type }]) =>
    type === "USER_ERROR" && !excused.includes(name) ? [name] : [],
  );
  expect(wanted.filter((name) => !met.has(name))).toEqual([]);
  expect(excused.filter((name) => met.has(name))).toEqual([]);
});
