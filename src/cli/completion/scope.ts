/**
 * The relations that a place of an unfinished statement can see. The statement need not parse: words and parentheses decide.
 */
import { isKeyword } from "../sql/keywords.ts";
import { isName, nameOf, type Word } from "../sql/words.ts";

/** A table of a FROM clause. */
export interface Relation {
  /** `table`, `schema.table` or `catalog.schema.table`; empty for a subquery. */
  readonly name: readonly string[];
  readonly alias?: string;
  /** Names of its columns, if the statement itself says them. */
  readonly columns?: readonly string[];
  /** Relations whose columns are all columns of this one: `SELECT *` in a subquery. */
  readonly all?: readonly Relation[];
}

/** Words from `from` to before `to`, all of them inside the same parentheses. */
interface Range {
  readonly from: number;
  readonly to: number;
}

const clauseEnds: ReadonlySet<string> = new Set(
  "WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH WINDOW SELECT SET VALUES UNION EXCEPT INTERSECT WHEN RETURNING".split(" "),
);
const setOperations: ReadonlySet<string> = new Set(["UNION", "EXCEPT", "INTERSECT"]);
const relationWords: ReadonlySet<string> = new Set(["FROM", "JOIN", "INTO", "UPDATE", "USING"]);
/** Depth of subqueries that are looked into. */
const depthMax = 20;

export class StatementScope {
  readonly #words: readonly Word[];
  /** Index of the closing parenthesis of each opening one; the number of words if it is missing. */
  readonly #closers = new Map<number, number>();

  constructor(words: readonly Word[]) {
    this.#words = words;
    const open: number[] = [];
    for (const [index, { text }] of words.entries()) {
      if (text === "(") {
        open.push(index);
      } else if (text === ")") {
        const opener = open.pop();
        if (opener !== undefined) {
          this.#closers.set(opener, index);
        }
      }
    }
    for (const opener of open) {
      this.#closers.set(opener, words.length);
    }
  }

