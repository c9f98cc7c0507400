/**
 * Timestamps of more than six fraction digits. Such a timestamp is a 128-bit integer: microseconds in the upper half, picoseconds of the
 * last microsecond in the lower half. A timestamp with time zone always has 128 bits, with the picoseconds between instant and zone.
 * `onMicros` adapts functions that are implemented for microseconds.
 */
import { type CodeBuilder, i64 } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { isLongMoment, microsPrecision, type Type } from "../../../types/type.ts";
import type { HostImplementation, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import type { EmitScalar } from "../../runtime/emit.ts";
import { formatTimestamp } from "../../runtime/formats.ts";
import { part, type Value } from "../../runtime/value.ts";

const picosPerMicro = 1_000_000n;

/** `picos` is within the microsecond: 0 to 999,999. */
export interface Moment {
  readonly micros: bigint;
  readonly picos: bigint;
}

/** The value of a timestamp, or the instant of a timestamp with time zone. */
export function momentOf(type: Type, value: bigint): Moment {
  if (type.kind === "timestamp with time zone") {
    return { micros: value >> 64n, picos: BigInt.asUintN(64, value) >> 32n };
  }
  return isLongMoment(type) ? { micros: value >> 64n, picos: BigInt.asUintN(64, value) } : { micros: value, picos: 0n };
}

/** Encodes the moment as a value of a timestamp type. */
export function timestampOf(type: Type, { micros, picos }: Moment): bigint {
  return isLongMoment(type) ? (micros << 64n) | picos : micros;
}

/** Rounds to `precision` fraction digits, half up, toward the future. */
export function roundMoment({ micros, picos }: Moment, precision: number): Moment {
  const unit = 10n ** BigInt(12 - Math.min(12, precision));
  const shifted = micros * picosPerMicro + picos + unit / 2n;
  const rounded = shifted - (((shifted % unit) + unit) % unit);
  const rest = ((rounded % picosPerMicro) + picosPerMicro) % picosPerMicro;
  return { micros: (rounded - rest) / picosPerMicro, picos: rest };
}

/** `YYYY-MM-DD HH:MM:SS[.f]` with `precision` fraction digits. */
export function formatMoment({ micros, picos }: Moment, precision: number): string {
  const text = formatTimestamp(micros, Math.min(microsPrecision, precision));
  return precision <= microsPrecision
    ? text
    : text +
        picos
          .toString()
          .padStart(6, "0")
          .slice(0, precision - microsPrecision);
}

export function shortMoment(type: Type): Type {
  return isLongMoment(type) ? ({ ...type, precision: microsPrecision } as Type) : type;
}

function shortHost(type: Type, value: HostValue): HostValue {
  if (value === null || !isLongMoment(type)) {
    return value;
  }
  const { micros, picos } = momentOf(type, value as bigint);
  return type.kind === "timestamp" ? micros : (value as bigint) - (picos << 32n);
}

function longHost(type: Type, value: HostValue, picos: bigint): HostValue {
  if (value === null || !isLongMoment(type)) {
    return value;
  }
  return type.kind === "timestamp" ? timestampOf(type, { micros: value as bigint, picos }) : (value as bigint) | (picos << 32n);
}

const zoneMask = i64.const(0xffff_ffffn);

function shortValue(b: CodeBuilder, value: Value): Value {
  const { type } = value;
  if (!isLongMoment(type)) {
    return value;
  }
  const micros = part(value, 1);
  const parts = type.kind === "timestamp" ? [micros] : [b.temp(i64.and(part(value, 0), zoneMask)), micros];
  return { ...value, type: shortMoment(type), parts };
}

function picosPart(value: Value): Expr {
  return value.type.kind === "timestamp" ? part(value, 0) : i64.shrU(part(value, 0), i64.const(32n));
}

function longValue(b: CodeBuilder, type: Type, value: Value, picos: Expr): Value {
  if (!isLongMoment(type)) {
    return value;
  }
  const parts =
    type.kind === "timestamp"
      ? [b.temp(picos), part(value, 0)]
      : [b.temp(i64.or(part(value, 0), i64.shl(picos, i64.const(32n)))), part(value, 1)];
  return { ...value, type, parts };
}

type Implementation = Pick<ScalarDefinition, "emit" | "host">;

/**
 * Adapts an implementation for microseconds to long timestamps. `keepsPicos`: the result has the picoseconds of the first long argument,
 * else none. Returns the same object if no argument is long.
 */
export function onMicros<T extends Implementation>(
  implementation: T,
  { argTypes, returnType, keepsPicos }: { readonly argTypes: readonly Type[]; readonly returnType: Type; readonly keepsPicos: boolean },
): T {
  const first = argTypes.findIndex(isLongMoment);
  if (first < 0) {
    return implementation;
  }
  const { emit, host } = implementation;
  const shortEmit: EmitScalar | undefined =
    emit &&
    ((context, args, type, callHost) => {
      const { b } = context;
      const picos = keepsPicos ? picosPart(args[first] as Value) : i64.const(0n);
      const result = emit(
        context,
        args.map((arg) => shortValue(b, arg)),
        shortMoment(type),
        callHost,
      );
      return longValue(b, type, result, picos);
    });
  const shortImplementation: HostImplementation | undefined =
    host &&
    ((args, call) => {
      const value = args[first] ?? null;
      const picos = keepsPicos && value !== null ? momentOf(argTypes[first] as Type, value as bigint).picos : 0n;
      const given = args.map((arg, index) => shortHost(argTypes[index] as Type, arg));
      const result = host(given, { argTypes: call.argTypes.map(shortMoment), returnType: shortMoment(call.returnType) });
      return longHost(returnType, result, picos);
    });
  return { ...implementation, ...(shortEmit && { emit: shortEmit }), ...(shortImplementation && { host: shortImplementation }) };
}
