/**
 * What can be completed at a position of a statement: names of which kind, behind which qualifier, and the relations whose columns are
 * visible there.
 */
import { isReserved } from "../../../sql/parser/reserved-words.ts";
import { blocksOf, isQueryGroup, namedQueries, type NamedQueries, type Relation, relationsOf } from "./relations.ts";
import { type Group, grouped, isSymbol, isWord, type Item, nameOf, type Token, tokensOf } from "./tokens.ts";

export type Place =
  /** Columns, functions and keywords. */
  | "expression"
  /** Catalogs, schemas, tables and named queries. */
  | "relation"
  /** Catalogs and schemas. */
  | "schema"
  | "catalog"
  | "session"
  | "type"
  /** Words that begin a statement. */
  | "statement"
  /** Keywords only: behind a complete name or value. */
  | "keyword"
  /** Nothing: in a literal, a comment or a new name. */
  | "none";

export interface CompletionContext {
  readonly place: Place;
  /** Offset where the completed name begins, with its quote. */
  readonly from: number;
  /** Offset where it ends: behind the cursor, if the cursor stands in a name. */
  readonly to: number;
  /** What has been typed of it, without the quote. */
  readonly prefix: string;
  readonly isQuoted: boolean;
  /** Names before the dots in front of it. */
  readonly qualifier: readonly string[];
  /** Innermost query first. */
  readonly relations: readonly Relation[];
  readonly named: NamedQueries;
}

/** `offset` is the cursor's position in `text`, a single statement. */
export function completionContext(text: string, offset: number): CompletionContext {
  const { tokens, comments } = tokensOf(text);
  const holder = tokens.find((token) => token.from < offset && (offset < token.to || (offset === token.to && isGrowing(token))));
  const isInComment = comments.some(({ from, to, isOpen }) => from < offset && (offset < to || (isOpen && offset <= to)));
  const current = holder?.kind === "word" || holder?.kind === "quoted" ? holder : undefined;
  const isQuoted = current?.kind === "quoted";
  const from = current?.from ?? offset;
  const before = tokens.filter((token) => token.to <= from);
  const { qualifier, rest } = qualifierOf(before);
  const root = grouped(tokens, text.length);
  const { relations, named, path } = scopeAt(root, from);
  const typed = current === undefined ? "" : text.slice(from + (isQuoted ? 1 : 0), offset);
  const isUnquotedPart = isQuoted && current !== undefined && !current.isOpen && offset === current.to;
  const isNothing = isInComment || isUnquotedPart || (holder !== undefined && current === undefined && holder.kind === "literal");
  return {
    place: isNothing ? "none" : placeOf(rest, path, { isBeginning: qualifier.length === 0 && before.length === 0 }),
    from,
    to: current === undefined ? offset : wordEnd(current, offset),
    prefix: isQuoted ? typed.replaceAll('""', '"') : typed,
    isQuoted,
    qualifier,
    relations,
    named,
  };
}

/** Tokens that a character typed behind them would continue. */
function isGrowing(token: Token): boolean {
  return token.isOpen || token.kind === "word" || token.kind === "quoted" || (token.kind === "literal" && /^[\d.]/.test(token.text));
}

/** An open quote swallows the rest of the text, but only what was typed before the cursor is replaced. */
function wordEnd(current: Token, offset: number): number {
  return current.isOpen ? offset : current.to;
}

function qualifierOf(before: readonly Token[]): { readonly qualifier: readonly string[]; readonly rest: readonly Token[] } {
  const qualifier: string[] = [];
  let end = before.length;
  while (qualifier.length < 3) {
    const [name, dot] = [before[end - 2], before[end - 1]];
    if (name === undefined || !isSymbol(dot, ".") || (name.kind !== "word" && name.kind !== "quoted")) {
      break;
    }
    qualifier.unshift(nameOf(name));
    end -= 2;
  }
  return { qualifier, rest: before.slice(0, end) };
}

interface Scope {
  readonly relations: readonly Relation[];
  readonly named: NamedQueries;
  /** Groups around the position, outermost first. */
  readonly path: readonly Group[];
}

function scopeAt(root: Group, offset: number): Scope {
  const path: Group[] = [];
  let named: NamedQueries = new Map();
  let relations: readonly Relation[] = [];
  let group: Group | undefined = root;
  while (group !== undefined) {
    path.push(group);
    if (group === root || isQueryGroup(group)) {
      named = namedQueries(group.items, named);
      relations = [...relationsOf(blockAt(group, offset), named), ...relations];
    }
    group = group.items.find((item): item is Group => item.kind === "group" && item.from < offset && offset < item.to);
  }
  return { relations, named, path };
}

/** The part of a query between two set operations that holds the position. */
function blockAt(group: Group, offset: number): readonly Item[] {
  const blocks = blocksOf(group.items);
  const index = blocks.findLastIndex((block) => (block[0]?.from ?? Number.POSITIVE_INFINITY) <= offset);
  return blocks[Math.max(0, index)] ?? [];
}

