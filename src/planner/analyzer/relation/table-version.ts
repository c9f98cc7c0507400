/**
 * FOR VERSION and FOR TIMESTAMP of a table: its pointer is a constant, which the connector turns into one of its versions. Checks and
 * messages are Trino's; BEFORE and the names SYSTEM_VERSION and SYSTEM_TIME are Presto's.
 */
import type { TableVersion } from "../../../connectors/spi.ts";
import { canCast } from "../../../functions/registry/coercion.ts";
import type { QueryPeriod } from "../../../sql/ast/ast.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { printString } from "../../../sql/printer/names.ts";
import { displayType, type Type, VARCHAR } from "../../../types/type.ts";
import { cast } from "../../plan/expression-tree.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { Analysis } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { coerce } from "../expression/functions.ts";

export interface AskedVersion {
  readonly version: TableVersion;
  /** `FOR VERSION AS OF 5`: equal for two periods that ask for the same. */
  readonly text: string;
}

const temporalKinds: ReadonlySet<Type["kind"]> = new Set(["date", "timestamp", "timestamp with time zone"]);
/** Instants are compared in picoseconds, so that none is rounded into another version. */
const finest: Type = Object.freeze({ kind: "timestamp with time zone", precision: 12 });
const microsPerMilli = 1000n;

export function askedVersion(period: QueryPeriod, analysis: Analysis): AskedVersion {
  const expression = pointerOf(period, analysis);
  const { pointer, state } = period;
  const { type } = expression;
  if (type.kind === "unknown") {
    throw noPointer(period);
  }
  if (pointer === "TIMESTAMP" && !temporalKinds.has(type.kind)) {
    const message = `Type ${displayType(type)} invalid. Temporal pointers must be of type Timestamp, Timestamp with Time Zone, or Date.`;
    throw semanticError("TYPE_MISMATCH", period, message);
  }
  if (!canCast(type, VARCHAR)) {
    // As Trino's connectors say it; here before they are asked, since a version is told apart by its text.
    throw semanticError("NOT_SUPPORTED", period, `Unsupported type for table version: ${displayType(type)}`);
  }
  const { evaluateConstant, session } = analysis.context;
  const value = evaluateConstant(expression);
  if (value === null) {
    throw noPointer(period);
  }
  const shown = String(evaluateConstant(cast(expression, VARCHAR)));
  const text = `FOR ${pointer} ${state} ${type.kind === "varchar" ? printString(shown) : shown}`;
  if (pointer === "VERSION") {
    return { version: { pointer, state, type, value: String(value) }, text };
  }
  // A zoned value has the microseconds of its instant above 64 bits of picoseconds and zone.
  const epochMicros = BigInt(String(evaluateConstant(coerce(expression, finest)))) >> 64n;
  if (epochMicros >= BigInt(session.startMillis) * microsPerMilli) {
    throw semanticError("INVALID_ARGUMENTS", period, `Pointer value '${shown}' is not in the past`);
  }
  return { version: { pointer, state, epochMicros, text: shown }, text };
}

function pointerOf({ value }: QueryPeriod, analysis: Analysis): RowExpression {
  visitSyntax(value, (node) => {
    if (node["kind"] === "Query") {
      throw semanticError("EXPRESSION_NOT_CONSTANT", value, "Constant expression cannot contain a subquery");
    }
  });
  return analyzeExpression(value, {
    analysis,
    scope: { fields: [], queryBoundary: true },
    queries: { named: new Map() },
    clause: "Table version",
  });
}

function noPointer(period: QueryPeriod): Error {
  return semanticError("INVALID_ARGUMENTS", period, "Pointer value cannot be NULL");
}
