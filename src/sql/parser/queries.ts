/**
 * Parses queries: WITH, set operations, SELECT, VALUES, ORDER BY and limits. Relations are parsed by parser/relations.ts.
 */
import type { Expression, Identifier, Location, SubqueryExpression } from "../ast/expression-nodes.ts";
import { parseExpression, parseValueExpression } from "./expression-parser.ts";
import { parseWindowSpecification } from "./functions.ts";
import { parseGroupBy, quantifies } from "./grouping.ts";
import { endsAlias, parseFrom, startsRowCount } from "./relations.ts";
import { parseOrderBy } from "./sort.ts";
import { parseQueryInParentheses } from "./subqueries.ts";
import type {
  AllColumns,
  Corresponding,
  FetchFirst,
  Limit,
  Query,
  QueryBody,
  QuerySpecification,
  Select,
  SelectItem,
  SetOperation,
  TableSubquery,
  WindowDefinition,
  With,
  WithQuery,
} from "../ast/relations.ts";
import type { TokenStream } from "./token-stream.ts";

/** A query uses more stack than an expression, here and in every later traversal, so it counts as several levels. */
const queryLevels = 4;

/** `first` is a parenthesized subquery that was parsed before the parser could know that it begins this query. */
export function parseQuery(tokens: TokenStream, first?: SubqueryExpression | TableSubquery): Query {
  return tokens.nested(() => {
    const location = first === undefined ? tokens.location() : first.location;
    const withClause = first === undefined && tokens.looksAt("WITH") ? parseWith(tokens) : undefined;
    const begun: TableSubquery | undefined = first === undefined ? undefined : { kind: "TableSubquery", query: first.query, location };
    const body = parseUnions(tokens, begun);
    const orderBy = parseOrderBy(tokens);
    const offset = parseOffset(tokens);
    const limit = parseLimit(tokens);
    return {
      kind: "Query",
      ...(withClause === undefined ? {} : { with: withClause }),
      body,
      orderBy,
      ...(offset === undefined ? {} : { offset }),
      ...(limit === undefined ? {} : { limit }),
      location,
    };
  }, queryLevels);
}

function parseWith(tokens: TokenStream): With {
  const location = tokens.location();
  tokens.expect("WITH");
  const recursive = tokens.accept("RECURSIVE");
  return { kind: "With", recursive, queries: tokens.list(() => parseWithQuery(tokens)), location };
}

function parseWithQuery(tokens: TokenStream): WithQuery {
  const name = tokens.expectIdentifier();
  const columnNames = tokens.at("(") ? tokens.expectIdentifierList() : undefined;
  tokens.expect("AS");
  const query = parseQueryInParentheses(tokens);
  return { kind: "WithQuery", name, ...(columnNames === undefined ? {} : { columnNames }), query, location: name.location };
}

function parseUnions(tokens: TokenStream, first: TableSubquery | undefined): QueryBody {
  return parseSetOperations(tokens, ["EXCEPT", "UNION"], parseIntersects(tokens, first), () => parseIntersects(tokens, undefined));
}

function parseIntersects(tokens: TokenStream, first: TableSubquery | undefined): QueryBody {
  return parseSetOperations(tokens, ["INTERSECT"], first ?? parseQueryPrimary(tokens), () => parseQueryPrimary(tokens));
}

/**
 * A sequence of the same operation becomes one node, except with CORRESPONDING. A different operation begins a new node, with the sequence
 * as its first term.
 */
function parseSetOperations(
  tokens: TokenStream,
  operators: readonly SetOperation["operator"][],
  first: QueryBody,
  parseTerm: () => QueryBody,
): QueryBody {
  const parts = tokens.repeat(
    () => operators.some((operator) => tokens.at(operator)),
    (before: readonly SetPart[]): SetPart => {
      const location = tokens.location();
      const operator = tokens.expectOneOf(operators);
      const distinct = !tokens.accept("ALL");
      if (distinct) {
        tokens.accept("DISTINCT");
      }
      const corresponding = parseCorresponding(tokens);
      const last = before.at(-1);
      const named = corresponding ?? last?.corresponding;
      const begins = last === undefined || last.operator !== operator || last.distinct !== distinct || named !== undefined;
      if (begins) {
        tokens.grow(queryLevels);
      }
      return { location, operator, distinct, ...(corresponding !== undefined && { corresponding }), begins, term: parseTerm() };
    },
  );
  return treeOf(first, parts);
}

/** A term behind the first, with what stands before it. */
interface SetPart extends Pick<SetOperation, "operator" | "distinct" | "corresponding"> {
  readonly location: Location;
  /** It is not of the operation of the term before. */
  readonly begins: boolean;
  readonly term: QueryBody;
}

function treeOf(first: QueryBody, parts: readonly SetPart[]): QueryBody {
  let body = first;
  for (let from = 0; from < parts.length; ) {
    const { operator, distinct, corresponding } = parts[from] as SetPart;
    const next = parts.findIndex(({ begins }, index) => index > from && begins);
    const own = parts.slice(from, next < 0 ? parts.length : next);
    body = {
      kind: "SetOperation",
      operator,
      distinct,
      ...(corresponding !== undefined && { corresponding }),
      terms: [body, ...own.map(({ term }) => term)],
      keywords: own.map(({ location }) => ({ location })),
      location: body.location,
    };
    from += own.length;
  }
  return body;
}

function parseCorresponding(tokens: TokenStream): Corresponding | undefined {
  const location = tokens.location();
  if (!tokens.accept("CORRESPONDING")) {
    return undefined;
  }
  const columns = tokens.accept("BY") ? tokens.expectIdentifierList() : undefined;
  return { kind: "Corresponding", ...(columns === undefined ? {} : { columns }), location };
}

