/**
 * Hides values in the text of CREATE CATALOG: properties of a catalog may be passwords. Works on the text, so that a statement that does
 * not parse is hidden too.
 */

/** CREATE CATALOG, also within EXPLAIN and PREPARE and behind comments. */
const createCatalog =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|explain\b|prepare\s+(?:\w+|"[^"]*")\s+from\b|\()*create(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)+catalog\b/i;
/** A comment, a quoted identifier, a word, or a string literal, which may lack its end. */
const token = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*"?|\w+|'(?:[^']|'')*'?/g;

/**
 * The statement as lists and logs show it. `isSecret` chooses properties; by default all values are hidden. A value belongs to the
 * name before it.
 */
export function redactedStatement(sql: string, isSecret: (property: string, value: string) => boolean = () => true): string {
  if (!createCatalog.test(sql)) {
    return sql;
  }
  let name = "";
  return sql.replace(token, (text) => {
    if (text.startsWith("'")) {
      return isSecret(name, text.slice(1).replace(/'$/, "")) ? "'***'" : text;
    }
    if (!text.startsWith("--") && !text.startsWith("/*")) {
      name = text.replace(/^"([\s\S]*)"$/, "$1");
    }
    return text;
  });
}
