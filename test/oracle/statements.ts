/**
 * Reads the oracle's files: statements followed by lines that describe differences of DuckDB. See statements/README.md.
 */

export interface OracleStatement {
  /** `expressions.sql:12` */
  readonly place: string;
  readonly sql: string;
  readonly duckdb?: string;
  readonly expect?: readonly (readonly unknown[])[];
  readonly error?: { readonly name: string; readonly message?: string };
  readonly types?: string;
}

type Draft = { -readonly [K in keyof OracleStatement]: OracleStatement[K] };

export function parseStatements(file: string, text: string): readonly OracleStatement[] {
  const statements: Draft[] = [];
  let open: { place: string; lines: string[] } | undefined;
  text.split("\n").forEach((line, index) => {
    const place = `${file}:${index + 1}`;
    const trimmed = line.trim();
    if (open === undefined && (trimmed === "" || trimmed.startsWith("--"))) {
      return;
    }
    const note = /^(duckdb|expect|error|types): (.*)$/.exec(trimmed);
    if (open === undefined && note !== null) {
      annotate(statements.at(-1), note[1] as string, note[2] as string, place);
      return;
    }
    open ??= { place, lines: [] };
    open.lines.push(line);
    if (trimmed.endsWith(";")) {
      statements.push({ place: open.place, sql: open.lines.join("\n").trim().slice(0, -1) });
      open = undefined;
    }
  });
  if (open !== undefined) {
    throw new Error(`${(open as { place: string }).place}: a statement without its ';'`);
  }
  return statements;
}

function annotate(statement: Draft | undefined, kind: string, text: string, place: string): void {
  if (statement === undefined) {
    throw new Error(`${place}: '${kind}:' below no statement`);
  }
  switch (kind) {
    case "duckdb":
      statement.duckdb = text.replace(/;$/, "");
      break;
    case "expect":
      statement.expect = JSON.parse(text) as unknown[][];
      break;
    case "types":
      statement.types = text;
      break;
    default: {
      const [name, ...rest] = text.split(" ");
      statement.error = { name: name as string, ...(rest.length === 0 ? {} : { message: rest.join(" ") }) };
    }
  }
}