  /** Relations visible at a word, those of the innermost query first. */
  relationsAt(index: number): readonly Relation[] {
    const relations: Relation[] = [];
    for (const range of this.#rangesAround(index)) {
      relations.push(...this.#relationsIn(this.#partAround(range, index), 0));
    }
    return relations;
  }

  /** Names of common table expressions visible at a word. */
  expressionNamesAt(index: number): readonly string[] {
    return this.#rangesAround(index).flatMap((range) => [...this.#expressions(range, 0).keys()]);
  }

  /** Queries around the word, the innermost first: the whole statement, and parentheses that begin with a query. */
  #rangesAround(index: number): readonly Range[] {
    const ranges: Range[] = [{ from: 0, to: this.#words.length }];
    for (const [opener, closer] of this.#closers) {
      if (opener < index && index <= closer && /^(select|with)$/i.test(this.#words[opener + 1]?.text ?? "")) {
        ranges.push({ from: opener + 1, to: closer });
      }
    }
    return ranges.toSorted((one, other) => other.from - one.from);
  }

  /** The part of UNION, EXCEPT or INTERSECT that holds the word. */
  #partAround({ from, to }: Range, index: number): Range {
    let part = { from, to };
    for (let at = from; at < to; at = this.#next(at)) {
      if (setOperations.has(this.#upper(at))) {
        part = at < index ? { ...part, from: at + 1 } : { ...part, to: Math.min(part.to, at) };
      }
    }
    // A WITH before the parts belongs to all of them.
    return part;
  }

  #relationsIn(range: Range, depth: number): readonly Relation[] {
    const expressions = this.#expressionsAround(range.from, depth);
    const relations: Relation[] = [];
    let isFrom = false;
    for (let at = range.from; at < range.to; ) {
      const word = this.#upper(at);
      const begins = relationWords.has(word) && !this.#isQualified(at);
      isFrom = begins || (isFrom && !clauseEnds.has(word));
      if (begins || (isFrom && word === ",")) {
        const found = this.#relation(at + 1, { to: range.to, expressions, depth });
        if (found !== undefined) {
          relations.push(found.relation);
          at = found.next;
          continue;
        }
      }
      at = this.#next(at);
    }
    return relations;
  }

  #relation(
    from: number,
    { to, expressions, depth }: { readonly to: number; readonly expressions: ReadonlyMap<string, Relation>; readonly depth: number },
  ): { readonly relation: Relation; readonly next: number } | undefined {
    const first = this.#words[from];
    if (first === undefined || from >= to) {
      return undefined;
    }
    let next = from;
    let relation: Relation | undefined;
    if (first.text === "(") {
      const closer = this.#closers.get(from) ?? to;
      relation = { name: [], ...this.#outputs({ from: from + 1, to: closer }, depth + 1) };
      next = closer + 1;
    } else if (isName(first) && (first.kind !== "word" || !isKeyword(first.text))) {
      const name = [nameOf(first)];
      next = from + 1;
      while (this.#words[next]?.text === "." && this.#words[next + 1] !== undefined && isName(this.#words[next + 1] as Word)) {
        name.push(nameOf(this.#words[next + 1] as Word));
        next += 2;
      }
      const expression = name.length === 1 ? expressions.get(name[0] as string) : undefined;
      relation = expression === undefined ? { name } : { ...expression, name, alias: name[0] as string };
    }
    return relation === undefined ? undefined : this.#withAlias(relation, next);
  }

  #withAlias(relation: Relation, from: number): { readonly relation: Relation; readonly next: number } {
    const at = this.#upper(from) === "AS" ? from + 1 : from;
    const word = this.#words[at];
    if (word === undefined || !isName(word) || (word.kind === "word" && isKeyword(word.text))) {
      return { relation, next: from };
    }
    return { relation: { ...relation, alias: nameOf(word) }, next: at + 1 };
  }

  #expressionsAround(index: number, depth: number): ReadonlyMap<string, Relation> {
    const found = new Map<string, Relation>();
    for (const range of this.#rangesAround(index)) {
      for (const [name, relation] of this.#expressions(range, depth)) {
        if (!found.has(name)) {
          found.set(name, relation);
        }
      }
    }
    return found;
  }

  /** `WITH a AS (...), b (x, y) AS (...)` at the start of a query. */
  #expressions({ from, to }: Range, depth: number): ReadonlyMap<string, Relation> {
    const found = new Map<string, Relation>();
    const with_ = this.#upper(from) === "WITH" ? from : this.#upper(from) === "EXPLAIN" ? this.#find("WITH", from, to) : to;
    if (with_ >= to || depth > depthMax) {
      return found;
    }
    let at = with_ + (this.#upper(with_ + 1) === "RECURSIVE" ? 2 : 1);
    while (at < to) {
      const name = this.#words[at];
      if (name === undefined || !isName(name)) {
        break;
      }
      let body = at + 1;
      let columns: readonly string[] | undefined;
      if (this.#words[body]?.text === "(") {
        const closer = this.#closers.get(body) ?? to;
        columns = this.#words
          .slice(body + 1, closer)
          .filter(isName)
          .map(nameOf);
        body = closer + 1;
      }
      if (this.#upper(body) !== "AS" || this.#words[body + 1]?.text !== "(") {
        break;
      }
      const closer = this.#closers.get(body + 1) ?? to;
      found.set(nameOf(name), {
        name: [],
        ...this.#outputs({ from: body + 2, to: closer }, depth + 1),
        ...(columns === undefined ? {} : { columns, all: [] }),
      });
      if (this.#words[closer + 1]?.text !== ",") {
        break;
      }
      at = closer + 2;
    }
    return found;
  }

  /** Names of the columns that a query gives: aliases, or the last part of a name. */
  #outputs(range: Range, depth: number): { readonly columns: readonly string[]; readonly all: readonly Relation[] } {
    const select = this.#find("SELECT", range.from, range.to);
    if (select >= range.to || depth > depthMax) {
      return { columns: [], all: [] };
    }
    const end = Math.min(this.#find("FROM", select, range.to), this.#findAny(setOperations, select, range.to));
    const columns: string[] = [];
    let hasAll = false;
    let last: Word | undefined;
    const add = (): void => {
      hasAll ||= last?.text === "*";
      if (last !== undefined && isName(last) && (last.kind !== "word" || !isKeyword(last.text))) {
        columns.push(nameOf(last));
      }
    };
    for (let at = select + 1; at < end; at = this.#next(at)) {
      if (this.#words[at]?.text === ",") {
        add();
        last = undefined;
      } else {
        last = this.#words[Math.min(this.#next(at), end) - 1];
      }
    }
    add();
    return { columns, all: hasAll ? this.#relationsIn(this.#partAround(range, select), depth) : [] };
  }

  #find(word: string, from: number, to: number): number {
    return this.#findAny(new Set([word]), from, to);
  }

  #findAny(words: ReadonlySet<string>, from: number, to: number): number {
    let at = from;
    while (at < to && !words.has(this.#upper(at))) {
      at = this.#next(at);
    }
    return Math.min(at, to);
  }

  /** The word behind this one, or behind the parentheses that it opens. */
  #next(index: number): number {
    return this.#words[index]?.text === "(" ? (this.#closers.get(index) ?? this.#words.length) + 1 : index + 1;
  }

  #upper(index: number): string {
    const word = this.#words[index];
    return word === undefined || word.kind === "quoted" ? "" : word.text.toUpperCase();
  }

  #isQualified(index: number): boolean {
    return this.#words[index - 1]?.text === ".";
  }
}
