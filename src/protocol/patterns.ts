/** Regular expressions of configuration files, which are Java's in Presto and Trino. */

export function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch {
    return false;
  }
}

/** A pattern of the whole text. `(?i)` at its beginning ignores case, as in Java. */
export function compilePattern(text: string): RegExp {
  const insensitive = text.startsWith("(?i)");
  const body = insensitive ? text.slice(4) : text;
  return new RegExp(`^(?:${body})$`, insensitive ? "is" : "s");
}
