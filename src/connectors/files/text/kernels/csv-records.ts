/**
 * The cells of CSV records, many records at a time. Records that are not of the usual form end the batch: the caller reads them with
 * csv.ts, whose results these are.
 */
import { buildKernel, i32, i32s, i64, i8x16, select, v128 } from "../../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../../codegen/ir.ts";
import { cell } from "../records.ts";
import { carriageReturn, newline, one, storeCell, utf8Function, zero } from "./bytes.ts";

/** What is known of a field, as i32: addresses of cells and kinds (0 if nothing reads the field), and 1 if its escapes may stay. */
export const csvFieldBytes = 16;

const byteMax = i32.const(0xff);
const blockBytes = 64;

/**
 * (start, end, most rows, fields, number of fields, ends, delimiter, quote) -> number of rows. Writes the cells of the rows, and to `ends`
 * the address after each record. A record must end with a newline before `end`. Up to 63 bytes after the end are read: the last 4 KiB of
 * linear memory belong to no block.
 */
export function csvRecordsKernel(): Kernel {
  return buildKernel("text csv records", (k) => {
    const isUtf8 = utf8Function(k);
    k.entry({ params: i32s(8), result: "i32" }, (b, [start, end, rowsMax, fields, fieldCount, ends, delimiter, quote]) => {
      const row = b.local("i32", zero);
      const at = b.local("i32", start);
      const field = b.local("i32");
      const fieldStart = b.local("i32");
      const fieldEnd = b.local("i32");
      const kind = b.local("i32");
      const byte = b.local("i32");
      // A block of bytes, those of its delimiters, newlines and quotes that are not passed, and bytes from which UTF-8 is seen.
      const base = b.local("i32", i32.sub(start, i32.const(blockBytes)));
      const hits = b.local("i64");
      const block = b.local("v128");
      const seen = b.local("v128");
      const delimiters = b.temp(i8x16.splat(delimiter));
      const newlines = b.temp(i8x16.splat(newline));
      const quotes = b.temp(i8x16.splat(select(i32.gtU(quote, byteMax), newline, quote)));
      const fieldsEnd = b.temp(i32.add(fields, i32.mul(fieldCount, i32.const(csvFieldBytes))));
      const matches = (bytes: Expr) => v128.or(v128.or(i8x16.eq(bytes, delimiters), i8x16.eq(bytes, newlines)), i8x16.eq(bytes, quotes));
      b.block((stop) => {
        /** Moves to the next delimiter, newline or quote. */
        const next = () => {
          b.loop((more) => {
            b.if_(i64.eqz(hits), () => {
              b.set(base, i32.add(base, i32.const(blockBytes)));
              b.break_(stop, i32.geU(base, end));
              const parts = [0, 16, 32, 48].map((offset) => b.temp(v128.load(base, offset)));
              b.set(block, parts.reduce(v128.or));
              b.set(seen, v128.or(seen, block));
              const masks = parts.map((part, index) =>
                i64.shl(i64.extendI32U(i8x16.bitmask(matches(part))), i64.const(BigInt(16 * index))),
              );
              b.set(hits, masks.reduce(i64.or));
              b.continue_(more);
            });
          });
          b.set(at, i32.add(base, i32.wrapI64(i64.ctz(hits))));
          b.set(hits, i64.and(hits, i64.sub(hits, i64.const(1n))));
          b.break_(stop, i32.geU(at, end));
        };
        b.while_(
          () => i32.ltU(row, rowsMax),
          (nextRecord) => {
            const first = b.temp(at);
            b.set(seen, block);
            b.set(field, fields);
            b.loop((nextField) => {
              b.break_(stop, i32.geU(at, end));
              b.set(fieldStart, at);
              next();
              b.set(byte, i32.load8u(at));
              b.if_(
                i32.eq(byte, quote),
                () => {
                  b.break_(stop, i32.ne(at, fieldStart));
                  b.set(kind, i32.const(cell.quoted));
                  b.set(fieldStart, i32.add(at, one));
                  b.loop((more) => {
                    next();
                    b.continue_(more, i32.ne(i32.load8u(at), quote));
                    b.if_(i32.and(i32.eq(i32.load8u(at, 1), quote), i32.ltU(i32.add(at, one), end)), () => {
                      b.set(kind, i32.const(cell.escaped));
                      next();
                      b.continue_(more);
                    });
                  });
                  b.set(fieldEnd, at);
                  next();
                  b.set(byte, i32.load8u(at));
                  const gap = b.temp(i32.sub(at, fieldEnd));
                  // A carriage return belongs to the line end only before a newline.
                  const isLineEnd = i32.and(i32.eq(gap, i32.const(2)), i32.eq(i32.load16u(fieldEnd, 1), i32.const(0x0a0d)));
                  b.break_(stop, i32.eqz(i32.or(i32.eq(gap, one), isLineEnd)));
                },
                () => {
                  b.set(fieldEnd, at);
                  const isLineEnd = i32.and(i32.eq(byte, newline), i32.gtU(at, fieldStart));
                  b.if_(isLineEnd, () => b.set(fieldEnd, i32.sub(at, i32.eq(i32.load8u(i32.sub(at, one)), carriageReturn))));
                  b.set(kind, select(i32.eq(fieldEnd, fieldStart), i32.const(cell.none), i32.const(cell.bare)));
                },
              );
              b.break_(stop, i32.geU(field, fieldsEnd));
              const cells = b.temp(i32.load(field));
              b.if_(i32.ne(cells, zero), () => {
                b.break_(stop, i32.and(i32.eq(kind, i32.const(cell.escaped)), i32.eqz(i32.load(field, 8))));
                storeCell(b, { cells, kinds: i32.load(field, 4), row }, { start: fieldStart, end: fieldEnd, kind });
              });
              b.set(field, i32.add(field, i32.const(csvFieldBytes)));
              b.set(at, i32.add(at, one));
              b.continue_(nextField, i32.eq(byte, delimiter));
            });
            const isBlank = i32.and(
              i32.eq(field, i32.add(fields, i32.const(csvFieldBytes))),
              i32.and(i32.eq(kind, i32.const(cell.none)), i32.ne(fieldCount, one)),
            );
            b.continue_(nextRecord, isBlank);
            b.break_(stop, i32.ne(field, fieldsEnd));
            b.if_(i8x16.bitmask(seen), () => b.break_(stop, i32.eqz(b.call(isUtf8, first, i32.sub(at, one)))));
            b.store("i32.store", i32.add(ends, i32.shl(row, i32.const(2))), at);
            b.set(row, i32.add(row, one));
          },
        );
      });
      b.return_(row);
    });
  });
}
