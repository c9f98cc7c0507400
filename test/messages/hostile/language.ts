/**
 * SQL/JSON, row patterns, table functions, MERGE and others with random values: a family of statements.ts.
 */
import type { Random } from "../../oracle/fuzz/random.ts";
import { sqlTypeText } from "../../../src/types/type.ts";
import { anyType, hostileText, quoted, valueOf } from "./values.ts";

function anyValue(random: Random): string {
  return valueOf(anyType(random), random);
}

function anyTypeText(random: Random): string {
  return sqlTypeText(anyType(random));
}

const steps: readonly string[] = [
  [".a", ".*", "[*]", "[0]", "[last]", "[1 to 0]", "[-1]", "[$x]", "[last - 5 to 2]", "[99999999999999]", '."__proto__"', "..a"],
  [".size()", ".type()", ".double()", ".abs()", ".ceiling()", ".floor()", ".keyvalue()", ".datetime()", ".nosuch()"],
  [
    " + 1",
    " * $x",
    " / 0",
    " % $x",
    " - 9223372036854775807",
    "?(@ > $x)",
    '?(@ like_regex "(")',
    "?(exists(@.a))",
    '?(@ starts with "a")',
  ],
].flat();
const roots = ["$", "$x", "-$", "+$x", "@", "last", "1", '"a"', "null", "9223372036854775808", "1e400", "($ + $x)"];

/** A JSON path literal, mostly valid. */
function path(random: Random): string {
  if (random.chance(8)) {
    return quoted(hostileText(random));
  }
  const tail = Array.from({ length: random.below(4) }, () => random.pick(steps)).join("");
  return quoted(`${random.pick(["lax", "strict"])} ${random.pick(roots)}${tail}`);
}

const documents: readonly string[] = [
  ["{}", "[]", "null", '"a"', "1e400", "[1, [2, 3]]", '{"a": [1, {"a": null}]}', '{"__proto__": {"a": 1}}', "x", "[1"],
  ["-9223372036854775808", "0.1", '"2020-02-30"', '[{"a": 9223372036854775807}]'],
].flat();

function json(random: Random): string {
  return random.chance(70) ? quoted(random.pick(documents)) : anyValue(random);
}

const onError = ["", " ERROR ON ERROR", " NULL ON ERROR", " ERROR ON EMPTY", " ERROR ON EMPTY ERROR ON ERROR"];

function passing(random: Random): string {
  return random.chance(85) ? ` PASSING ${anyValue(random)}${random.pick(["", "", " FORMAT JSON"])} AS "x"` : "";
}

function labelled(random: Random): string {
  const value = random.pick([
    "A.x",
    "x",
    "B.x",
    "U.x",
    "A.nosuch",
    "CLASSIFIER()",
    "CLASSIFIER(A)",
    "MATCH_NUMBER()",
    "count(*)",
    "count(A.*)",
  ]);
  const name = random.pick([
    "FIRST",
    "LAST",
    "PREV",
    "NEXT",
    "max",
    "array_agg",
    "FINAL LAST",
    "RUNNING sum",
    "approx_percentile",
    "listagg",
  ]);
  const offset = random.pick(["", "", `, ${anyValue(random)}`, ", 1", ", 99999999999", ", -1", ", x"]);
  return random.pick([value, value, `${name}(${value}${offset})`, `${name}(${name}(${value}${offset}))`, `${value} + ${anyValue(random)}`]);
}

const patterns = [
  "A",
  "A B",
  "A* B?",
  "A | B",
  "PERMUTE(A, B)",
  "{- A -} B",
  "A{0}",
  "A{5,1}",
  "A{99999999999}",
  "^ A $",
  "A{2,}? B+",
  "()",
];
const skips = [
  "",
  "AFTER MATCH SKIP TO NEXT ROW",
  "AFTER MATCH SKIP TO FIRST A",
  "AFTER MATCH SKIP TO LAST B",
  "AFTER MATCH SKIP TO nosuch",
];

function recognition(random: Random): string {
  const rows = random.pick(["", "ONE ROW PER MATCH", "ALL ROWS PER MATCH", "ALL ROWS PER MATCH WITH UNMATCHED ROWS"]);
  const subset = random.pick(["", "SUBSET U = (A, B)", "SUBSET A = (B)"]);
  const order = random.pick(["ORDER BY x", "PARTITION BY x", "ORDER BY y", ""]);
  const defined = `${random.pick(["A", "B", "C"])} AS ${labelled(random)}${random.pick(["", " > 1", " IS NULL", " = x"])}`;
  const parts = [order, `MEASURES ${labelled(random)} AS m`, rows, random.pick(skips), `PATTERN (${random.pick(patterns)})`, subset];
  return `MATCH_RECOGNIZE (${parts.filter((part) => part !== "").join(" ")} DEFINE ${defined})`;
}

function tableArgument(random: Random): string {
  const table = random.pick([
    "TABLE(memory.default.target)",
    `TABLE(SELECT ${anyValue(random)} AS a)`,
    "TABLE(nosuch)",
    "DESCRIPTOR(a, b)",
  ]);
  return random.chance(70) ? `${table}${random.pick(["", "", " PARTITION BY a", " ORDER BY a", " KEEP WHEN EMPTY"])}` : anyValue(random);
}

const targetAlias = "MERGE INTO memory.default.target t USING";

