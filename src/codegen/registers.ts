/**
 * Keeps fields of memory in locals while code runs: the fields are loaded before, stored after, and the loads and stores between become
 * locals. An aggregation without keys thus touches its states once per page.
 */
import type { Expr, LoadOp, Stmt, StoreOp, ValueType } from "./ir.ts";

/** Full-width accesses; others leave a field in memory. */
const loads: Readonly<Partial<Record<LoadOp, number>>> = { "i32.load": 4, "i64.load": 8, "f32.load": 4, "f64.load": 8 };
const stores: Readonly<Partial<Record<StoreOp, ValueType>>> = {
  "i32.store": "i32",
  "i64.store": "i64",
  "f32.store": "f32",
  "f64.store": "f64",
};
const storeOf: Readonly<Partial<Record<ValueType, StoreOp>>> = { i32: "i32.store", i64: "i64.store", f32: "f32.store", f64: "f64.store" };
const loadOf: Readonly<Partial<Record<ValueType, LoadOp>>> = { i32: "i32.load", i64: "i64.load", f32: "f32.load", f64: "f64.load" };

export interface FieldLocals {
  readonly before: readonly Stmt[];
  readonly body: readonly Stmt[];
  readonly after: readonly Stmt[];
}

/**
 * `bases` are locals whose values do not change in `body` and address areas that do not overlap. A base that is used for anything but full
 * loads and stores stays in memory. If code leaves `body` by a break or a return, the fields in memory keep their old values.
 */
export function fieldsInLocals(body: readonly Stmt[], bases: ReadonlySet<number>, newLocal: (type: ValueType) => number): FieldLocals {
  const fields = new Fields(bases);
  eachStatement(body, (statement) => fields.see(statement));
  const locals = fields.settle(newLocal);
  const before: Stmt[] = [];
  const after: Stmt[] = [];
  for (const [base, places] of locals) {
    const address: Expr = { kind: "local", type: "i32", index: base };
    for (const [offset, { index, type }] of places) {
      before.push({ kind: "set", index, value: { kind: "load", type, op: loadOf[type] as LoadOp, address, offset } });
      const value: Expr = { kind: "local", type, index };
      after.push({ kind: "store", op: storeOf[type] as StoreOp, address, offset, value });
    }
  }
  return { before, body: body.map((statement) => withLocals(statement, locals)), after };
}

type Places = ReadonlyMap<number, { readonly index: number; readonly type: ValueType }>;
type FieldTable = ReadonlyMap<number, Places>;

class Fields {
  readonly #types = new Map<number, Map<number, ValueType>>();
  readonly #inMemory = new Set<number>();

  constructor(bases: ReadonlySet<number>) {
    for (const base of bases) {
      this.#types.set(base, new Map());
    }
  }

  see(statement: Stmt): void {
    if (statement.kind === "set") {
      this.#inMemory.add(statement.index);
    }
    for (const expression of expressionsOf(statement)) {
      if (statement.kind === "store" && expression === statement.address && this.#isBase(expression)) {
        this.#access(expression.index, statement.offset, stores[statement.op]);
      } else {
        this.#expression(expression);
      }
    }
  }

  settle(newLocal: (type: ValueType) => number): FieldTable {
    const table = new Map<number, Map<number, { index: number; type: ValueType }>>();
    for (const [base, types] of this.#types) {
      const places = [...types].sort(([a], [b]) => a - b);
      const overlaps = places.some(([offset, type], at) => {
        const next = places[at + 1];
        return next !== undefined && offset + (loads[loadOf[type] as LoadOp] as number) > next[0];
      });
      if (!this.#inMemory.has(base) && !overlaps) {
        table.set(base, new Map(places.map(([offset, type]) => [offset, { index: newLocal(type), type }])));
      }
    }
    return table;
  }

  #isBase(expression: Expr): expression is Expr & { readonly kind: "local" } {
    return expression.kind === "local" && this.#types.has(expression.index);
  }

  #expression(expression: Expr): void {
    if (this.#isBase(expression)) {
      this.#inMemory.add(expression.index);
    } else if (expression.kind === "load" && this.#isBase(expression.address)) {
      this.#access(expression.address.index, expression.offset, loads[expression.op] === undefined ? undefined : expression.type);
    } else {
      operandsOf(expression).forEach((operand) => this.#expression(operand));
    }
  }

  #access(base: number, offset: number, type: ValueType | undefined): void {
    const types = this.#types.get(base) as Map<number, ValueType>;
    if (type === undefined || (types.has(offset) && types.get(offset) !== type)) {
      this.#inMemory.add(base);
    } else {
      types.set(offset, type);
    }
  }
}

