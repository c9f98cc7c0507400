/** Types of DuckDB as types of the engine. */
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  DATE,
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  INTEGER,
  JSON_TYPE,
  mapType,
  REAL,
  type RowField,
  rowType,
  SMALLINT,
  TINYINT,
  type Type,
  UUID,
  VARBINARY,
  VARCHAR,
} from "../../types/type.ts";

const digitsOfUbigint = 20;

const plainTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["BOOLEAN", BOOLEAN],
  ["TINYINT", TINYINT],
  ["SMALLINT", SMALLINT],
  ["INTEGER", INTEGER],
  ["BIGINT", BIGINT],
  ["UTINYINT", SMALLINT],
  ["USMALLINT", INTEGER],
  ["UINTEGER", BIGINT],
  ["UBIGINT", decimalType(digitsOfUbigint, 0)],
  ["HUGEINT", decimalType(decimalPrecisionMax, 0)],
  ["FLOAT", REAL],
  ["DOUBLE", DOUBLE],
  ["VARCHAR", VARCHAR],
  ["BLOB", VARBINARY],
  ["DATE", DATE],
  ["TIME", { kind: "time", precision: 6 }],
  ["TIMESTAMP_S", { kind: "timestamp", precision: 0 }],
  ["TIMESTAMP_MS", { kind: "timestamp", precision: 3 }],
  ["TIMESTAMP", { kind: "timestamp", precision: 6 }],
  ["TIMESTAMP_NS", { kind: "timestamp", precision: 9 }],
  ["TIMESTAMP WITH TIME ZONE", { kind: "timestamp with time zone", precision: 6 }],
  ["UUID", UUID],
  ["JSON", JSON_TYPE],
]);

export interface DuckdbType {
  /** `DECIMAL` and `ENUM` without their arguments; `LIST`, `STRUCT` or `MAP`; the name of another type. */
  readonly name: string;
  readonly type: Type;
}

/** A name in quotes, a text, a word with the words that follow it, or a sign. */
const token = /\s*("(?:[^"]|"")*"|'(?:[^']|'')*'|[\w$]+(?: [\w$]+)*|[()[\],])/y;
const depthMax = 100;

/** The type of a text of DuckDB's catalog, such as `STRUCT(a INTEGER, "b c" DECIMAL(10,2)[])`; undefined if its values cannot be read. */
export function typeOf(text: string): DuckdbType | undefined {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    tokens.push(match[1] ?? "");
  }
  const reader = new TypeReader(tokens);
  const found = reader.type(0);
  return reader.isAtEnd ? found : undefined;
}

class TypeReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  type(depth: number, name = this.#take()): DuckdbType | undefined {
    let found = depth > depthMax ? undefined : this.#base(name, depth);
    while (this.#accepts("[")) {
      while (!this.isAtEnd && !this.#accepts("]")) {
        this.#take();
      }
      found = found && { name: "LIST", type: arrayType(found.type) };
    }
    return found;
  }

  #base(name: string, depth: number): DuckdbType | undefined {
    if (!this.#accepts("(")) {
      const type = plainTypes.get(name);
      return type && { name, type };
    }
    switch (name) {
      case "STRUCT": {
        const fields = this.#list(() => this.#field(depth));
        return fields && { name, type: rowType(fields) };
      }
      case "MAP": {
        const [key, value] = this.#list(() => this.type(depth + 1)) ?? [];
        return key && value && { name, type: mapType(key.type, value.type) };
      }
      case "DECIMAL": {
        const [precision, scale] = this.#list(() => this.#take()) ?? [];
        return { name, type: decimalType(Number(precision), Number(scale)) };
      }
      default:
        this.#list(() => this.#nested());
        return name === "ENUM" ? { name, type: VARCHAR } : undefined;
    }
  }

  /** `name TYPE`, or the type alone. A name without quotes is one token with the type's first words. */
  #field(depth: number): RowField | undefined {
    const first = this.#take();
    if (first.startsWith('"')) {
      const type = this.type(depth + 1)?.type;
      return type && { name: first.slice(1, -1).replaceAll('""', '"'), type };
    }
    const space = first.indexOf(" ");
    const isNamed = space >= 0 && !plainTypes.has(first);
    const type = this.type(depth + 1, isNamed ? first.slice(space + 1) : first)?.type;
    return type && { ...(isNamed && { name: first.slice(0, space) }), type };
  }

  /** Passes over an argument of a type that is not read. */
  #nested(): true {
    for (let depth = 0; !this.isAtEnd; ) {
      const next = this.#tokens[this.#at] as string;
      if (depth === 0 && (next === "," || next === ")")) {
        break;
      }
      depth += Number(next === "(") - Number(next === ")");
      this.#at++;
    }
    return true;
  }

  /** The arguments up to the closing parenthesis; undefined if one of them is. */
  #list<T>(read: () => T | undefined): readonly T[] | undefined {
    const all: (T | undefined)[] = [];
    do {
      all.push(read());
    } while (this.#accepts(","));
    const found = all.filter((one) => one !== undefined);
    return this.#accepts(")") && found.length === all.length ? found : undefined;
  }

  #take(): string {
    return this.#tokens[this.#at++] ?? "";
  }

  #accepts(text: string): boolean {
    const isNext = this.#tokens[this.#at] === text;
    this.#at += Number(isNext);
    return isNext;
  }
}
