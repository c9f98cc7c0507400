/**
 * What kernels over text share: scanning sixteen bytes at a time, and the check of UTF-8. Blocks are read at any address before the end, so
 * up to 15 bytes after the end are read too.
 */
import {
  type CodeBuilder,
  type FunctionRef,
  i32,
  i8x16,
  type KernelBuilder,
  type Label,
  type Local,
  v128,
} from "../../../../codegen/builder.ts";
import type { Expr } from "../../../../codegen/ir.ts";

export const zero = i32.const(0);
export const one = i32.const(1);
export const newline = i32.const(0x0a);
export const carriageReturn = i32.const(0x0d);
export const quotationMark = i32.const(0x22);

export interface Scan {
  /** Moves to the first byte that matches. */
  readonly at: Local;
  readonly end: Expr;
  /** Left if there is none before the end. */
  readonly none: Label;
  /** A vector; collects the bytes that were read. */
  readonly seen?: Local;
  /** Bytes other than 0 match. */
  readonly matches: (block: Expr) => Expr;
}

export function scanTo(b: CodeBuilder, { at, end, none, seen, matches }: Scan): void {
  const hits = b.local("i32", zero);
  b.loop((more) => {
    const block = b.temp(v128.load(at));
    if (seen !== undefined) {
      b.set(seen, v128.or(seen, block));
    }
    b.set(hits, i8x16.bitmask(matches(block)));
    b.if_(i32.eqz(hits), () => {
      b.set(at, i32.add(at, i32.const(16)));
      b.break_(none, i32.geU(at, end));
      b.continue_(more);
    });
  });
  b.set(at, i32.add(at, i32.ctz(hits)));
  b.break_(none, i32.geU(at, end));
}

/** (start, end) -> i32 1 if the bytes are well-formed UTF-8: no overlong forms, no surrogates. As isUtf8 of records.ts. */
export function utf8Function(k: KernelBuilder): FunctionRef {
  return k.function_("isUtf8", { params: ["i32", "i32"], result: "i32" }, (b, [at, end]) => {
    const more = b.local("i32");
    const low = b.local("i32");
    const high = b.local("i32");
    b.while_(
      () => i32.ltU(at, end),
      (next) => {
        const ascii = i32.eqz(i8x16.bitmask(v128.load(at)));
        b.if_(ascii, () => {
          b.set(at, i32.add(at, i32.const(16)));
          b.continue_(next);
        });
        const lead = b.temp(i32.load8u(at));
        b.set(at, i32.add(at, one));
        b.continue_(next, i32.ltU(lead, i32.const(0x80)));
        b.set(more, zero);
        b.set(low, i32.const(0x80));
        b.set(high, i32.const(0xbf));
        const isLead = (from: number, to: number) => i32.leU(i32.sub(lead, i32.const(from)), i32.const(to - from));
        b.if_(isLead(0xc2, 0xdf), () => b.set(more, one));
        b.if_(isLead(0xe0, 0xef), () => b.set(more, i32.const(2)));
        b.if_(isLead(0xf0, 0xf4), () => b.set(more, i32.const(3)));
        b.if_(i32.eq(lead, i32.const(0xe0)), () => b.set(low, i32.const(0xa0)));
        b.if_(i32.eq(lead, i32.const(0xf0)), () => b.set(low, i32.const(0x90)));
        b.if_(i32.eq(lead, i32.const(0xed)), () => b.set(high, i32.const(0x9f)));
        b.if_(i32.eq(lead, i32.const(0xf4)), () => b.set(high, i32.const(0x8f)));
        b.if_(i32.or(i32.eqz(more), i32.gtU(i32.add(at, more), end)), () => b.return_(zero));
        const second = b.temp(i32.load8u(at));
        b.if_(i32.or(i32.ltU(second, low), i32.gtU(second, high)), () => b.return_(zero));
        const stop = b.temp(i32.add(at, more));
        b.set(at, i32.add(at, one));
        b.while_(
          () => i32.ltU(at, stop),
          () => {
            b.if_(i32.ne(i32.and(i32.load8u(at), i32.const(0xc0)), i32.const(0x80)), () => b.return_(zero));
            b.set(at, i32.add(at, one));
          },
        );
      },
    );
    b.return_(one);
  });
}

/** Writes where the text of a cell is, and its kind. `cells` is 0 for a cell that nothing reads. */
export function storeCell(
  b: CodeBuilder,
  target: { readonly cells: Expr; readonly kinds: Expr; readonly row: Expr },
  cell: { readonly start: Expr; readonly end: Expr; readonly kind: Expr },
): void {
  const place = b.temp(i32.add(target.cells, i32.shl(target.row, i32.const(3))));
  b.store("i32.store", place, cell.start);
  b.store("i32.store", place, i32.sub(cell.end, cell.start), 4);
  b.store("i32.store8", i32.add(target.kinds, target.row), cell.kind);
}
