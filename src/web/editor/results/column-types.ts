/** Column types of results, from their texts: `decimal(38, 2)`, `array(row(a bigint, "b c" varchar))`, `timestamp(6) with time zone`. */

export interface ColumnType {
  /** Lower case, without parameters: `decimal`, `timestamp with time zone`. */
  readonly base: string;
  readonly numbers: readonly number[];
  /** Element types, or fields of a row. */
  readonly children: readonly { readonly name: string | undefined; readonly type: ColumnType }[];
}

export function parseColumnType(text: string): ColumnType {
  const open = text.indexOf("(");
  if (open < 0) {
    return { base: text.trim().toLowerCase(), numbers: [], children: [] };
  }
  const close = closing(text, open);
  const base = `${text.slice(0, open)}${text.slice(close + 1)}`.trim().replaceAll(/\s+/g, " ").toLowerCase();
  const parts = separated(text.slice(open + 1, close));
  if (parts.every((part) => /^\d+$/.test(part))) {
    return { base, numbers: parts.map(Number), children: [] };
  }
  return {
    base,
    numbers: [],
    children: parts.map((part) => (base === "row" ? field(part) : { name: undefined, type: parseColumnType(part) })),
  };
}

function closing(text: string, open: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = open; at < text.length; at++) {
    const character = text.charAt(at);
    isQuoted = character === '"' ? !isQuoted : isQuoted;
    depth += isQuoted ? 0 : character === "(" ? 1 : character === ")" ? -1 : 0;
    if (depth === 0) {
      return at;
    }
  }
  return text.length;
}

function separated(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text.charAt(at);
    if (character === "(") {
      at = closing(text, at);
    } else if (character === '"') {
      const end = text.indexOf('"', at + 1);
      at = end < 0 ? text.length : end;
    } else if (character === "," || at === text.length) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  if (start < text.length) {
    parts.push(text.slice(start).trim());
  }
  return parts;
}

/** Words of types that consist of several. */
const typeTails = /^(?:with|without|precision|day|year|to)\b/i;

function field(text: string): { readonly name: string | undefined; readonly type: ColumnType } {
  const quoted = /^"((?:[^"]|"")*)"\s+/.exec(text);
  if (quoted !== null) {
    return { name: quoted[1]?.replaceAll('""', '"'), type: parseColumnType(text.slice(quoted[0].length)) };
  }
  const plain = /^([A-Za-z_]\w*)\s+/.exec(text);
  if (plain === null || typeTails.test(text.slice(plain[0].length))) {
    return { name: undefined, type: parseColumnType(text) };
  }
  return { name: plain[1], type: parseColumnType(text.slice(plain[0].length)) };
}

const numberBases: ReadonlySet<string> = new Set(["tinyint", "smallint", "integer", "bigint", "real", "double", "decimal"]);

export function isNumberType({ base }: ColumnType): boolean {
  return numberBases.has(base);
}

export function isFloatingType({ base }: ColumnType): boolean {
  return base === "real" || base === "double";
}

export function isTimeType({ base }: ColumnType): boolean {
  return base === "date" || base.startsWith("timestamp");
}
