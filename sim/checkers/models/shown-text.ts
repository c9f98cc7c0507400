/** The text that documents show of a statement. The properties of a new catalog may be secrets, so each value is shown as '***'. */
export function shownText(sql: string): string {
  return /^\s*CREATE\s+CATALOG\b/i.test(sql) ? sql.replace(/=\s*'(?:[^']|'')*'/g, "= '***'") : sql;
}