function eachStatement(body: readonly Stmt[], see: (statement: Stmt) => void): void {
  for (const statement of body) {
    see(statement);
    if (statement.kind === "if") {
      eachStatement(statement.then, see);
      eachStatement(statement.otherwise, see);
    } else if (statement.kind === "block" || statement.kind === "loop") {
      eachStatement(statement.body, see);
    }
  }
}

/** The expressions of a statement, without those of statements inside of it. */
function expressionsOf(statement: Stmt): readonly Expr[] {
  switch (statement.kind) {
    case "set":
      return [statement.value];
    case "store":
      return [statement.address, statement.value];
    case "if":
      return [statement.condition];
    case "break":
    case "continue":
      return statement.condition === undefined ? [] : [statement.condition];
    case "return":
      return statement.value === undefined ? [] : [statement.value];
    case "call":
      return statement.args;
    case "copy":
      return [statement.target, statement.source, statement.bytes];
    case "fill":
      return [statement.target, statement.value, statement.bytes];
    case "block":
    case "loop":
      return [];
  }
}

function operandsOf(expression: Expr): readonly Expr[] {
  switch (expression.kind) {
    case "const":
    case "local":
      return [];
    case "load":
      return [expression.address];
    case "unary":
      return [expression.operand];
    case "binary":
      return [expression.left, expression.right];
    case "select":
      return [expression.condition, expression.then, expression.otherwise];
    case "call":
      return expression.args;
  }
}

function placeOf(table: FieldTable, address: Expr, offset: number): { readonly index: number; readonly type: ValueType } | undefined {
  return address.kind === "local" ? table.get(address.index)?.get(offset) : undefined;
}

function withLocals(statement: Stmt, table: FieldTable): Stmt {
  const on = (expression: Expr): Expr => expressionWithLocals(expression, table);
  const within = (body: readonly Stmt[]): readonly Stmt[] => body.map((one) => withLocals(one, table));
  switch (statement.kind) {
    case "set":
      return { ...statement, value: on(statement.value) };
    case "store": {
      const place = placeOf(table, statement.address, statement.offset);
      const value = on(statement.value);
      return place === undefined ? { ...statement, address: on(statement.address), value } : { kind: "set", index: place.index, value };
    }
    case "if":
      return { ...statement, condition: on(statement.condition), then: within(statement.then), otherwise: within(statement.otherwise) };
    case "block":
    case "loop":
      return { ...statement, body: within(statement.body) };
    case "break":
    case "continue":
      return statement.condition === undefined ? statement : { ...statement, condition: on(statement.condition) };
    case "return":
      return statement.value === undefined ? statement : { ...statement, value: on(statement.value) };
    case "call":
      return { ...statement, args: statement.args.map(on) };
    case "copy":
      return { ...statement, target: on(statement.target), source: on(statement.source), bytes: on(statement.bytes) };
    case "fill":
      return { ...statement, target: on(statement.target), value: on(statement.value), bytes: on(statement.bytes) };
  }
}

function expressionWithLocals(expression: Expr, table: FieldTable): Expr {
  const on = (operand: Expr): Expr => expressionWithLocals(operand, table);
  switch (expression.kind) {
    case "const":
    case "local":
      return expression;
    case "load": {
      const place = placeOf(table, expression.address, expression.offset);
      return place === undefined
        ? { ...expression, address: on(expression.address) }
        : { kind: "local", type: place.type, index: place.index };
    }
    case "unary":
      return { ...expression, operand: on(expression.operand) };
    case "binary":
      return { ...expression, left: on(expression.left), right: on(expression.right) };
    case "select":
      return { ...expression, condition: on(expression.condition), then: on(expression.then), otherwise: on(expression.otherwise) };
    case "call":
      return { ...expression, args: expression.args.map(on) };
  }
}
