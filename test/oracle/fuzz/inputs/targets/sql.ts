/**
 * Malformed and extreme statements: the project's own ones with altered tokens (cut out, repeated, swapped, replaced by extremes and
 * nested) or altered trees (`sql-trees.ts`). Any text has a result or an error of the catalogue, in words for a user and with its place if
 * it is about the text; never an internal error.
 */
import { connectorFactories } from "../../../../../src/connectors/registry.ts";
import { errorCatalogue, type ErrorName } from "../../../../../src/protocol/errors.ts";
import { parseSingleExpression } from "../../../../../src/sql/parser/parser.ts";
import { unlikeMessage } from "../../../../messages/shape.ts";
import { DirectCluster } from "../../../../unit/coordinator/direct-cluster.ts";
import { setupOf } from "../../known/known.ts";
import type { Random } from "../../random.ts";
import { type Fault, type FuzzTarget, leakIn, unexpected, type Verdict } from "../target.ts";
import { corpusOf, drawHostile, functionNames } from "./sql-corpus.ts";
import { TreeEditor } from "./sql-trees.ts";

const tokenPattern = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\d[\w.]*|[A-Za-z_]\w*|\s+|--[^\n]*|->|=>|[<>!=|]+|./gsu;
const statementCharsMax = 300_000;
/** Statements with more rows are ended. */
const rowsMax = 1_000_000;

const numerals = [
  "0",
  "-1",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775808",
  "2147483648",
  "9".repeat(38),
  "9".repeat(400),
  "1e308",
  "1e400",
  "1e-400",
  "0.00000000000000000000000000000000000001",
  "1_000",
  "0x7f",
  "1.",
  ".5",
] as const;
const literals = [
  "NULL",
  "''",
  "'a'",
  "'\u0000'",
  "'😀'",
  "''''",
  "X'00'",
  "X'0'",
  "U&'\\0041'",
  "U&'\\d800'",
  "DATE '9999-12-31'",
  "DATE '-0001-02-30'",
  "TIMESTAMP '2020-02-30 25:00:00'",
  "INTERVAL '9999999999' YEAR",
  "TIME '24:00:00'",
  "DECIMAL '1e5'",
  "JSON '{'",
  "CAST(NULL AS array(row(a bigint, b map(varchar, double))))",
  "ARRAY[]",
  "MAP()",
  "ROW(1)",
  "nan()",
  "infinity()",
  "x -> x",
  "(SELECT 1)",
  "(SELECT 1, 2)",
  "(SELECT NULL WHERE false)",
  "(VALUES 1, 2)",
  "?",
  "*",
  "sequence(1, 10000)",
  "rpad('', 100000, 'x')",
  "repeat('x', 10000)",
  "CURRENT_TIMESTAMP(12)",
  "random()",
] as const;
const words = [
  "SELECT",
  "FROM",
  "WHERE",
  "GROUP BY",
  "HAVING",
  "ORDER BY",
  "LIMIT",
  "OFFSET",
  "FETCH FIRST 1 ROWS WITH TIES",
  "UNION ALL",
  "INTERSECT",
  "EXCEPT",
  "JOIN",
  "LEFT JOIN",
  "CROSS JOIN",
  "LATERAL",
  "UNNEST",
  "WITH",
  "WITH RECURSIVE",
  "AS",
  "ON true",
  "USING (a)",
  "NATURAL",
  "OVER ()",
  "FILTER (WHERE true)",
  "WITHIN GROUP (ORDER BY 1)",
  "DISTINCT",
  "ALL",
  "NOT",
  "IN",
  "EXISTS",
  "BETWEEN",
  "LIKE",
  "ESCAPE",
  "IS NULL",
  "CASE",
  "WHEN",
  "THEN",
  "ELSE",
  "END",
  "CAST",
  "TRY_CAST",
  "GROUPING SETS",
  "CUBE",
  "ROLLUP",
  "TABLESAMPLE BERNOULLI (10)",
  "MATCH_RECOGNIZE",
  "MATCH_CONDITION",
  "EXPLAIN",
  "EXPLAIN ANALYZE",
  "TABLE",
  "VALUES",
  "AT TIME ZONE",
  "FOR VERSION AS OF 1",
  "ARRAY[",
  "(",
  ")",
  "]",
  ",",
  ";",
  ".",
  "..",
  "[1]",
  "'",
  '"',
  "--",
  "/*",
  "*/",
  "$",
  "@",
  "\\",
  "`",
  "\u0000",
  "\ufeff",
  "\u00a0",
  "é",
  "😀",
  "\ud800",
  '"__proto__"',
  "constructor",
  "memory.s1.t1",
  "tpch.tiny.nation",
  "a.b.c.d.e",
] as const;
const depths = [3, 20, 150, 1200, 8000] as const;
const copies = [2, 5, 40, 600, 5000] as const;

