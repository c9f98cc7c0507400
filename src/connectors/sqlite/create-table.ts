/**
 * The statement that created a table, as sqlite_schema keeps it: columns, types, default values, the primary key, and how rows are stored.
 * The statement is SQLite's own text of a statement that it has accepted, so what is of no use here is passed over.
 */
import { BadData } from "../shared/file-errors.ts";

export interface DefinedColumn {
  readonly name: string;
  /** As it is written; empty if there is none. */
  readonly type: string;
  /** The literal that rows have that are older than the column; undefined if it is no literal. */
  readonly defaultValue?: Literal;
  readonly isRequired?: true;
  /** A value that is computed when it is read. */
  readonly isVirtual?: true;
}

/** A number as its text. */
export type Literal =
  | { readonly kind: "null" }
  | { readonly kind: "number" | "text"; readonly text: string }
  | { readonly kind: "blob"; readonly hex: string };

export interface DefinedTable {
  readonly columns: readonly DefinedColumn[];
  /** Names of the columns of the primary key. */
  readonly primaryKey: readonly string[];
  /** The column that is another name of the row id. */
  readonly rowidColumn: string | undefined;
  readonly hasRowid: boolean;
}

interface Token {
  readonly kind: "word" | "name" | "text" | "number" | "blob" | "sign";
  /** Without quotes. Words are in upper case in `word`. */
  readonly text: string;
  readonly word: string;
}

const tokenPattern =
  /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|[xX]'([0-9a-fA-F]*)'|'((?:[^']|'')*)'|(0[xX][0-9a-fA-F]+|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_$\u0080-\u{10ffff}][\p{L}\p{N}_$\u0080-\u{10ffff}]*)|([^\s])/gu;

const columnKeywords: ReadonlySet<string> = new Set([
  "CONSTRAINT",
  "PRIMARY",
  "NOT",
  "NULL",
  "UNIQUE",
  "CHECK",
  "DEFAULT",
  "COLLATE",
  "REFERENCES",
  "GENERATED",
  "AS",
]);
const tableKeywords: ReadonlySet<string> = new Set(["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]);

/** Throws BadData. */
export function parseCreateTable(sql: string): DefinedTable {
  const tokens = tokensOf(sql);
  const open = tokens.findIndex(isSign("("));
  const close = closingOf(tokens, open);
  if (open < 0 || close < 0 || tokens[0]?.word !== "CREATE") {
    throw new BadData("the statement of a table is damaged");
  }
  const options = new Set(tokens.slice(close + 1).map(({ word }) => word));
  const hasRowid = !options.has("WITHOUT");
  const columns: (DefinedColumn & { readonly key?: "ASC" | "DESC" })[] = [];
  let primaryKey: readonly string[] = [];
  for (const part of partsOf(tokens.slice(open + 1, close))) {
    const [first] = part;
    if (first?.kind === "word" && tableKeywords.has(first.word)) {
      primaryKey = primaryKeyOf(part) ?? primaryKey;
    } else if (first !== undefined) {
      columns.push(columnOf(part));
    }
  }
  const own = columns.find(({ key }) => key !== undefined);
  const names = own === undefined ? primaryKey : [own.name];
  const alias = names.length === 1 ? columns.find(({ name }) => isSameName(name, names[0] ?? "")) : undefined;
  const isAlias = hasRowid && alias?.type.toUpperCase() === "INTEGER" && alias.key !== "DESC";
  return {
    columns: columns.map(({ key: _key, ...column }) => column),
    primaryKey: names,
    rowidColumn: isAlias ? alias?.name : undefined,
    hasRowid,
  };
}

/** Names are compared without regard to case, but only that of ASCII. */
export function isSameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const match of sql.matchAll(tokenPattern)) {
    const [, quoted, ticked, bracketed, blob, text, number, word, sign] = match;
    if (quoted !== undefined) {
      tokens.push({ kind: "name", text: quoted.replaceAll('""', '"'), word: "" });
    } else if (ticked !== undefined) {
      tokens.push({ kind: "name", text: ticked.replaceAll("``", "`"), word: "" });
    } else if (bracketed !== undefined) {
      tokens.push({ kind: "name", text: bracketed, word: "" });
    } else if (blob !== undefined) {
      tokens.push({ kind: "blob", text: blob, word: "" });
    } else if (text !== undefined) {
      tokens.push({ kind: "text", text: text.replaceAll("''", "'"), word: "" });
    } else if (number !== undefined) {
      tokens.push({ kind: "number", text: number.replaceAll("_", ""), word: "" });
    } else if (word !== undefined) {
      tokens.push({ kind: "word", text: word, word: word.toUpperCase() });
    } else if (sign !== undefined) {
      tokens.push({ kind: "sign", text: sign, word: "" });
    }
  }
  return tokens;
}

