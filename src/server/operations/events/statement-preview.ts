/** An unfinished literal ends with the text. */
const literal = /'(?:[^']|'')*(?:'|$)/g;

/**
 * The first characters of a statement on one line, without its literals: log files are read by more people than may read the data.
 */
export function statementPreview(sql: string, lengthMax: number): string {
  // Longer than the preview, because literals shrink; bounded, because a statement can have megabytes.
  const text = sql
    .slice(0, 8 * lengthMax)
    .replaceAll(literal, "'***'")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text;
}