const relationWords = ["FROM", "JOIN", "INTO", "UPDATE", "TABLE", "VIEW", "DESCRIBE", "DESC", "ANALYZE"];
const clauseStarts = ["SELECT", "WHERE", "FROM", "ON", "HAVING", "QUALIFY", "SET", "VALUES", "BY", "WITH", "LIMIT", "USING", "WHEN"];

function placeOf(rest: readonly Token[], path: readonly Group[], { isBeginning }: { readonly isBeginning: boolean }): Place {
  const last = rest.at(-1);
  if (last === undefined) {
    return isBeginning ? "statement" : "expression";
  }
  const first = rest[0];
  const special = statementPlace(rest, first, last);
  if (special !== undefined) {
    return special;
  }
  const group = path.at(-1);
  const isCall = group !== undefined && group.from >= 0 && !isQueryGroup(group);
  if (isWord(last, "AS")) {
    return isCall && isCastAt(rest, group.from) ? "type" : isWord(rest[0], "CREATE") ? "statement" : "none";
  }
  if (isWord(last, "EXPLAIN") || (isWord(last, "ANALYZE", "VERBOSE") && isWord(rest.at(-2), "EXPLAIN", "ANALYZE"))) {
    return "statement";
  }
  if (isRelationPlace(rest, last, { isCall })) {
    return "relation";
  }
  return isComplete(last) ? "keyword" : "expression";
}

/** SHOW, USE and SET SESSION name other things than queries do. */
function statementPlace(rest: readonly Token[], first: Token | undefined, last: Token): Place | undefined {
  if (isWord(first, "USE") && rest.length === 1) {
    return "schema";
  }
  if (isWord(last, "SESSION") && isWord(rest.at(-2), "SET", "RESET")) {
    return "session";
  }
  if (!isWord(first, "SHOW") || !isWord(last, "FROM", "IN")) {
    return isWord(last, "SCHEMA") && isWord(first, "DROP", "ALTER") ? "schema" : undefined;
  }
  const [, what] = rest;
  return isWord(what, "SCHEMAS") ? "catalog" : isWord(what, "TABLES", "FUNCTIONS") ? "schema" : "relation";
}

function isCastAt(rest: readonly Token[], groupFrom: number): boolean {
  const open = rest.findLastIndex(({ from }) => from === groupFrom);
  return isWord(rest[open - 1], "CAST", "TRY_CAST");
}

/** `EXTRACT(day FROM` and `IS DISTINCT FROM` are expressions. */
function isRelationPlace(rest: readonly Token[], last: Token, { isCall }: { readonly isCall: boolean }): boolean {
  if (isWord(last, "FROM")) {
    return !isWord(rest.at(-2), "DISTINCT") && !(isCall && !isJoinGroup(rest));
  }
  if (isWord(last, "EXISTS")) {
    return isWord(rest.at(-2), "IF") && isWord(rest[0], "DROP", "ALTER");
  }
  if (isWord(last, "USING")) {
    return isWord(rest[0], "MERGE");
  }
  if (isWord(last, ...relationWords)) {
    return !isWord(last, "DESC", "UPDATE", "ANALYZE") || rest.length === 1;
  }
  return (isSymbol(last, ",") || isSymbol(last, "(")) && clauseAt(rest) === "FROM";
}

function isJoinGroup(rest: readonly Token[]): boolean {
  return isWord(
    rest.findLast((token) => token.kind === "word" && ["SELECT", "EXTRACT", "TRIM", "SUBSTRING"].includes(token.upper)),
    "SELECT",
  );
}

/** The clause of the innermost bracket that the last token belongs to. `(` behind FROM still belongs to it. */
function clauseAt(rest: readonly Token[]): string | undefined {
  let depth = 0;
  let at = rest.length - 1;
  at -= isSymbol(rest[at], "(") ? 1 : 0;
  for (; at >= 0; at--) {
    const token = rest[at];
    if (isSymbol(token, ")") || isSymbol(token, "]")) {
      depth++;
    } else if (isSymbol(token, "(") || isSymbol(token, "[")) {
      depth--;
      if (depth < 0) {
        return undefined;
      }
    } else if (depth === 0 && isWord(token, ...clauseStarts)) {
      return token.upper;
    } else if (depth === 0 && at === rest.length - 2 && isSymbol(rest.at(-1), "(") && isWord(token, "JOIN")) {
      return "FROM";
    } else if (depth === 0 && at === rest.length - 2 && isSymbol(rest.at(-1), "(") && !isSymbol(token, ",")) {
      return undefined;
    }
  }
  return undefined;
}

/** A name, value or closing bracket: an operator or a keyword must follow. */
function isComplete(last: Token): boolean {
  if (last.kind === "quoted" || last.kind === "literal") {
    return true;
  }
  if (last.kind === "symbol") {
    return last.text === ")" || last.text === "]";
  }
  return !isReserved(last.upper) ? !softWords.has(last.upper) : ["END", "NULL", "TRUE", "FALSE"].includes(last.upper);
}

/** Unreserved words in front of an expression. */
const softWords: ReadonlySet<string> = new Set(
  "ALL ANY SOME LIMIT OFFSET SET IF FILTER OVER PARTITION RANGE ROWS RETURN RETURNING DATE TIME TIMESTAMP INTERVAL SHOW EXPLAIN CALL".split(
    " ",
  ),
);
