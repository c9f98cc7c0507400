/**
 * Loads and stores the parts of a value at an address, in the layout of a column entry (page/page.ts).
 */
import { type CodeBuilder, f32, f64, i32, i64 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { physicalType, type Type } from "../../types/type.ts";

/** Loads the parts into locals. */
export function loadParts(b: CodeBuilder, type: Type, address: Expr, offset = 0): Expr[] {
  switch (physicalType(type)) {
    case "i8":
      return [b.temp(type.kind === "tinyint" ? i32.load8s(address, offset) : i32.load8u(address, offset))];
    case "i16":
      return [b.temp(i32.load16s(address, offset))];
    case "i32":
      return [b.temp(i32.load(address, offset))];
    case "i64":
      return [b.temp(i64.load(address, offset))];
    case "f32":
      return [b.temp(f32.load(address, offset))];
    case "f64":
      return [b.temp(f64.load(address, offset))];
    case "i128": {
      const at = b.temp(address);
      return [b.temp(i64.load(at, offset)), b.temp(i64.load(at, offset + 8))];
    }
    case "bytes": {
      const at = b.temp(address);
      return [b.temp(i32.load(at, offset)), b.temp(i32.load(at, offset + 4))];
    }
  }
}

export function storeParts(b: CodeBuilder, type: Type, address: Expr, parts: readonly Expr[], offset = 0): void {
  const [first, second] = parts as readonly [Expr, Expr];
  switch (physicalType(type)) {
    case "i8":
      return b.store("i32.store8", address, first, offset);
    case "i16":
      return b.store("i32.store16", address, first, offset);
    case "i32":
      return b.store("i32.store", address, first, offset);
    case "i64":
      return b.store("i64.store", address, first, offset);
    case "f32":
      return b.store("f32.store", address, first, offset);
    case "f64":
      return b.store("f64.store", address, first, offset);
    case "i128":
      b.store("i64.store", address, first, offset);
      return b.store("i64.store", address, second, offset + 8);
    case "bytes":
      b.store("i32.store", address, first, offset);
      return b.store("i32.store", address, second, offset + 4);
  }
}
