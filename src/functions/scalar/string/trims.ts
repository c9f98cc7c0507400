/**
 * trim, ltrim and rtrim: Java white space in kernels, given characters in host functions. A char keeps its length.
 */
import { type CodeBuilder, type FunctionRef, i32, type KernelBuilder, select } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { isHighSurrogate, isLowSurrogate, withoutTrailing } from "../../../types/utf8.ts";
import type { HostSteps, ScalarDefinition } from "../../registry/definition.ts";
import type { EmitScalar } from "../../runtime/emit.ts";
import { eachPoint, unitsAtOnce } from "../../runtime/large/texts.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { part, type Value, valueOf } from "../../runtime/value.ts";
import { padSpaces } from "./padding.ts";

type Side = "both" | "left" | "right";

function isOneOf(b: CodeBuilder, value: Expr, ranges: readonly (readonly [first: number, last: number])[]): Expr {
  const found = b.local("i32", i32.const(0));
  for (const [first, last] of ranges) {
    b.set(found, i32.or(found, i32.leU(i32.sub(value, i32.const(first)), i32.const(last - first))));
  }
  return found;
}

/** Java's Character.isWhitespace: breaking spaces, separators and some control characters, in one or three bytes of UTF-8. */
const shortSpaces = [
  [0x09, 0x0d],
  [0x1c, 0x20],
] as const;
const longSpaces = [
  [0xe19a80, 0xe19a80],
  [0xe28080, 0xe28086],
  [0xe28088, 0xe2808a],
  [0xe280a8, 0xe280a9],
  [0xe2819f, 0xe2819f],
  [0xe38080, 0xe38080],
] as const;

/** (address, bytes) -> i32: bytes of the white space character at the start, 0 if there is none. */
function spaceWidth(k: KernelBuilder): FunctionRef {
  return k.function_("width of a white space", { params: ["i32", "i32"], result: "i32" }, (b, params) => {
    const [address, bytes] = params as readonly [Expr, Expr];
    b.if_(i32.eqz(bytes), () => b.return_(i32.const(0)));
    const first = b.temp(i32.load8u(address));
    b.if_(i32.ltU(first, i32.const(0x80)), () => b.return_(isOneOf(b, first, shortSpaces)));
    b.if_(i32.or(i32.ltU(bytes, i32.const(3)), i32.ne(i32.and(first, i32.const(0xf0)), i32.const(0xe0))), () => b.return_(i32.const(0)));
    const rest = i32.or(i32.shl(i32.load8u(address, 1), i32.const(8)), i32.load8u(address, 2));
    const point = b.temp(i32.or(i32.shl(first, i32.const(16)), rest));
    b.return_(i32.mul(isOneOf(b, point, longSpaces), i32.const(3)));
  });
}

/** Length in bytes without trailing white space. */
function emitEnd(b: CodeBuilder, address: Expr, bytes: Expr): Expr {
  const width = spaceWidth(b.kernel);
  const end = b.local("i32", bytes);
  b.loop((again) => {
    const last = b.temp(i32.sub(i32.add(address, end), i32.const(1)));
    const hasThree = b.temp(i32.geU(end, i32.const(3)));
    const short = b.temp(b.call(width, last, b.temp(i32.ne(end, i32.const(0)))));
    const long = b.temp(
      b.call(width, b.temp(select(hasThree, i32.sub(last, i32.const(2)), address)), b.temp(i32.mul(hasThree, i32.const(3)))),
    );
    // A white space character three bytes back must be three bytes long; a shorter one is followed by other text.
    const found = b.temp(select(short, short, i32.mul(i32.eq(long, i32.const(3)), i32.const(3))));
    b.set(end, i32.sub(end, found));
    b.continue_(again, found);
  });
  return end;
}

/** Bytes of leading white space. */
function emitStart(b: CodeBuilder, address: Expr, bytes: Expr): Expr {
  const width = spaceWidth(b.kernel);
  const start = b.local("i32", i32.const(0));
  b.loop((again) => {
    const found = b.temp(b.call(width, b.temp(i32.add(address, start)), b.temp(i32.sub(bytes, start))));
    b.set(start, i32.add(start, found));
    b.continue_(again, found);
  });
  return start;
}

function trim(side: Side): EmitScalar {
  return ({ b }, args, type) => {
    const [address, bytes] = [part(args[0] as Value, 0), part(args[0] as Value, 1)];
    const end = side === "left" ? bytes : emitEnd(b, address, bytes);
    const from = side === "right" ? i32.const(0) : emitStart(b, address, end);
    return valueOf(type, b.temp(i32.add(address, from)), b.temp(i32.sub(end, from)));
  };
}

function* trimPoints(text: string, points: string, side: Side): InSteps<string> {
  const unwanted = new Set<string>();
  yield* eachPoint(points, (point) => void unwanted.add(point));
  let [start, end] = [0, text.length];
  if (side !== "right") {
    yield* eachPoint(text, (point) => {
      start += unwanted.has(point) ? point.length : 0;
      return !unwanted.has(point);
    });
  }
  if (side !== "left") {
    for (let seen = 1; end > start; seen++) {
      const isPair = end - start > 1 && isLowSurrogate(text.charCodeAt(end - 1)) && isHighSurrogate(text.charCodeAt(end - 2));
      const before = end - (isPair ? 2 : 1);
      if (!unwanted.has(text.slice(before, end))) {
        break;
      }
      end = before;
      if (seen % unitsAtOnce === 0) {
        yield unitsAtOnce / unitsPerStep;
      }
    }
  }
  return text.slice(start, end);
}

/** For a char, the padding on the right takes part in the trim. */
function trimGiven(side: Side): HostSteps {
  return function* ([text, points], { argTypes }) {
    const [type] = argTypes;
    if (type?.kind !== "char") {
      return yield* trimPoints(text as string, points as string, side);
    }
    return withoutTrailing(yield* trimPoints(padSpaces(text as string, type.length), points as string, side), " ");
  };
}

/** Code units that are looked at in the time of a step. */
const unitsPerStep = 32;

const sides: readonly (readonly [name: string, side: Side, where: string, sample: string])[] = [
  ["trim", "both", "at both ends", "a"],
  ["ltrim", "left", "at the start", "a "],
  ["rtrim", "right", "at the end", " a"],
];

export const trimDefinitions: readonly ScalarDefinition[] = sides.flatMap(([name, side, where, result]) =>
  ["varchar(x)", "char(x)"].flatMap((type): ScalarDefinition[] => {
    const isChar = type === "char(x)";
    const sql = (text: string) => (isChar ? `CHAR '${text}'` : `'${text}'`);
    const padded = (text: string) => (isChar ? text.padEnd(3) : text);
    return [
      {
        name,
        args: [type],
        returns: type,
        description: `${isChar ? "Char" : "String"} without white space ${where}`,
        total: true,
        emit: trim(side),
        example: { sql: `${name}(${sql(" a ")})`, result: padded(result) },
      },
      {
        name,
        args: [type, "varchar"],
        returns: type,
        description: `${isChar ? "Char" : "String"} without the given characters ${where}`,
        steps: trimGiven(side),
        example: { sql: `${name}(${sql("xax")}, 'x')`, result: padded(result.replaceAll(" ", "x")) },
      },
    ];
  }),
);
