/** docs/sql/operators.md: operators and forms that are no functions by name. The generator runs the examples. */
import type { DocsCluster } from "./cluster.ts";
import { code, page, table } from "./markdown.ts";

interface Form {
  readonly form: string;
  readonly description: string;
  readonly example: string;
}

function form(written: string, description: string, example: string): Form {
  return { form: written, description, example };
}

const groups: readonly (readonly [title: string, forms: readonly Form[]])[] = [
  [
    "Arithmetic",
    [
      form("+ - *", "Of numbers, and of dates, times and intervals", "DATE '2026-01-31' + INTERVAL '1' MONTH"),
      form("/", "Division; of whole numbers without the rest", "7 / 2"),
      form("%", "Remainder, with the sign of the dividend", "-7 % 2"),
      form("- value", "Negation", "-(3)"),
      form(
        "value AT TIME ZONE zone",
        "The same instant in another zone",
        "TIMESTAMP '2026-01-31 12:00:00 UTC' AT TIME ZONE 'Europe/Paris'",
      ),
    ],
  ],
  [
    "Comparison",
    [
      form("= <> != < <= > >=", "NULL when a side is NULL", "1 < 2"),
      form("IS [NOT] DISTINCT FROM", "Comparison in which NULL is a value", "NULL IS DISTINCT FROM 1"),
      form("IS [NOT] NULL", "Whether a value is NULL", "NULL IS NULL"),
      form("IS [NOT] TRUE, FALSE, UNKNOWN", "Test of a boolean, which is never NULL", "(NULL > 1) IS NOT TRUE"),
      form(
        "(start, end) OVERLAPS (start, end)",
        "Whether two periods have a moment in common; an end may be an interval",
        "(DATE '2026-01-01', INTERVAL '1' MONTH) OVERLAPS (DATE '2026-01-31', INTERVAL '1' DAY)",
      ),
      form("[NOT] BETWEEN low AND high", "Both bounds belong to the range", "2 BETWEEN 1 AND 3"),
      form("[NOT] IN (value, ...) or (query)", "Whether one of the values is equal", "2 IN (1, 2)"),
      form("op ANY, SOME or ALL (query)", "Comparison with the rows of a query", "2 > ALL (VALUES 0, 1)"),
      form("[NOT] EXISTS (query)", "Whether a query has a row", "EXISTS (SELECT 1)"),
      form("[NOT] LIKE pattern [ESCAPE character]", "`%` stands for any text, `_` for one character", "'orrery' LIKE 'o%y'"),
    ],
  ],
  [
    "Logic",
    [
      form("AND", "False if a side is false, else NULL if a side is NULL", "NULL AND false"),
      form("OR", "True if a side is true, else NULL if a side is NULL", "NULL OR true"),
      form("NOT", "Negation", "NOT false"),
    ],
  ],
  [
    "Conditions",
    [
      form(
        "CASE WHEN condition THEN value ... [ELSE value] END",
        "The value of the first condition that is true",
        "CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END",
      ),
      form(
        "CASE value WHEN value THEN value ... [ELSE value] END",
        "The value of the first equal one",
        "CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END",
      ),
      form(
        "CASE value WHEN predicate THEN value ... [ELSE value] END",
        "As the one before, by predicates without their left side: `> 1`, `BETWEEN 1 AND 2`, `IN (1, 2)`, `LIKE 'a%'`, `IS NULL`",
        "CASE 7 WHEN < 3 THEN 'a' WHEN NOT BETWEEN 4 AND 6 THEN 'b' END",
      ),
      form("IF(condition, value [, value])", "One of two values", "IF(1 < 2, 'yes', 'no')"),
      form("COALESCE(value, ...)", "The first value that is not NULL", "COALESCE(NULL, 2)"),
      form("NULLIF(value, value)", "NULL when both are equal, else the first", "NULLIF(1, 1)"),
      form("TRY(expression)", "NULL where the expression fails", "TRY(1 / 0)"),
    ],
  ],
  [
    "Types",
    [
      form("CAST(value AS type)", "Conversion; fails where the value has none", "CAST('42' AS bigint)"),
      form("TRY_CAST(value AS type)", "Conversion; NULL where the value has none", "TRY_CAST('x' AS bigint)"),
    ],
  ],
  [
    "Text, arrays, maps and rows",
    [
      form("value || value", "Joins texts, bytes or arrays", "'a' || 'b'"),
      form("ARRAY[value, ...]", "Makes an array", "ARRAY[1, 2]"),
      form("array[index]", "Element, from 1; fails outside of the array", "ARRAY['a', 'b'][2]"),
      form("map[key]", "Value of a key; fails without the key", "map(ARRAY['a'], ARRAY[1])['a']"),
      form("ROW(value, ...)", "Makes a row", "ROW(1, 'a')"),
      form("row.field", "Field of a row", "CAST(ROW(1, 2) AS row(x integer, y integer)).y"),
      form("(x, ...) -> expression", "Lambda, an argument of a function", "transform(ARRAY[1, 2], x -> x * 10)"),
    ],
  ],
  [
    "Special forms",
    [
      form("EXTRACT(field FROM value)", "Part of a date or time", "EXTRACT(YEAR FROM DATE '2026-01-31')"),
      form("POSITION(text IN text)", "Position of a text, 0 if it is not found", "POSITION('r' IN 'orrery')"),
      form("SUBSTRING(text FROM start [FOR length])", "Part of a text", "SUBSTRING('orrery' FROM 2 FOR 3)"),
      form("TRIM([LEADING, TRAILING or BOTH] [characters FROM] text)", "Text without characters at its ends", "TRIM(BOTH 'x' FROM 'xax')"),
      form("NORMALIZE(text [, NFC, NFD, NFKC or NFKD])", "Unicode normal form", "NORMALIZE('e' || U&'\\0301', NFC)"),
      form("CURRENT_DATE, CURRENT_TIMESTAMP, LOCALTIME, ...", "Begin of the query", "typeof(CURRENT_DATE)"),
      form("CURRENT_USER, CURRENT_CATALOG, CURRENT_SCHEMA", "Of the session", "CURRENT_SCHEMA"),
      form("JSON_VALUE(json, path ...)", "Value at a path of SQL/JSON", "JSON_VALUE('{\"a\": 1}', 'lax $.a')"),
      form("JSON_QUERY(json, path ...)", "Document at a path", "JSON_QUERY('{\"a\": [1, 2]}', 'lax $.a')"),
      form("JSON_EXISTS(json, path ...)", "Whether a path finds something", "JSON_EXISTS('{\"a\": 1}', 'lax $.b')"),
      form("JSON_OBJECT(key : value, ...)", "Makes a document", "JSON_OBJECT('a' : 1)"),
      form("JSON_ARRAY(value, ...)", "Makes a document", "JSON_ARRAY(1, 'a')"),
    ],
  ],
];

export async function operatorsPage(cluster: DocsCluster): Promise<string> {
  const sections: string[] = [];
  for (const [title, forms] of groups) {
    const rows: string[][] = [];
    for (const { form: written, description, example } of forms) {
      rows.push([code(written), description, code(example), code(await cluster.value(`SELECT ${example}`))]);
    }
    sections.push(`## ${title}`, table(["Form", "Meaning", "Example", "Result"], rows));
  }
  return page("Operators", [
    "From tight to loose, operators bind in this order: `.` and `[]`, `AT TIME ZONE`, signs, `* / %`, `+ -`, `||`, comparisons, NOT, AND, OR. The forms that have a name, such as COALESCE, are not functions: `SHOW FUNCTIONS` does not list them.",
    ...sections,
  ]);
}
