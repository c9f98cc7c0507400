/**
 * Statements altered by their syntax trees: a part is replaced by one of its sort from another statement, called by a function, cast,
 * repeated, moved, or its words are changed (a join's type, an operator, DISTINCT). They are nearly always SQL: the analyzer, the
 * optimizer and the operators see what altered tokens, of which nine of ten end at the parser, do not bring to them.
 */
import type { Expression, Location, Statement } from "../../../../../src/sql/ast/ast.ts";
import { functionCall } from "../../../../../src/sql/ast/ast.ts";
import { parseSingleExpression, parseStatement, parseTypeText } from "../../../../../src/sql/parser/parser.ts";
import { printStatement } from "../../../../../src/sql/printer/printer.ts";
import type { Random } from "../../random.ts";

type Node = Readonly<Record<string, unknown>> & { readonly kind: string };
type Sort = "expression" | "column" | "relation" | "query" | "body" | "type";

/** A place in a tree: the keys from its root. */
interface Slot {
  readonly path: readonly (string | number)[];
  readonly node: Node;
  readonly sort: Sort;
}

/** A list of a tree whose items can be left out, repeated and moved. */
interface Row {
  readonly path: readonly (string | number)[];
  readonly items: readonly unknown[];
}

/** A word of a tree which another of its set can replace. */
interface Word {
  readonly path: readonly (string | number)[];
  readonly others: readonly unknown[];
}

interface Parts {
  readonly slots: readonly Slot[];
  readonly rows: readonly Row[];
  readonly words: readonly Word[];
}

const nowhere: Location = { lineNumber: 1, columnNumber: 1 };

const sorts: ReadonlyMap<string, Sort> = new Map<string, Sort>([
  ...[
    "NullLiteral BooleanLiteral LongLiteral DecimalLiteral DoubleLiteral StringLiteral BinaryLiteral GenericLiteral IntervalLiteral",
    "ArithmeticBinary ArithmeticUnary Comparison Logical Not Between InList InSubquery Like Overlaps IsNull IsNotNull QuantifiedComparison",
    "Case Cast Extract AtTimeZone CurrentTime CurrentName FunctionCall SubqueryExpression Exists Row ArrayConstructor Subscript Lambda",
  ]
    .flatMap((kinds) => kinds.split(" "))
    .map((kind): [string, Sort] => [kind, "expression"]),
  ["Dereference", "column"],
  ...["Table", "AliasedRelation", "Join", "Lateral", "Unnest", "SampledRelation", "Pivot", "PatternRecognition"].map(
    (kind): [string, Sort] => [kind, "relation"],
  ),
  ["Query", "query"],
  ...["QuerySpecification", "SetOperation", "Values"].map((kind): [string, Sort] => [kind, "body"]),
  ...["GenericType", "RowType"].map((kind): [string, Sort] => [kind, "type"]),
]);

/** Where an identifier is a column, and not a name. */
const columnPlaces: ReadonlySet<string> = new Set(
  "value left right terms min max list pattern operand result defaultValue arguments key index items base expression expressions filter where partitionBy".split(
    " ",
  ),
);

const wordSets: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ["Join.type", ["INNER", "LEFT", "RIGHT", "FULL"]],
  ["Logical.operator", ["AND", "OR"]],
  ["ArithmeticBinary.operator", ["+", "-", "*", "/", "%"]],
  ["Comparison.operator", ["=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM"]],
  ["QuantifiedComparison.operator", ["=", "<>", "<", "<=", ">", ">="]],
  ["QuantifiedComparison.quantifier", ["ALL", "ANY"]],
  ["SetOperation.operator", ["UNION", "INTERSECT", "EXCEPT"]],
  ["SetOperation.distinct", [true, false]],
  ["Select.distinct", [true, false]],
  ["GroupBy.distinct", [true, false]],
  ["FunctionCall.distinct", [true, false]],
  ["Unnest.withOrdinality", [true, false]],
  ["Cast.safe", [true, false]],
  ["FetchFirst.withTies", [true, false]],
  ["FetchFirst.percent", [true, false]],
  ["SortItem.ordering", ["ASC", "DESC"]],
  ["SortItem.nulls", ["FIRST", "LAST", undefined]],
  ["FunctionCall.nullTreatment", ["IGNORE", "RESPECT", undefined]],
  ["WindowFrame.type", ["ROWS", "RANGE", "GROUPS"]],
  ["FrameBound.type", ["UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"]],
  ["IntervalLiteral.startField", ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"]],
]);

/** Parts that a clause may have or not. */
const optional: ReadonlySet<string> = new Set(
  "where having qualify groupBy from limit offset with filter window frame escape defaultValue operand alias columnNames criteria".split(
    " ",
  ),
);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).kind === "string";
}

