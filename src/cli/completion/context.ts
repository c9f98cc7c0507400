/**
 * What the place of the cursor asks for: a table, a column, a property. Words before the cursor decide, so that unfinished statements work.
 */
import { isKeyword } from "../sql/keywords.ts";
import { isName, nameOf, type Word, wordsOf } from "../sql/words.ts";

export type Expected =
  /** The first word of a statement. */
  | "statement"
  /** A relation: table, schema, catalog or common table expression. */
  | "relation"
  | "expression"
  | "catalog"
  | "schema"
  | "property"
  | "keyword"
  | "nothing";

export interface CursorContext {
  readonly expected: Expected;
  /** Offset in the text where the word under the cursor begins. */
  readonly from: number;
  /** The part of the word before the cursor, without its quote. */
  readonly prefix: string;
  readonly isQuoted: boolean;
  /** Names before the word, with dots between: `catalog.schema.` */
  readonly qualifiers: readonly string[];
  /** Words of the statement with the cursor. */
  readonly words: readonly Word[];
  /** Index in `words` of the word under the cursor, or of the one that would be there. */
  readonly index: number;
}

const relationWords: ReadonlySet<string> = new Set([
  "FROM",
  "JOIN",
  "INTO",
  "UPDATE",
  "TABLE",
  "DESCRIBE",
  "DESC",
  "VIEW",
  "ANALYZE",
  "EXISTS",
  "FOR",
]);
const fromClauseEnds: ReadonlySet<string> = new Set(
  "SELECT WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET ON SET VALUES USING WINDOW UNION EXCEPT INTERSECT WITH BY".split(" "),
);

export function contextAt(text: string, cursor: number): CursorContext {
  const all = wordsOf(text.slice(0, cursor));
  const start = all.findLastIndex(({ text: word }) => word === ";") + 1;
  const before = all.slice(start);
  const last = before.at(-1);
  const isInWord = last !== undefined && last.to === cursor && (isName(last) || last.isOpen);
  const head = isInWord ? before.slice(0, -1) : before;
  const { qualifiers, rest } = qualifiersOf(head);
  const isQuoted = isInWord && last.kind === "quoted";
  const place = { before: head, cursor, typed: isInWord ? last : undefined };
  return {
    expected: isInWord && !isName(last) ? "nothing" : expectedAfter(rest, qualifiers),
    from: isInWord ? last.from : cursor,
    prefix: isInWord ? (isQuoted ? last.text.slice(1) : last.text) : "",
    isQuoted,
    qualifiers,
    words: statementWords(text, place),
    index: head.length,
  };
}

interface Place {
  /** Words of the statement before the one under the cursor. */
  readonly before: readonly Word[];
  readonly cursor: number;
  /** The word under the cursor, as far as it is before the cursor. */
  readonly typed: Word | undefined;
}

/**
 * All words of the statement, also those behind the cursor: a FROM clause is often written before the columns. Where no word is under the
 * cursor, one is put there, so that `t. FROM t` does not read FROM as a name. A quote that is open at the cursor ends there.
 */
function statementWords(text: string, { before, cursor, typed }: Place): readonly Word[] {
  const rest = text.slice(cursor);
  const isOpen = typed?.isOpen === true;
  const joined = /^[A-Za-z0-9_@]*/.exec(isOpen || typed === undefined ? "" : rest)?.[0] ?? "";
  const skipped = isOpen && rest.startsWith(typed.text.charAt(0)) ? 1 : joined.length;
  const word: Word = {
    kind: typed?.kind ?? "word",
    from: typed?.from ?? cursor,
    to: cursor + skipped,
    text: typed === undefined ? "_" : `${typed.text}${isOpen ? typed.text.charAt(0) : joined}`,
    isOpen: false,
  };
  const after = wordsOf(rest.slice(skipped));
  const end = after.findIndex(({ text: other }) => other === ";");
  return [...before, word, ...(end === -1 ? after : after.slice(0, end))];
}

/** `a.b.` at the end of the words, as names, and the words before it. */
function qualifiersOf(words: readonly Word[]): { readonly qualifiers: readonly string[]; readonly rest: readonly Word[] } {
  const qualifiers: string[] = [];
  let end = words.length;
  while (words[end - 1]?.text === "." && words[end - 2] !== undefined && isName(words[end - 2] as Word)) {
    qualifiers.unshift(nameOf(words[end - 2] as Word));
    end -= 2;
  }
  return { qualifiers, rest: words.slice(0, end) };
}

function expectedAfter(words: readonly Word[], qualifiers: readonly string[]): Expected {
  const upper = words.map((word) => (word.kind === "word" ? word.text.toUpperCase() : word.text));
  const last = upper.at(-1);
  if (last === undefined) {
    return "statement";
  }
  const fixed = fixedStatement(upper);
  if (fixed !== undefined) {
    return fixed;
  }
  if (relationWords.has(last) || (last === "," && isInFromClause(upper))) {
    return "relation";
  }
  const lastWord = words.at(-1) as Word;
  const isOperand = isName(lastWord)
    ? lastWord.kind === "word" && isKeyword(lastWord.text) && !["NULL", "TRUE", "FALSE", "END"].includes(last)
    : !/^[)\]\w'"]/.test(last);
  if (qualifiers.length > 0) {
    return "expression";
  }
  return isOperand ? "expression" : "keyword";
}

/** Statements whose words are known: SHOW, USE, SET SESSION. */
function fixedStatement(upper: readonly string[]): Expected | undefined {
  const [first, second, third] = upper;
  switch (first) {
    case "USE":
      return upper.length === 1 ? "schema" : "nothing";
    case "SET":
    case "RESET":
      return second === "SESSION" ? (upper.length === 2 ? "property" : "expression") : upper.length === 1 ? "keyword" : undefined;
    case "SHOW":
      return upper.length === 1 ? "keyword" : shown(second ?? "", third, upper.length);
    default:
      return undefined;
  }
}

function shown(what: string, third: string | undefined, count: number): Expected | undefined {
  if (count !== 3 || (third !== "FROM" && third !== "IN")) {
    return count === 2 ? "keyword" : undefined;
  }
  return what === "SCHEMAS" ? "catalog" : what === "TABLES" ? "schema" : "relation";
}

/** True for `FROM a, ` but not for `SELECT a, ` and `GROUP BY a, `; commas in parentheses belong to them. */
function isInFromClause(upper: readonly string[]): boolean {
  let depth = 0;
  for (const word of upper.toReversed()) {
    if (word === ")") {
      depth++;
    } else if (word === "(") {
      if (depth === 0) {
        return false;
      }
      depth--;
    } else if (depth === 0 && (word === "FROM" || word === "JOIN")) {
      return true;
    } else if (depth === 0 && fromClauseEnds.has(word) && word !== "ON" && word !== "USING") {
      return false;
    }
  }
  return false;
}