function parseQueryPrimary(tokens: TokenStream): QueryBody {
  const location = tokens.location();
  if (tokens.looksAt("SELECT")) {
    return parseQuerySpecification(tokens);
  }
  if (tokens.looksAt("(")) {
    return { kind: "TableSubquery", query: parseQueryInParentheses(tokens), location };
  }
  if (tokens.looksAt("VALUES")) {
    tokens.advance();
    return { kind: "Values", rows: tokens.list(() => parseExpression(tokens)), location };
  }
  if (tokens.looksAt("TABLE")) {
    tokens.advance();
    return { kind: "TableQuery", name: tokens.expectQualifiedName(), location };
  }
  tokens.welcome("<query>");
  throw tokens.mismatch();
}

function parseQuerySpecification(tokens: TokenStream): QuerySpecification {
  const location = tokens.location();
  const select = parseSelect(tokens);
  const from = tokens.accept("FROM") ? parseFrom(tokens) : undefined;
  const where = tokens.accept("WHERE") ? parseExpression(tokens) : undefined;
  const groupBy = parseGroupBy(tokens);
  const having = tokens.accept("HAVING") ? parseExpression(tokens) : undefined;
  const before = parseQualify(tokens);
  const windows = tokens.accept("WINDOW") ? tokens.list(() => parseWindowDefinition(tokens)) : [];
  const qualify = before ?? parseQualify(tokens);
  return {
    kind: "QuerySpecification",
    select,
    ...(from === undefined ? {} : { from }),
    ...(where === undefined ? {} : { where }),
    ...(groupBy === undefined ? {} : { groupBy }),
    ...(having === undefined ? {} : { having }),
    ...(qualify === undefined ? {} : { qualify }),
    windows,
    location,
  };
}

/** QUALIFY stands before WINDOW or, as in DuckDB, behind it. */
function parseQualify(tokens: TokenStream): Expression | undefined {
  if (!tokens.looksAt("QUALIFY")) {
    return undefined;
  }
  tokens.advance();
  return parseExpression(tokens);
}

function parseSelect(tokens: TokenStream): Select {
  const location = tokens.location();
  tokens.expect("SELECT");
  const distinct = tokens.accept("DISTINCT");
  if (!distinct && tokens.at("ALL") && quantifies(tokens)) {
    tokens.advance();
  }
  return { kind: "Select", distinct, items: tokens.list(() => parseSelectItem(tokens)), location };
}

function parseSelectItem(tokens: TokenStream): SelectItem {
  const location = tokens.location();
  if (tokens.at("*")) {
    tokens.advance();
    return { kind: "AllColumns", aliases: [], location };
  }
  const expression = parseExpression(tokens);
  if (tokens.looksAt(".") && tokens.looksAt("*", 1)) {
    return parseAllColumns(tokens, expression, location);
  }
  const alias = parseColumnAlias(tokens);
  return { kind: "SingleColumn", expression, ...(alias === undefined ? {} : { alias }), location };
}

function parseAllColumns(tokens: TokenStream, target: Expression, location: Location): AllColumns {
  tokens.expect(".");
  tokens.expect("*");
  const aliases = tokens.accept("AS") ? tokens.expectIdentifierList() : [];
  return { kind: "AllColumns", target, aliases, location };
}

function parseColumnAlias(tokens: TokenStream): Identifier | undefined {
  if (tokens.accept("AS")) {
    return tokens.expectIdentifier();
  }
  if (tokens.looksAtIdentifier() && !endsAlias(tokens)) {
    return tokens.takeIdentifier();
  }
  tokens.welcome("<identifier>");
  return undefined;
}

function parseWindowDefinition(tokens: TokenStream): WindowDefinition {
  const name = tokens.expectIdentifier();
  tokens.expect("AS");
  return { kind: "WindowDefinition", name, window: parseWindowSpecification(tokens), location: name.location };
}

function parseOffset(tokens: TokenStream): Expression | undefined {
  if (!tokens.accept("OFFSET")) {
    return undefined;
  }
  const rows = parseRowCount(tokens);
  tokens.acceptOneOf(["ROW", "ROWS"]);
  return rows;
}

function parseLimit(tokens: TokenStream): Limit | FetchFirst | undefined {
  const location = tokens.location();
  if (tokens.accept("LIMIT")) {
    return tokens.accept("ALL") ? { kind: "Limit", location } : { kind: "Limit", count: parseRowCount(tokens), location };
  }
  if (!tokens.accept("FETCH")) {
    return undefined;
  }
  tokens.expectOneOf(["FIRST", "NEXT"]);
  const count = tokens.at("ROW") || tokens.at("ROWS") ? undefined : parseFetchCount(tokens);
  const percent = count !== undefined && tokens.accept("PERCENT");
  tokens.expectOneOf(["ROW", "ROWS"]);
  const withTies = tokens.expectOneOf(["ONLY", "WITH"]) === "WITH";
  if (withTies) {
    tokens.expect("TIES");
  }
  return { kind: "FetchFirst", ...(count === undefined ? {} : { count }), percent, withTies, location };
}

/** A percentage may have a fraction. */
function parseFetchCount(tokens: TokenStream): Expression {
  const isFraction = (tokens.current.kind === "decimal" || tokens.current.kind === "double") && tokens.looksAt("PERCENT", 1);
  return isFraction ? parseValueExpression(tokens) : parseRowCount(tokens);
}

/**
 * Presto's grammar allows an integer or a parameter. As an extension, other constant expressions are accepted, unless they begin like an
 * error in Presto's grammar.
 */
function parseRowCount(tokens: TokenStream): Expression {
  if (startsRowCount(tokens, 0)) {
    return parseValueExpression(tokens);
  }
  tokens.expectInteger();
  throw tokens.mismatch();
}
