/** Relations that a query's clauses name, and the columns of subqueries, from its tokens. Incomplete text yields what it has. */
import { isReserved } from "../../../sql/parser/reserved-words.ts";
import { type Group, isSymbol, isWord, type Item, nameOf, type Token } from "./tokens.ts";

export interface TableRelation {
  readonly kind: "table";
  /** One to three parts. */
  readonly name: readonly string[];
  readonly alias?: string;
}

export interface DerivedRelation {
  readonly kind: "derived";
  readonly alias?: string;
  readonly columns: readonly OutputColumn[];
}

export type Relation = TableRelation | DerivedRelation;

/** A column of a subquery by its name, or all columns of a relation. */
export type OutputColumn = { readonly kind: "name"; readonly name: string } | { readonly kind: "all"; readonly relation: Relation };

/** Named subqueries by name. */
export type NamedQueries = ReadonlyMap<string, readonly OutputColumn[]>;

const clauseWords =
  "WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH WINDOW UNION INTERSECT EXCEPT SET WHEN ON USING SELECT VALUES".split(" ");
const joinWords = "JOIN CROSS INNER LEFT RIGHT FULL NATURAL TABLESAMPLE MATCH_RECOGNIZE".split(" ");
const fromEndWords = "WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH WINDOW UNION INTERSECT EXCEPT SET WHEN".split(" ");
const setWords = ["UNION", "INTERSECT", "EXCEPT"];

export function isQueryGroup(group: Group): boolean {
  return isWord(group.items[0], "SELECT", "WITH", "VALUES", "TABLE");
}

/** Splits the items of a query at its set operations; the first block has the WITH clause. */
export function blocksOf(items: readonly Item[]): readonly (readonly Item[])[] {
  const blocks: Item[][] = [[]];
  for (const item of items) {
    if (isWord(item, ...setWords)) {
      blocks.push([]);
    } else {
      blocks.at(-1)?.push(item);
    }
  }
  return blocks;
}

/** The queries of the WITH clause at the beginning of the items, and those of the queries around. */
export function namedQueries(items: readonly Item[], outer: NamedQueries): NamedQueries {
  const start = items.findIndex((item) => isWord(item, "WITH"));
  if (start < 0) {
    return outer;
  }
  const found = new Map(outer);
  let at = isWord(items[start + 1], "RECURSIVE") ? start + 2 : start + 1;
  for (;;) {
    const name = items[at];
    if (name === undefined || name.kind === "group" || !isName(name)) {
      return found;
    }
    at++;
    const aliases = items[at]?.kind === "group" ? items[at] : undefined;
    at += aliases === undefined ? 0 : 1;
    at += isWord(items[at], "AS") ? 1 : 0;
    const body = items[at];
    if (body?.kind !== "group") {
      return found;
    }
    found.set(nameOf(name), renamed(outputOf(body.items, found), aliases?.kind === "group" ? namesIn(aliases) : []));
    at++;
    if (!isSymbol(items[at], ",")) {
      return found;
    }
    at++;
  }
}

function renamed(columns: readonly OutputColumn[], names: readonly string[]): readonly OutputColumn[] {
  return names.length === 0 ? columns : names.map((name) => ({ kind: "name", name }));
}

function namesIn(group: Group): readonly string[] {
  return group.items.flatMap((item) => (item.kind === "word" || item.kind === "quoted" ? [nameOf(item)] : []));
}

function isName(item: Item): item is Token {
  return item.kind === "quoted" || (item.kind === "word" && !isReserved(item.upper));
}

/** Columns of a query: those of its first block. */
function outputOf(items: readonly Item[], outer: NamedQueries): readonly OutputColumn[] {
  const named = namedQueries(items, outer);
  const [block = []] = blocksOf(items);
  const select = block.findIndex((item) => isWord(item, "SELECT"));
  if (select < 0) {
    const [first] = block;
    if (isWord(first, "TABLE")) {
      return relationAt(block, 1, named).relation === undefined
        ? []
        : [{ kind: "all", relation: relationAt(block, 1, named).relation as Relation }];
    }
    const inner = block.find((item): item is Group => item.kind === "group" && isQueryGroup(item));
    return inner === undefined ? [] : outputOf(inner.items, named);
  }
  const relations = relationsOf(block, named);
  const end = block.findIndex((item, index) => index > select && isWord(item, "FROM", ...fromEndWords));
  return selectItems(block.slice(select + 1, end < 0 ? undefined : end)).flatMap((item) => outputColumn(item, relations));
}

function selectItems(items: readonly Item[]): readonly (readonly Item[])[] {
  const lists: Item[][] = [[]];
  for (const item of items) {
    if (isSymbol(item, ",")) {
      lists.push([]);
    } else if (!isWord(item, "DISTINCT", "ALL")) {
      lists.at(-1)?.push(item);
    }
  }
  return lists;
}

function outputColumn(items: readonly Item[], relations: readonly Relation[]): readonly OutputColumn[] {
  const last = items.at(-1);
  if (last === undefined) {
    return [];
  }
  if (isSymbol(last, "*") && (items.length === 1 || isSymbol(items.at(-2), "."))) {
    const qualifier = items.length === 1 ? undefined : items.at(-3);
    const name = qualifier !== undefined && qualifier.kind !== "group" ? nameOf(qualifier) : undefined;
    return relations
      .filter((relation) => name === undefined || relationName(relation) === name)
      .map((relation) => ({ kind: "all", relation }));
  }
  const isNamed = isName(last) && !(last.kind === "word" && last.upper === "END");
  return isNamed ? [{ kind: "name", name: nameOf(last) }] : [];
}