function isSign(text: string): (token: Token | undefined) => boolean {
  return (token) => token?.kind === "sign" && token.text === text;
}

const isOpen = isSign("(");
const isClose = isSign(")");
const isComma = isSign(",");

/** Index of the parenthesis that closes the one at `open`; -1 if there is none. */
function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = Math.max(0, open); index < tokens.length; index++) {
    depth += Number(isOpen(tokens[index])) - Number(isClose(tokens[index]));
    if (depth === 0) {
      return index;
    }
  }
  return -1;
}

/** Separated by the commas that are in no parentheses. */
function partsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += Number(isOpen(token)) - Number(isClose(token));
    if (depth === 0 && isComma(token)) {
      parts.push([]);
    } else {
      parts.at(-1)?.push(token);
    }
  }
  return parts;
}

/** Columns of a PRIMARY KEY among the constraints of a table; undefined if there is none. */
function primaryKeyOf(part: readonly Token[]): readonly string[] | undefined {
  const at = part.findIndex(({ word }, index) => word === "PRIMARY" && part[index + 1]?.word === "KEY");
  const open = at < 0 ? -1 : at + 2;
  if (open < 0 || !isOpen(part[open])) {
    return undefined;
  }
  const items = partsOf(part.slice(open + 1, closingOf(part, open)));
  const names = items.flatMap(([first]) => (first === undefined ? [] : [first.text]));
  const distinct = names.filter((name, index) => names.findIndex((other) => isSameName(name, other)) === index);
  if (distinct.length < names.length && items.some((item) => item.some(({ word }) => word === "COLLATE"))) {
    throw new BadData("a primary key has a column in more than one collation");
  }
  return distinct;
}

function columnOf(part: readonly Token[]): DefinedColumn & { readonly key?: "ASC" | "DESC" } {
  const name = part[0]?.text ?? "";
  let index = 1;
  const type: string[] = [];
  while (index < part.length && !(part[index]?.kind === "word" && columnKeywords.has(part[index]?.word ?? ""))) {
    type.push(part[index]?.text ?? "");
    index++;
  }
  let [key, isVirtual, isRequired, defaultValue]: [("ASC" | "DESC")?, boolean?, boolean?, Literal?] = [];
  for (; index < part.length; index++) {
    const { word = "" } = part[index] ?? {};
    if (isOpen(part[index])) {
      index = closingOf(part, index);
      if (index < 0) {
        throw new BadData(`the definition of column ${name} is damaged`);
      }
    } else if (word === "PRIMARY") {
      key = part[index + 2]?.word === "DESC" ? "DESC" : "ASC";
    } else if (word === "NOT" && part[index + 1]?.word === "NULL") {
      isRequired = true;
    } else if (word === "DEFAULT" && part[index - 1]?.word !== "SET") {
      defaultValue = literalOf(part, index + 1);
    } else if (word === "AS" && isOpen(part[index + 1])) {
      isVirtual = part[closingOf(part, index + 1) + 1]?.word !== "STORED";
    }
  }
  return {
    name,
    type: type.join(" ").replace(/ ?([(),+-]) ?/g, "$1"),
    ...(key !== undefined && { key }),
    ...(isVirtual === true && { isVirtual }),
    ...(isRequired === true && { isRequired }),
    ...(defaultValue !== undefined && { defaultValue }),
  };
}

/** undefined for an expression, which no column has that was added later. */
function literalOf(part: readonly Token[], at: number): Literal | undefined {
  const sign = isSign("-")(part[at]) ? "-" : "";
  const token = part[sign !== "" || isSign("+")(part[at]) ? at + 1 : at];
  switch (token?.kind) {
    case "number":
      return { kind: "number", text: `${sign}${token.text}` };
    case "text":
    case "name":
      return { kind: "text", text: token.text };
    case "blob":
      return { kind: "blob", hex: token.text };
    case "word":
      return token.word === "NULL"
        ? { kind: "null" }
        : token.word === "TRUE" || token.word === "FALSE"
          ? { kind: "number", text: token.word === "TRUE" ? "1" : "0" }
          : token.word.startsWith("CURRENT_")
            ? undefined
            : { kind: "text", text: token.text };
    default:
      return undefined;
  }
}
