/**
 * Kernel IR: a small structured language over linear memory. Operators and the expression compiler write it with builder.ts; wasm.ts emits
 * WebAssembly from it one to one; interpreter.ts runs it directly and is the emitter's oracle. Each operation has the semantics of the
 * WebAssembly instruction of the same name, including traps.
 */

export type ValueType = "i32" | "i64" | "f32" | "f64" | "v128";

export type Expr =
  | { readonly kind: "const"; readonly type: "i32" | "f32" | "f64"; readonly value: number }
  | { readonly kind: "const"; readonly type: "i64"; readonly value: bigint }
  | { readonly kind: "local"; readonly type: ValueType; readonly index: number }
  | { readonly kind: "load"; readonly type: ValueType; readonly op: LoadOp; readonly address: Expr; readonly offset: number }
  | { readonly kind: "unary"; readonly type: ValueType; readonly op: UnaryOp; readonly operand: Expr }
  | { readonly kind: "binary"; readonly type: ValueType; readonly op: BinaryOp; readonly left: Expr; readonly right: Expr }
  | { readonly kind: "select"; readonly type: ValueType; readonly condition: Expr; readonly then: Expr; readonly otherwise: Expr }
  | { readonly kind: "call"; readonly type: ValueType; readonly target: CallTarget; readonly args: readonly Expr[] };

/** A function of this kernel by index, or an imported host function by name. */
export type CallTarget = { readonly function: number } | { readonly host: string };

export type LoadOp =
  | "i32.load"
  | "i32.load8_u"
  | "i32.load8_s"
  | "i32.load16_u"
  | "i32.load16_s"
  | "i64.load"
  | "i64.load8_u"
  | "i64.load8_s"
  | "i64.load16_u"
  | "i64.load16_s"
  | "i64.load32_u"
  | "i64.load32_s"
  | "f32.load"
  | "f64.load"
  | "v128.load";

export type StoreOp =
  | "i32.store"
  | "i32.store8"
  | "i32.store16"
  | "i64.store"
  | "i64.store8"
  | "i64.store16"
  | "i64.store32"
  | "f32.store"
  | "f64.store"
  | "v128.store";

export type UnaryOp =
  | "i32.eqz"
  | "i32.clz"
  | "i32.ctz"
  | "i32.popcnt"
  | "i64.eqz"
  | "i64.clz"
  | "i64.ctz"
  | "i64.popcnt"
  | "i32.wrap_i64"
  | "i64.extend_i32_s"
  | "i64.extend_i32_u"
  | "i32.extend8_s"
  | "i32.extend16_s"
  | "i64.extend8_s"
  | "i64.extend16_s"
  | "i64.extend32_s"
  | "f32.abs"
  | "f32.neg"
  | "f32.ceil"
  | "f32.floor"
  | "f32.trunc"
  | "f32.nearest"
  | "f32.sqrt"
  | "f64.abs"
  | "f64.neg"
  | "f64.ceil"
  | "f64.floor"
  | "f64.trunc"
  | "f64.nearest"
  | "f64.sqrt"
  | "f64.promote_f32"
  | "f32.demote_f64"
  | "f64.convert_i32_s"
  | "f64.convert_i32_u"
  | "f64.convert_i64_s"
  | "f64.convert_i64_u"
  | "f32.convert_i32_s"
  | "f32.convert_i64_s"
  | "i32.trunc_sat_f64_s"
  | "i64.trunc_sat_f64_s"
  | "i32.trunc_sat_f32_s"
  | "i64.trunc_sat_f32_s"
  | "i32.reinterpret_f32"
  | "f32.reinterpret_i32"
  | "i64.reinterpret_f64"
  | "f64.reinterpret_i64"
  | `${"i8x16" | "i16x8" | "i32x4" | "i64x2"}.splat`
  | `${Lanes}.bitmask`
  | "v128.any_true";

type IntegerBinary =
  | "add"
  | "sub"
  | "mul"
  | "div_s"
  | "div_u"
  | "rem_s"
  | "rem_u"
  | "and"
  | "or"
  | "xor"
  | "shl"
  | "shr_s"
  | "shr_u"
  | "rotl"
  | "rotr"
  | "eq"
  | "ne"
  | "lt_s"
  | "lt_u"
  | "gt_s"
  | "gt_u"
  | "le_s"
  | "le_u"
  | "ge_s"
  | "ge_u";
type FloatBinary = "add" | "sub" | "mul" | "div" | "min" | "max" | "copysign" | "eq" | "ne" | "lt" | "gt" | "le" | "ge";

/** Of numbers side by side in a vector; a comparison returns a vector of lanes with no bit or every bit. */
type Lanes = "i8x16" | "i16x8" | "i32x4";
type VectorBinary = `${Lanes}.${"eq" | "gt_s" | "ge_s"}` | "i8x16.lt_u" | "i8x16.sub" | "v128.and" | "v128.or" | "v128.xor";

/** Comparisons of numbers return i32 0 or 1. */
export type BinaryOp = `i32.${IntegerBinary}` | `i64.${IntegerBinary}` | `f32.${FloatBinary}` | `f64.${FloatBinary}` | VectorBinary;

/** Labels are numbers assigned by the builder, unique within a function. */
export type Stmt =
  | { readonly kind: "set"; readonly index: number; readonly value: Expr }
  | { readonly kind: "store"; readonly op: StoreOp; readonly address: Expr; readonly offset: number; readonly value: Expr }
  | { readonly kind: "if"; readonly condition: Expr; readonly then: readonly Stmt[]; readonly otherwise: readonly Stmt[] }
  /** `break` leaves a block or loop, `continue` restarts the loop; reaching the end of a loop's body leaves it. */
  | { readonly kind: "block"; readonly label: number; readonly body: readonly Stmt[] }
  | { readonly kind: "loop"; readonly label: number; readonly body: readonly Stmt[] }
  | { readonly kind: "break"; readonly label: number; readonly condition?: Expr }
  | { readonly kind: "continue"; readonly label: number; readonly condition?: Expr }
  | { readonly kind: "return"; readonly value?: Expr }
  /** A call whose result, if any, is dropped. */
  | { readonly kind: "call"; readonly target: CallTarget; readonly args: readonly Expr[]; readonly result?: ValueType }
  | { readonly kind: "copy"; readonly target: Expr; readonly source: Expr; readonly bytes: Expr }
  | { readonly kind: "fill"; readonly target: Expr; readonly value: Expr; readonly bytes: Expr };

export interface KernelFunction {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly result?: ValueType;
  /** Types of all locals after the parameters. */
  readonly locals: readonly ValueType[];
  readonly body: readonly Stmt[];
}

export interface HostImport {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly result?: ValueType;
}

/** One module. Function 0 is the entry point, which TypeScript calls once per page. */
export interface Kernel {
  readonly name: string;
  readonly functions: readonly KernelFunction[];
  readonly imports: readonly HostImport[];
}

/** i32, f32 and f64 are numbers, i64 is a bigint. */
export type KernelValue = number | bigint;
export type CompiledKernel = (...args: readonly KernelValue[]) => KernelValue | undefined;
export type HostFunction = (...args: KernelValue[]) => KernelValue | undefined;