type Tokens = readonly string[];

function tokensOf(sql: string): Tokens {
  return sql.match(tokenPattern) ?? [];
}

function spliced(tokens: Tokens, { at, end }: { readonly at: number; readonly end: number }, put: Tokens): Tokens {
  return [...tokens.slice(0, at), ...put, ...tokens.slice(end)];
}

/** One token or a part between parentheses that is about an expression. */
function drawPart(random: Random, tokens: Tokens): { readonly at: number; readonly end: number } {
  const at = random.below(tokens.length);
  if (tokens[at] === "(") {
    let depth = 0;
    for (let end = at; end < tokens.length; end++) {
      depth += tokens[end] === "(" ? 1 : tokens[end] === ")" ? -1 : 0;
      if (depth === 0) {
        return { at, end: end + 1 };
      }
    }
  }
  return { at, end: Math.min(tokens.length, at + 1 + random.below(random.chance(30) ? 8 : 1)) };
}

function nestings(part: string, depth: number): readonly string[] {
  return [
    `${"(".repeat(depth)}${part}${")".repeat(depth)}`,
    `${"ARRAY[".repeat(depth)}${part}${"]".repeat(depth)}`,
    `${"NOT ".repeat(depth)}${part}`,
    `${"- ".repeat(depth)}${part}`,
    `${part}${` + ${part}`.repeat(Math.min(depth, 3000))}`,
    `${part}${" AND true".repeat(depth)}`,
    `${part}${" || 'x'".repeat(depth)}`,
    `${"(SELECT ".repeat(Math.min(depth, 1200))}${part}${")".repeat(Math.min(depth, 1200))}`,
    `${"CASE WHEN true THEN ".repeat(depth)}${part}${" END".repeat(depth)}`,
    `${"abs(".repeat(depth)}${part}${")".repeat(depth)}`,
    `CAST(${part} AS ${"array(".repeat(depth)}bigint${")".repeat(depth)})`,
    `${part}${"[1]".repeat(depth)}`,
    `${part}${" UNION ALL SELECT 1".repeat(Math.min(depth, 1200))}`,
    `${part}${" IN (1)".repeat(depth)}`,
    `${"coalesce(1, ".repeat(depth)}${part}${")".repeat(depth)}`,
    `ROW(${part}${`, ${part}`.repeat(Math.min(depth, 3000))})`,
  ];
}

function edit(random: Random, tokens: Tokens, other: () => Tokens): Tokens {
  const part = drawPart(random, tokens);
  const text = tokens.slice(part.at, part.end).join("");
  switch (random.below(12)) {
    case 0:
      return spliced(tokens, part, []);
    case 1:
      return spliced(
        tokens,
        part,
        Array.from({ length: random.pick(copies) }, () => `${text} `),
      );
    case 2: {
      const from = drawPart(random, tokens);
      return spliced(tokens, part, tokens.slice(from.at, from.end));
    }
    case 3:
    case 4: {
      const stranger = other();
      const from = drawPart(random, stranger);
      return spliced(tokens, part, stranger.slice(from.at, from.end));
    }
    case 5:
      return spliced(tokens, part, [random.pick(literals)]);
    case 6:
      return spliced(tokens, part, [" ", random.pick(words), " "]);
    case 7:
      return spliced(tokens, { at: part.at, end: part.at }, [" ", random.pick(words), " "]);
    case 8: {
      const places = [...tokens.keys()].filter((at) => /^\d/.test(tokens[at] as string));
      const at = places.length === 0 ? part.at : random.pick(places);
      return spliced(tokens, { at, end: at + 1 }, [random.pick(numerals)]);
    }
    case 9: {
      const nested = nestings(text.slice(0, 40), random.pick(depths));
      return spliced(tokens, part, [random.pick(nested)]);
    }
    case 10: {
      const stranger = other();
      return [...tokens.slice(0, part.at), ...stranger.slice(random.below(stranger.length))];
    }
    default:
      return tokens.slice(0, part.at);
  }
}

const declared: ReadonlySet<string> = new Set(["USER_ERROR", "INSUFFICIENT_RESOURCES"]);
/** Errors about the text have its place. */
const placed: ReadonlySet<string> = new Set(["SYNTAX_ERROR", "COLUMN_NOT_FOUND", "TYPE_MISMATCH", "FUNCTION_NOT_FOUND", "AMBIGUOUS_NAME"]);

