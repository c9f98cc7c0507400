/**
 * Positions and references of subqueries: the kind, the clause, and whether they use columns of the enclosing query or only of queries
 * further out. Determined from relation names, which the generator makes unique within a statement.
 */
import { visitSyntax } from "../../../../src/sql/ast/walk.ts";

type Node = Readonly<Record<string, unknown>>;

const kindsOfSubqueries: Readonly<Record<string, string>> = {
  Exists: "EXISTS",
  InSubquery: "IN",
  QuantifiedComparison: "ANY or ALL",
  SubqueryExpression: "value",
};

const clauses = ["SELECT", "WHERE", "GROUP BY", "HAVING", "ON", "ON of an outer join", "ORDER BY", "UNNEST", "VALUES"] as const;

type Clause = (typeof clauses)[number];

/** References: none, the enclosing query, or only queries further out. */
const references = ["by itself", "correlated", "skipping levels"] as const;

const depthMax = 3;

export const subqueryProductions: readonly string[] = [
  ...Object.values(kindsOfSubqueries).flatMap((kind) =>
    clauses.flatMap((clause) => references.map((reference) => `subquery: ${kind} in ${clause}, ${reference}`)),
  ),
  ...references.map((reference) => `subquery: LATERAL, ${reference}`),
  ...Array.from({ length: depthMax }, (_, depth) => `subquery: depth ${depth + 1}`),
];

/** Names of the relations in FROM of a query and of its enclosing queries, innermost first. */
type Levels = readonly ReadonlySet<string>[];

interface Place {
  readonly clause: Clause;
  readonly levels: Levels;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Relations of a FROM that columns can be qualified with, without those inside its subqueries. */
function aliasesOf(from: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  visitSyntax(from, (node) => {
    if (node["kind"] === "AliasedRelation") {
      found.add(String((node["alias"] as Node)["value"]));
    }
    return node["kind"] !== "Query";
  });
  return found;
}

/** Relations that qualify columns inside, without those defined inside. */
function referencesOf(query: unknown): ReadonlySet<string> {
  const [named, own] = [new Set<string>(), new Set<string>()];
  visitSyntax(query, (node) => {
    const base = node["kind"] === "Dereference" ? (node["base"] as Node) : undefined;
    if (base?.["kind"] === "Identifier") {
      named.add(String(base["value"]));
    }
    if (node["kind"] === "AliasedRelation") {
      own.add(String((node["alias"] as Node)["value"]));
    }
  });
  return new Set([...named].filter((name) => !own.has(name)));
}

export function noteSubqueries(statement: unknown, add: (production: string) => void): void {
  noteQueries(statement, { clause: "SELECT", levels: [] }, add);
}

function noteQueries(value: unknown, place: Place, add: (production: string) => void): void {
  if (Array.isArray(value)) {
    for (const inner of value) {
      noteQueries(inner, place, add);
    }
    return;
  }
  if (!isNode(value)) {
    return;
  }
  const kind = kindsOfSubqueries[String(value["kind"])];
  if (kind !== undefined) {
    noteSubquery(`subquery: ${kind} in ${place.clause}`, value["query"], place, add);
    noteQueries(value["value"], place, add);
  } else if (value["kind"] === "QuerySpecification") {
    noteSpecification(value, place, add);
  } else if (value["kind"] === "Query") {
    noteQuery(value, place, add);
  } else {
    const inside: Place = value["kind"] === "Values" ? { ...place, clause: "VALUES" } : place;
    for (const inner of Object.values(value)) {
      noteQueries(inner, inside, add);
    }
  }
}

function noteSubquery(name: string, query: unknown, { levels }: Place, add: (production: string) => void): void {
  const used = referencesOf(query);
  const distances = levels.flatMap((level, distance) => ([...level].some((alias) => used.has(alias)) ? [distance] : []));
  const reference = distances.length === 0 ? "by itself" : distances.includes(0) ? "correlated" : "skipping levels";
  add(`${name}, ${reference}`);
  add(`subquery: depth ${Math.min(depthMax, levels.length)}`);
  noteQueries(query, { clause: "SELECT", levels }, add);
}

/** ORDER BY can reference the relations of its query body. */
function noteQuery({ with: named, body, orderBy }: Node, place: Place, add: (production: string) => void): void {
  noteQueries(named, place, add);
  noteQueries(body, place, add);
  const own = isNode(body) ? aliasesOf(body["from"]) : new Set<string>();
  noteQueries(orderBy, { clause: "ORDER BY", levels: [own, ...place.levels] }, add);
}

function noteSpecification(node: Node, { levels }: Place, add: (production: string) => void): void {
  const inside: Levels = [aliasesOf(node["from"]), ...levels];
  noteFrom(node["from"], inside, add);
  const parts = [
    ["select", "SELECT"],
    ["where", "WHERE"],
    ["groupBy", "GROUP BY"],
    ["having", "HAVING"],
    ["windows", "SELECT"],
  ] as const;
  for (const [field, clause] of parts) {
    noteQueries(node[field], { clause, levels: inside }, add);
  }
}

/** Join conditions see all of FROM, LATERAL sees what is on its left, and a subquery in FROM sees the scope around its query. */
function noteFrom(relation: unknown, levels: Levels, add: (production: string) => void): void {
  visitSyntax(relation, (node) => {
    switch (node["kind"]) {
      case "Lateral":
        noteSubquery("subquery: LATERAL", node["query"], { clause: "SELECT", levels }, add);
        return false;
      case "Query":
        noteQueries(node, { clause: "SELECT", levels: levels.slice(1) }, add);
        return false;
      case "JoinOn":
        return false;
      case "Join":
        noteQueries(node["criteria"], { clause: node["type"] === "INNER" ? "ON" : "ON of an outer join", levels }, add);
        return true;
      case "Unnest":
        noteQueries(node["expressions"], { clause: "UNNEST", levels }, add);
        return false;
      default:
        return true;
    }
  });
}
