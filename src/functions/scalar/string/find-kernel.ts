/**
 * Kernel code that finds a text in another one. Long needles are found in time that grows with both lengths (Knuth, Morris and Pratt,
 * 1977): a kernel cannot be left within a row, and comparing texts of one letter at each position takes minutes.
 */
import { type CodeBuilder, type FunctionRef, i32, type KernelBuilder } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { memEquals } from "../../../codegen/library.ts";
import type { EmitContext } from "../../runtime/emit.ts";
import { shortPartMax } from "./occurrences.ts";

interface Found {
  readonly text: readonly [address: Expr, bytes: Expr];
  readonly needle: readonly [address: Expr, bytes: Expr];
}

/** Byte offset of the first occurrence; -1 if there is none. */
export function emitFind(context: EmitContext, { text, needle }: Found): Expr {
  const { b } = context;
  const found = b.local("i32", i32.const(-1));
  b.if_(
    i32.leU(needle[1], i32.const(shortPartMax)),
    () => b.set(found, b.call(findShort(b.kernel), ...text, ...needle)),
    () => {
      b.if_(i32.leU(needle[1], text[1]), () => {
        const borders = context.allocate(i32.shl(needle[1], i32.const(2)));
        b.set(found, b.call(findLong(b.kernel), ...text, ...needle, borders));
      });
    },
  );
  return found;
}

/** (text, bytes, needle, needle bytes) -> offset or -1. */
function findShort(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("text.findShort", { params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [text, bytes, needle, needleBytes] = params as readonly [Expr, Expr, Expr, Expr];
    const equals = memEquals(b.kernel);
    b.forRange(i32.const(0), i32.add(i32.sub(bytes, needleBytes), i32.const(1)), (at) => {
      b.if_(b.call(equals, i32.add(text, at), needle, needleBytes), () => b.return_(at));
    });
    b.return_(i32.const(-1));
  });
}

/** (text, bytes, needle, needle bytes, room for an i32 of each byte of the needle) -> offset or -1. */
function findLong(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("text.findLong", { params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [text, bytes, needle, needleBytes, borders] = params as readonly [Expr, Expr, Expr, Expr, Expr];
    const matched = b.local("i32", i32.const(0));
    const placeOf = (index: Expr): Expr => i32.add(borders, i32.shl(index, i32.const(2)));
    b.store("i32.store", borders, i32.const(0));
    b.forRange(i32.const(1), needleBytes, (index) => {
      extend(b, { matched, needle, placeOf, byte: b.temp(i32.load8u(i32.add(needle, index))) });
      b.store("i32.store", placeOf(index), matched);
    });
    b.set(matched, i32.const(0));
    b.forRange(i32.const(0), bytes, (index) => {
      extend(b, { matched, needle, placeOf, byte: b.temp(i32.load8u(i32.add(text, index))) });
      b.if_(i32.eq(matched, needleBytes), () => b.return_(i32.sub(i32.add(index, i32.const(1)), needleBytes)));
    });
    b.return_(i32.const(-1));
  });
}

interface Extended {
  /** Bytes of the needle that match before `byte`; then with it. */
  readonly matched: ReturnType<CodeBuilder["local"]>;
  readonly needle: Expr;
  /** Address of the border of the prefix that ends at an index. */
  readonly placeOf: (index: Expr) => Expr;
  readonly byte: Expr;
}

function extend(b: CodeBuilder, { matched, needle, placeOf, byte }: Extended): void {
  const differs = (): Expr => i32.ne(byte, i32.load8u(i32.add(needle, matched)));
  b.block((done) => {
    b.loop((again) => {
      b.break_(done, i32.eqz(matched));
      b.break_(done, i32.eqz(differs()));
      b.set(matched, i32.load(placeOf(i32.sub(matched, i32.const(1)))));
      b.continue_(again);
    });
  });
  b.set(matched, i32.add(matched, i32.eqz(differs())));
}