function partsOf(root: Node): Parts {
  const slots: Slot[] = [];
  const rows: Row[] = [];
  const words: Word[] = [];
  const visit = (value: unknown, path: readonly (string | number)[], place: string): void => {
    if (Array.isArray(value)) {
      if (value.length > 0) {
        rows.push({ path, items: value });
      }
      value.forEach((item, at) => visit(item, [...path, at], place));
      return;
    }
    if (!isNode(value)) {
      return;
    }
    const sort = value.kind === "Identifier" ? (columnPlaces.has(place) ? "column" : undefined) : sorts.get(value.kind);
    if (sort !== undefined && path.length > 0) {
      slots.push({ path, node: value, sort });
    }
    for (const [key, inner] of Object.entries(value)) {
      const others = wordSets.get(`${value.kind}.${key}`);
      if (others !== undefined) {
        words.push({ path: [...path, key], others });
      } else if (key !== "location") {
        visit(inner, [...path, key], key);
      }
      if (optional.has(key)) {
        words.push({ path: [...path, key], others: [undefined] });
      }
    }
  };
  visit(root, [], "");
  return { slots, rows, words };
}

/** The tree with another value at a place. An undefined value takes its key out. */
function withAt(tree: unknown, path: readonly (string | number)[], value: unknown, depth = 0): unknown {
  if (depth === path.length) {
    return value;
  }
  const key = path[depth] as string | number;
  if (Array.isArray(tree)) {
    return tree.map((item: unknown, at) => (at === key ? withAt(item, path, value, depth + 1) : item));
  }
  const { [key]: inner, ...others } = tree as Record<string, unknown>;
  const put = withAt(inner, path, value, depth + 1);
  return put === undefined ? others : { ...others, [key]: put };
}

/** Sorts that may stand in each other's place. */
function fits(place: Sort, part: Sort): boolean {
  const expression = place === "expression" || place === "column";
  return expression ? part === "expression" || part === "column" : place === part;
}

/** The columns of a stranger are mostly not the statement's: each becomes one of its own. */
function adopt(random: Random, stranger: Node, columns: readonly Node[]): Node {
  if (columns.length === 0) {
    return stranger;
  }
  const visit = (value: unknown, place: string): unknown => {
    if (Array.isArray(value)) {
      return value.map((item) => visit(item, place));
    }
    if (!isNode(value)) {
      return value;
    }
    if (value.kind === "Dereference" || (value.kind === "Identifier" && columnPlaces.has(place))) {
      return random.pick(columns);
    }
    // The columns of a subquery are its own, but for some.
    if (value.kind === "Query" && random.chance(80)) {
      return value;
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === "location" ? inner : visit(inner, key)]));
  };
  return visit(stranger, "value") as Node;
}

const typeTexts = [
  "boolean",
  "tinyint",
  "bigint",
  "real",
  "double",
  "decimal(38, 0)",
  "decimal(5, 2)",
  "varchar",
  "varchar(2)",
  "char(3)",
  "varbinary",
  "date",
  "time(12)",
  "timestamp(12)",
  "timestamp(3) with time zone",
  "interval day to second",
  "json",
  "uuid",
  "ipaddress",
  "array(bigint)",
  "map(varchar, double)",
  "row(a bigint, b varchar)",
  "unknown",
] as const;

/** What draws from statements need: other statements, functions, literals. */
export interface TreeMaterial {
  readonly statements: readonly string[];
  readonly functions: readonly string[];
  readonly literals: readonly string[];
}

export class TreeEditor {
  readonly #material: TreeMaterial;
  readonly #trees = new Map<number, Node | undefined>();

  constructor(material: TreeMaterial) {
    this.#material = material;
  }

  /** A statement of the material, altered; undefined if the drawn one is not SQL. */
  draw(random: Random): string | undefined {
    let tree = this.#pick(random);
    for (let left = 1 + random.below(3); left > 0 && tree !== undefined; left--) {
      tree = this.#edit(random, tree) ?? tree;
    }
    if (tree === undefined) {
      return undefined;
    }
    try {
      return printStatement(tree as unknown as Statement);
    } catch {
      // The printer knows the trees that the parser makes; this one is none of them.
      return undefined;
    }
  }

  #pick(random: Random): Node | undefined {
    const at = random.below(this.#material.statements.length);
    if (!this.#trees.has(at)) {
      this.#trees.set(at, parsed(this.#material.statements[at] as string));
    }
    return this.#trees.get(at);
  }