/** The name by which columns of the relation are qualified. */
export function relationName(relation: Relation): string | undefined {
  return relation.alias ?? (relation.kind === "table" ? relation.name.at(-1) : undefined);
}

/** Relations of one block: behind FROM, JOIN, INTO, UPDATE and MERGE's USING, and behind commas of the FROM clause. */
export function relationsOf(block: readonly Item[], named: NamedQueries): readonly Relation[] {
  const found: Relation[] = [];
  let isFrom = false;
  let isMerge = false;
  for (let at = 0; at < block.length; ) {
    const item = block[at];
    isMerge ||= isWord(item, "MERGE");
    if (isWord(item, ...fromEndWords)) {
      isFrom = false;
    }
    const isStart =
      isWord(item, "FROM", "JOIN", "INTO", "DESCRIBE", "DESC") ||
      (isWord(item, "UPDATE") && at === 0) ||
      (isMerge && isWord(item, "USING")) ||
      (isFrom && isSymbol(item, ","));
    isFrom ||= isWord(item, "FROM");
    if (!isStart) {
      at++;
      continue;
    }
    const { relation, nested, next } = relationAt(block, at + 1, named);
    if (relation !== undefined) {
      found.push(relation);
    }
    found.push(...nested);
    at = Math.max(next, at + 1);
  }
  return found;
}

interface FoundRelation {
  readonly relation: Relation | undefined;
  /** Relations of a join in parentheses. */
  readonly nested: readonly Relation[];
  readonly next: number;
}

function relationAt(items: readonly Item[], start: number, named: NamedQueries): FoundRelation {
  let at = isWord(items[start], "LATERAL", "ONLY") ? start + 1 : start;
  const first = items[at];
  if (first === undefined) {
    return { relation: undefined, nested: [], next: at };
  }
  if (first.kind === "group") {
    return groupRelation(first, items, at + 1, named);
  }
  if (
    (isWord(first, "UNNEST", "TABLE", "JSON_TABLE") || isName(first)) &&
    items[at + 1]?.kind === "group" &&
    !isSymbol(items[at + 1], ".")
  ) {
    at += isWord(items[at + 2], "WITH") ? 4 : 2;
    const { alias, columns, next } = aliasAt(items, at);
    const isCall = isWord(first, "UNNEST", "TABLE", "JSON_TABLE");
    const derived: Relation = {
      kind: "derived",
      ...(alias === undefined ? {} : { alias }),
      columns: columns.map((name) => ({ kind: "name", name })),
    };
    // `INSERT INTO t (a, b)` has a list of columns behind the name.
    return { relation: isCall ? derived : { kind: "table", name: [nameOf(first)] }, nested: [], next: isCall ? next : at };
  }
  return tableRelation(items, at, named);
}

function tableRelation(items: readonly Item[], start: number, named: NamedQueries): FoundRelation {
  let at = start;
  const name: string[] = [];
  for (;;) {
    const part = items[at];
    if (part === undefined || part.kind === "group" || !isName(part)) {
      break;
    }
    name.push(nameOf(part));
    at++;
    if (!isSymbol(items[at], ".")) {
      break;
    }
    at++;
  }
  if (name.length === 0) {
    return { relation: undefined, nested: [], next: at };
  }
  const { alias, columns, next } = aliasAt(items, at);
  const known = name.length === 1 ? named.get(name[0] ?? "") : undefined;
  const shown = alias === undefined ? {} : { alias };
  if (known !== undefined || columns.length > 0) {
    const own = known ?? [];
    return { relation: { kind: "derived", alias: alias ?? name.at(-1) ?? "", columns: renamed(own, columns) }, nested: [], next };
  }
  return { relation: { kind: "table", name, ...shown }, nested: [], next };
}

function groupRelation(group: Group, items: readonly Item[], after: number, named: NamedQueries): FoundRelation {
  const { alias, columns, next } = aliasAt(items, after);
  if (isQueryGroup(group)) {
    const output = renamed(outputOf(group.items, named), columns);
    return { relation: { kind: "derived", ...(alias === undefined ? {} : { alias }), columns: output }, nested: [], next };
  }
  const first = relationAt(group.items, 0, named);
  const others = relationsOf(group.items.slice(first.next), named);
  return { relation: undefined, nested: [...(first.relation === undefined ? [] : [first.relation]), ...first.nested, ...others], next };
}

function aliasAt(
  items: readonly Item[],
  start: number,
): { readonly alias: string | undefined; readonly columns: readonly string[]; readonly next: number } {
  const hasAs = isWord(items[start], "AS");
  const at = hasAs ? start + 1 : start;
  const name = items[at];
  if (name === undefined || name.kind === "group" || !isName(name) || isWord(name, ...clauseWords, ...joinWords)) {
    return { alias: undefined, columns: [], next: at };
  }
  const list = items[at + 1];
  const columns = list?.kind === "group" && !isQueryGroup(list) ? namesIn(list) : [];
  return { alias: nameOf(name), columns, next: at + (columns.length > 0 ? 2 : 1) };
}
