/**
 * Statement texts outside of the coordinator: logs, event listeners, traces. The literals of statements that create or change a catalog are
 * removed, because properties of catalogs hold passwords.
 */

/** An unfinished literal ends with the text. */
const literal = /'(?:[^']|'')*(?:'|$)/g;
const secretStatement = /\b(?:create|alter)\b[\s\S]*\bcatalog\b/i;

export function withoutSecrets(sql: string): string {
  return secretStatement.test(sql) ? sql.replaceAll(literal, "'***'") : sql;
}

/** The first characters of a statement on one line, without its literals: log files are read by more people than may read the data. */
export function statementPreview(sql: string, lengthMax: number): string {
  // Longer than the preview, because literals shrink; bounded, because a statement can have megabytes.
  const text = sql
    .slice(0, 8 * lengthMax)
    .replaceAll(literal, "'***'")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text;
}
