/**
 * No value of CREATE CATALOG is left in its redacted text, however the statement is written; other statements do not change.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { redactedStatement } from "../../../src/sql/redaction.ts";

const space = fc.constantFrom(" ", "\n", "\t ", " -- note 'x'\n", "/* a\n'b */", "  ");
const prefix = fc.constantFrom("", "EXPLAIN ", "explain\n", "PREPARE p FROM ", 'prepare "a b" from ', "-- CREATE TABLE\n", "(");
const value = fc.stringMatching(/^[a-z0-9 '=,$]{4,20}$/).map((text) => `SECRET${text}`);
const name = fc.constantFrom("password", '"connection-url"', '"a ""b"" c"', "x1");

test("values are hidden, whatever stands around them", () => {
  fc.assert(
    fc.property(prefix, space, space, fc.array(fc.tuple(name, space, value), { minLength: 1, maxLength: 3 }), fc.boolean(), (...drawn) => {
      const [before, first, second, properties, isCut] = drawn;
      const list = properties.map(([key, gap, secret]) => `${key}${gap}=${gap}'${secret.replaceAll("'", "''")}'`).join(", ");
      const sql = `${before}${first}create${second}CATALOG c USING x WITH (${list})`;
      // A statement that is cut in the middle of a literal does not parse, and is shown too.
      const shown = redactedStatement(isCut ? sql.slice(0, -3) : sql);
      expect(shown).not.toContain("SECRET");
      expect(shown).toContain("'***'");
    }),
  );
});

test("chosen properties only", () => {
  const sql = `CREATE CATALOG c USING x WITH ("files.directory" = '/srv', "my-password" = 'hunter2')`;
  expect(redactedStatement(sql, (property) => property === "my-password")).toBe(
    `CREATE CATALOG c USING x WITH ("files.directory" = '/srv', "my-password" = '***')`,
  );
});

test("other statements stay as they are", () => {
  for (const sql of [
    "SELECT 'create catalog'",
    "CREATE TABLE catalog AS SELECT 'a' b",
    "DROP CATALOG c",
    "SELECT a = 'b'",
    "createcatalog 'x'",
  ]) {
    expect(redactedStatement(sql)).toBe(sql);
  }
});