/** What is wrong with an error; undefined if nothing is. */
export function judgeError(
  sql: string,
  { errorName, message }: { readonly errorName: string; readonly message: string },
): Fault | undefined {
  const type = errorCatalogue[errorName as ErrorName]?.type;
  if (!declared.has(type)) {
    return { kind: errorName, detail: message.slice(0, 500) };
  }
  if (placed.has(errorName) && !/^line \d+:\d+: /.test(message)) {
    return { kind: "no place", detail: `${errorName}: ${message.slice(0, 300)}` };
  }
  const wrong = unlikeMessage(message, sql);
  return (
    leakIn(sql.includes("/") ? "" : message) ??
    (wrong === undefined ? undefined : { kind: "message", detail: `${wrong}: ${message.slice(0, 300)}` })
  );
}

function isExpression(text: string): boolean {
  try {
    parseSingleExpression(text);
    return true;
  } catch {
    return false;
  }
}

class SqlTarget implements FuzzTarget<string> {
  readonly #cluster: DirectCluster;
  readonly #corpus: readonly string[];
  readonly #trees: TreeEditor;

  constructor(cluster: DirectCluster, corpus: readonly string[]) {
    this.#cluster = cluster;
    this.#corpus = corpus;
    this.#trees = new TreeEditor({
      statements: corpus,
      functions: functionNames,
      literals: [...numerals, ...literals].filter(isExpression),
    });
  }

  draw(random: Random): string {
    const altered = random.chance(60) ? this.#trees.draw(random) : undefined;
    return altered ?? this.#drawTokens(random);
  }

  #drawTokens(random: Random): string {
    const base = (): Tokens => tokensOf(random.chance(30) ? drawHostile(random) : random.pick(this.#corpus));
    let tokens = base();
    for (let left = 1 + random.below(4); left > 0 && tokens.length > 0; left--) {
      tokens = edit(random, tokens, () => {
        const other = base();
        return other.length === 0 ? ["1"] : other;
      });
    }
    // The text of all tokens may be longer than any text can be.
    let sql = "";
    for (let at = 0; at < tokens.length && sql.length < statementCharsMax; at++) {
      sql += tokens[at] as string;
    }
    return sql.slice(0, statementCharsMax);
  }

  async run(sql: string): Promise<Verdict> {
    try {
      const { error } = await this.#cluster.run(sql, headers, rowsMax);
      if (error === undefined) {
        return { outcome: "answered" };
      }
      const fault = judgeError(sql, error);
      return { outcome: error.errorName, ...(fault !== undefined && { fault }) };
    } catch (error) {
      // An empty statement has no resource.
      return sql.trim() === "" && (error as Error).message.startsWith("status 400") ? { outcome: "status 400" } : unexpected(error);
    }
  }

  *smaller(sql: string): Iterable<string> {
    const tokens = tokensOf(sql);
    for (let part = Math.floor(tokens.length / 2); part > 0; part = Math.floor(part / 2)) {
      for (let at = 0; at < tokens.length; at += part) {
        yield spliced(tokens, { at, end: at + part }, []).join("");
      }
    }
  }

  show(sql: string): string {
    return sql.length > 3000 ? `${sql.slice(0, 2000)} ... ${sql.slice(-500)} (${sql.length} characters)` : sql;
  }

  async check(): Promise<void> {
    const rows = await this.#cluster.rows("SELECT count(*), max(name) FROM tpch.tiny.nation");
    if (JSON.stringify(rows) !== '[[25,"VIETNAM"]]') {
      throw new Error(`the cluster answers ${JSON.stringify(rows)}`);
    }
  }

  close(): Promise<void> {
    return this.#cluster.close();
  }
}

const headers = { "x-engine-catalog": "tpch", "x-engine-schema": "tiny", "x-engine-client-capabilities": "PARAMETRIC_DATETIME" };

export async function openSql(): Promise<FuzzTarget<string>> {
  const root = process.cwd();
  const cluster = await DirectCluster.start({
    workerCount: 0,
    factories: connectorFactories,
    catalogs: ["memory", "tpch", "blackhole"].map((name) => ({ name, properties: { "connector.name": name } })),
    properties: { "query.max-cpu-time": "3s", "query.max-run-time": "10s" },
    forgetful: true,
  });
  for (const sql of setupOf(root)) {
    await cluster.run(sql);
  }
  return new SqlTarget(cluster, corpusOf(root));
}