function mergeCase(random: Random): string {
  const condition = random.chance(30) ? ` AND ${anyValue(random)}` : "";
  return random.pick([
    `WHEN MATCHED${condition} THEN DELETE`,
    `WHEN MATCHED${condition} THEN UPDATE SET ${random.pick(["a", "b", "nosuch"])} = ${anyValue(random)}`,
    `WHEN NOT MATCHED${condition} THEN INSERT (a, b) VALUES (${anyValue(random)}, ${anyValue(random)})`,
    `WHEN NOT MATCHED${condition} THEN INSERT (${random.pick(["b", "a, a", '"__proto__"'])}) VALUES (${anyValue(random)})`,
  ]);
}

const sessionProperties = ["query_max_run_time", "max_recursion_depth", "nosuch", '"__proto__"', "memory.x", "time_zone_id"];

export const languageMakers: readonly ((random: Random) => string)[] = [
  (random) => `SELECT JSON_EXISTS(${json(random)}, ${path(random)}${passing(random)}${random.pick(["", " ERROR ON ERROR"])})`,
  (random) =>
    `SELECT JSON_VALUE(${json(random)}, ${path(random)}${passing(random)} RETURNING ${anyTypeText(random)}${random.pick(onError)})`,
  (random) => `SELECT JSON_VALUE(${json(random)}, ${path(random)}${passing(random)} DEFAULT ${anyValue(random)} ON EMPTY)`,
  (random) => `SELECT JSON_QUERY(${json(random)}, ${path(random)}${passing(random)}${random.pick(onError)})`,
  (random) => `SELECT JSON_QUERY(${json(random)}, ${path(random)} RETURNING ${anyTypeText(random)} WITH CONDITIONAL ARRAY WRAPPER)`,
  (random) => `SELECT JSON_OBJECT(${anyValue(random)} : ${anyValue(random)}${random.pick(["", " FORMAT JSON", " WITH UNIQUE KEYS"])})`,
  (random) => `SELECT JSON_ARRAY(${anyValue(random)}, ${anyValue(random)} RETURNING ${anyTypeText(random)})`,
  (random) =>
    `SELECT * FROM JSON_TABLE(${json(random)}, ${path(random)} COLUMNS (a ${anyTypeText(random)} PATH ${path(random)}${random.pick(onError)}))`,
  (random) =>
    `SELECT * FROM JSON_TABLE(${json(random)}, ${path(random)} COLUMNS (o FOR ORDINALITY, NESTED PATH ${path(random)} COLUMNS (b varchar PATH ${path(random)})))`,
  (random) => `SELECT * FROM (VALUES ${anyValue(random)}, NULL) t (x) ${recognition(random)}`,
  (random) => `SELECT * FROM (VALUES 1, 2, 3) t (x) ${recognition(random)}`,
  (random) =>
    `SELECT m OVER (ORDER BY x MEASURES ${labelled(random)} AS m ROWS BETWEEN CURRENT ROW AND ${anyValue(random)} FOLLOWING PATTERN (${random.pick(patterns)}) DEFINE A AS ${labelled(random)}) FROM (VALUES 1, 2) t (x)`,
  (random) =>
    `SELECT * FROM TABLE(sequence(${anyValue(random)}, ${anyValue(random)}${random.chance(50) ? `, ${anyValue(random)}` : ""})) LIMIT 1`,
  (random) => `SELECT * FROM TABLE(exclude_columns(${tableArgument(random)}, ${tableArgument(random)}))`,
  (random) => `SELECT * FROM TABLE(${random.pick(["nosuch", '"__proto__"', "sequence"])}(x => ${tableArgument(random)}))`,
  (random) =>
    `SELECT listagg(${anyValue(random)}, ${quoted(hostileText(random))} ON OVERFLOW TRUNCATE ${quoted(hostileText(random))} WITH COUNT) WITHIN GROUP (ORDER BY ${anyValue(random)})`,
  (random) =>
    `${targetAlias} (VALUES (${anyValue(random)}, ${anyValue(random)})) s (a, b) ON t.a = s.a ${mergeCase(random)} ${mergeCase(random)}`,
  (random) => `${targetAlias} (VALUES 1, 1) s (a) ON ${anyValue(random)} ${mergeCase(random)}`,
  (random) => `SELECT ${anyValue(random)} AS a, 1 AS b UNION CORRESPONDING SELECT ${anyValue(random)} AS a, 2 AS c`,
  (random) =>
    `SELECT ${anyValue(random)} AS a EXCEPT CORRESPONDING BY (${random.pick(["a", "b", '"__proto__"'])}) SELECT ${anyValue(random)} AS a`,
  (random) => `SELECT 1 FETCH FIRST ${anyValue(random)} PERCENT ROWS ONLY`,
  (random) => `SELECT x FROM (VALUES 1) t (x) ORDER BY x FETCH FIRST (${anyValue(random)}) PERCENT ROWS WITH TIES`,
  (random) => `WITH SESSION ${random.pick(sessionProperties)} = ${anyValue(random)} SELECT 1`,
  (random) => `CREATE TABLE memory.default.strange (a ${anyTypeText(random)} DEFAULT ${anyValue(random)} NOT NULL)`,
  (random) => `CREATE TABLE memory.default.strange (a ${anyTypeText(random)} DEFAULT ${quoted(hostileText(random))})`,
  (random) => `ALTER TABLE memory.default.target ALTER COLUMN ${random.pick(["a", "b", "nosuch"])} SET DEFAULT ${anyValue(random)}`,
  (random) => `ALTER TABLE memory.default.target ALTER COLUMN a SET DATA TYPE ${anyTypeText(random)}`,
  (random) => `SET SESSION AUTHORIZATION ${quoted(hostileText(random))}`,
  (random) =>
    `GRANT ${random.pick(["SELECT", '"__proto__"', "CREATE"])} ON memory.default.target TO USER "${hostileText(random).replaceAll('"', '""')}x"`,
];
