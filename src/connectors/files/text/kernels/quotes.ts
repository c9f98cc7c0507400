/**
 * Whether text has an odd number of quotes: whether what comes after it is between quotes, if its beginning is not.
 */
import { buildKernel, i32, i8x16, v128 } from "../../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../../codegen/ir.ts";
import { one } from "./bytes.ts";

const wideBlock = 64;
const block = 16;

/** (start, end, quote) -> i32 1 if the number is odd. Reads up to 15 bytes after the end. */
export function oddQuotesKernel(): Kernel {
  return buildKernel("text odd quotes", (k) => {
    k.entry({ params: ["i32", "i32", "i32"], result: "i32" }, (b, [at, end, quote]) => {
      const quotes = b.temp(i8x16.splat(quote));
      const found = (place: number): Expr => i8x16.eq(v128.load(at, place), quotes);
      // Bytes of quotes are all ones, so that two of them in one place of blocks are none.
      const odd = b.local("v128");
      b.while_(
        () => i32.geU(i32.sub(end, at), i32.const(wideBlock)),
        () => {
          b.set(odd, v128.xor(odd, v128.xor(v128.xor(found(0), found(16)), v128.xor(found(32), found(48)))));
          b.set(at, i32.add(at, i32.const(wideBlock)));
        },
      );
      b.while_(
        () => i32.geU(i32.sub(end, at), i32.const(block)),
        () => {
          b.set(odd, v128.xor(odd, found(0)));
          b.set(at, i32.add(at, i32.const(block)));
        },
      );
      const rest = b.temp(i32.sub(i32.shl(one, i32.sub(end, at)), one));
      const last = i32.and(i8x16.bitmask(found(0)), rest);
      b.return_(i32.and(i32.popcnt(i32.xor(i8x16.bitmask(odd), last)), one));
    });
  });
}
