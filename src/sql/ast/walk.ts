/** Calls `visit` for each node of a syntax tree, as they are written; what is inside of a node for which it gives false is left out. As deep as trees are. */
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
    // One by one: a list of half a million values is more than a call takes arguments.
    for (const inner of Object.values(value).reverse()) {
      waiting.push(inner);
    }
  }
}
