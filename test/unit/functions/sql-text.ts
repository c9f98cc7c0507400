/**
 * Reads the examples of the functions catalogue: literals, CAST, calls, LIKE and position(.. IN ..), with no names.
 */
import type { RowExpression } from "../../../src/plan/expression.ts";
import { parseDate, parseDecimal, parseTimestamp } from "../../../src/functions/formats.ts";
import {
  BIGINT,
  BOOLEAN,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  IPADDRESS,
  JSON_TYPE,
  REAL,
  SMALLINT,
  TIMESTAMP,
  TINYINT,
  type Type,
  UNKNOWN,
  UUID,
  VARBINARY,
  VARCHAR,
  varcharType,
} from "../../../src/types/type.ts";
import { codePoints } from "../../../src/types/utf8.ts";
import { call, cast, constant } from "../compile/world.ts";

const types: Readonly<Record<string, Type>> = {
  boolean: BOOLEAN,
  tinyint: TINYINT,
  smallint: SMALLINT,
  integer: INTEGER,
  bigint: BIGINT,
  real: REAL,
  double: DOUBLE,
  varchar: VARCHAR,
  date: DATE,
  timestamp: TIMESTAMP,
  "timestamp with time zone": { kind: "timestamp with time zone", precision: 3 },
  time: { kind: "time", precision: 3 },
  "time with time zone": { kind: "time with time zone", precision: 3 },
  json: JSON_TYPE,
  uuid: UUID,
  ipaddress: IPADDRESS,
};
const tokenPattern = /\s*('(?:[^']|'')*'|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_][A-Za-z_0-9]*|[(),-])/gy;

export function parseExample(sql: string): RowExpression {
  const tokens = [...sql.matchAll(tokenPattern)].map((match) => match[1] as string);
  let at = 0;
  const next = () => tokens[at++] as string;
  const expect = (token: string) => {
    const found = next();
    if (found?.toUpperCase() !== token) {
      throw new Error(`${sql}: expected ${token}, found ${found}`);
    }
  };
  const peek = (token: string) => tokens[at]?.toUpperCase() === token;
  const accept = (token: string) => peek(token) && at++ >= 0;
  const text = () => next().slice(1, -1).replaceAll("''", "'");

  function expression(): RowExpression {
    const left = primary();
    if (!accept("LIKE")) {
      return left;
    }
    const pattern = primary();
    return accept("ESCAPE") ? call("like", left, pattern, primary()) : call("like", left, pattern);
  }
  function decimal(digits: string): RowExpression {
    const parsed = parseDecimal(digits);
    return constant(decimalType(parsed?.precision ?? 1, parsed?.scale ?? 0), String(parsed?.unscaled));
  }
  function number(digits: string): RowExpression {
    return /[eE]/.test(digits)
      ? constant(DOUBLE, Number(digits))
      : digits.includes(".")
        ? decimal(digits)
        : constant(INTEGER, Number(digits));
  }
  function primary(): RowExpression {
    if (accept("-")) {
      return number(`-${next()}`);
    }
    if (tokens[at]?.startsWith("'") === true) {
      const value = text();
      return constant(varcharType(codePoints(value).length), value);
    }
    const token = next();
    if (/^\d/.test(token)) {
      return number(token);
    }
    if (tokens[at]?.startsWith("'") === true) {
      const value = text();
      switch (token) {
        case "X":
          return constant(VARBINARY, value.toLowerCase());
        case "DATE":
          return constant(DATE, parseDate(value) as number);
        case "TIMESTAMP": {
          const parsed = parseTimestamp(value);
          return constant({ kind: "timestamp", precision: parsed?.precision ?? 0 }, String(parsed?.micros));
        }
        default:
          return decimal(value);
      }
    }
    if (token === "NULL") {
      return constant(UNKNOWN, null);
    }
    expect("(");
    if (token === "CAST") {
      const value = expression();
      expect("AS");
      const words: string[] = [];
      while (!accept(")")) {
        words.push(next());
      }
      const type = types[words.join(" ")] as Type;
      return cast(value, type);
    }
    const args: RowExpression[] = [];
    while (!accept(")")) {
      args.push(expression());
      if (!peek(")") && !accept("IN")) {
        expect(",");
      }
    }
    return call(token, ...args);
  }
  return expression();
}