  #edit(random: Random, tree: Node): Node | undefined {
    const { slots, rows, words } = partsOf(tree);
    const choice = random.below(10);
    if (choice < 2 && words.length > 0) {
      const word = random.pick(words);
      return withAt(tree, word.path, random.pick(word.others)) as Node;
    }
    if (choice < 4 && rows.length > 0) {
      const row = random.pick(rows);
      return withAt(tree, row.path, editedRow(random, row.items)) as Node;
    }
    if (slots.length === 0) {
      return undefined;
    }
    const slot = random.pick(slots);
    const put = this.#other(random, slot, slots);
    return put === undefined ? undefined : (withAt(tree, slot.path, put) as Node);
  }

  #other(random: Random, slot: Slot, own: readonly Slot[]): Node | undefined {
    const stranger = (): Node | undefined => {
      const theirs = this.#pick(random);
      const found = theirs === undefined ? [] : partsOf(theirs).slots.filter(({ sort }) => fits(slot.sort, sort));
      const columns = own.filter(({ sort }) => sort === "column").map(({ node }) => node);
      return found.length === 0 ? undefined : adopt(random, random.pick(found).node, columns);
    };
    if (slot.sort === "type") {
      return random.chance(50)
        ? stranger()
        : (parseSingleExpression(`CAST(1 AS ${random.pick(typeTexts)})`) as unknown as { type: Node }).type;
    }
    if (slot.sort !== "expression" && slot.sort !== "column") {
      return random.chance(50) ? stranger() : random.pick(own.filter(({ sort }) => fits(slot.sort, sort))).node;
    }
    const node = slot.node as unknown as Expression;
    const argument = (): Expression =>
      (random.chance(50) ? parseSingleExpression(random.pick(this.#material.literals)) : (stranger() ?? node)) as Expression;
    switch (random.below(8)) {
      case 0:
      case 1:
        return stranger();
      case 2:
        return random.pick(own.filter(({ sort }) => fits(slot.sort, sort))).node;
      case 3:
        return parseSingleExpression(random.pick(this.#material.literals)) as unknown as Node;
      case 4: {
        const args = Array.from({ length: 1 + random.below(3) }, () => argument());
        args[random.below(args.length)] = node;
        return functionCall(random.pick(this.#material.functions), args, nowhere) as unknown as Node;
      }
      case 5: {
        const type = parseTypeText(random.pick(typeTexts));
        return { kind: "Cast", value: node, type, safe: random.chance(70), location: nowhere };
      }
      case 6:
        return wrapped(random, node, argument);
      default:
        return slot.node.kind === "FunctionCall" ? renamed(slot.node, random.pick(this.#material.functions)) : stranger();
    }
  }
}

function parsed(sql: string): Node | undefined {
  try {
    return parseStatement(sql) as unknown as Node;
  } catch {
    return undefined;
  }
}

function renamed(call: Node, name: string): Node {
  return { ...call, name: (functionCall(name, [], nowhere) as unknown as { name: Node }).name };
}

function editedRow(random: Random, items: readonly unknown[]): readonly unknown[] {
  const at = random.below(items.length);
  switch (random.below(4)) {
    case 0:
      return items.filter((_, place) => place !== at);
    case 1:
      return [...items, items[at]];
    case 2:
      return [...items.slice(at), ...items.slice(0, at)];
    default:
      return Array.from({ length: random.pick([2, 3, 30]) }, () => items[at]);
  }
}

/** The expression within another one. */
function wrapped(random: Random, value: Expression, other: () => Expression): Node {
  const location = nowhere;
  const called = (name: string): Node => functionCall(name, [value], location) as unknown as Node;
  switch (random.below(10)) {
    case 0:
      return {
        kind: "Case",
        whenClauses: [{ kind: "WhenClause", operand: other(), result: value, location }],
        defaultValue: other(),
        location,
      };
    case 1:
      return { kind: "Comparison", operator: "=", left: value, right: other(), location };
    case 2:
      return { kind: "InList", value, list: [other(), other()], location };
    case 3:
      return { kind: "ArrayConstructor", items: [value, other()], location };
    case 4:
      return { kind: "Row", items: [value, other()], location };
    case 5:
      return { kind: "Subscript", base: value, index: other(), location };
    case 6:
      return { kind: "Logical", operator: random.pick(["AND", "OR"]), terms: [value, other()], location };
    case 7:
      return { kind: "Not", value: { kind: "IsNull", value, location }, location };
    case 8:
      return called(random.pick(["try", "count", "max", "array_agg", "lag", "approx_distinct", "checksum", "typeof"]));
    default:
      return {
        ...called(random.pick(["sum", "rank", "first_value", "array_agg", "lead", "max_by"])),
        window: {
          kind: "WindowSpecification",
          partitionBy: [other()],
          orderBy: [{ kind: "SortItem", key: value, ordering: "ASC", location }],
          location,
        },
      };
  }
}
