/**
 * Calls `visit` for each node of a syntax tree, in the order of the text. If `visit` returns false, the node's children are skipped. Works
 * for trees of any depth, because it does not recurse.
 */
export function visitSyntax(root: unknown, visit: (node: Readonly<Record<string, unknown>>) => boolean | void): void {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) {
      continue;
    }
    if (!Array.isArray(value) && visit(value as Readonly<Record<string, unknown>>) === false) {
      continue;
    }
    // Pushed one by one: a list may have half a million values, more than a call accepts as arguments.
    for (const inner of Object.values(value).reverse()) {
      waiting.push(inner);
    }
  }
}
