/** What the statement of an index says of its first column. */

const name = String.raw`("(?:[^"]|"")*"|\[[^\]]*\]|` + "`[^`]*`" + String.raw`|[\p{L}_][\p{L}\p{N}_$]*)`;
const pattern = new RegExp(
  String.raw`^CREATE\s+(?:UNIQUE\s+)?INDEX\s+${name}\s+ON\s+${name}\s*\(\s*${name}\s*(?:COLLATE\s+\w+\s*)?(?:ASC\s*|DESC\s*)?[,)](?![\s\S]*\bWHERE\b)`,
  "iu",
);

/** Its name; undefined if it is an expression, or if the index does not have all rows. */
export function indexedColumn(sql: string): string | undefined {
  const column = pattern.exec(sql)?.[3];
  return column?.replace(/^[["`]|[\]"`]$/g, "").replaceAll('""', '"');
}
