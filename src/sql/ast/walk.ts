/** Nodes without nodes in them: long lists consist of them. */
const leaves: ReadonlySet<unknown> = new Set([
  "Identifier",
  "LongLiteral",
  "DecimalLiteral",
  "DoubleLiteral",
  "StringLiteral",
  "NullLiteral",
]);

/**
 * Calls `visit` for each node of a syntax tree, in the order of the text. If `visit` returns false, the node's children are skipped. Works
 * for trees of any depth, because it does not recurse.
 */
export function visitSyntax(root: unknown, visit: (node: Readonly<Record<string, unknown>>) => boolean | void): void {
  const waiting: object[] = [];
  const waitFor = (value: unknown): void => {
    if (typeof value === "object" && value !== null) {
      waiting.push(value);
    }
  };
  waitFor(root);
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      // Pushed one by one: a list may have half a million values, more than a call accepts as arguments.
      for (let index = value.length - 1; index >= 0; index--) {
        waitFor(value[index]);
      }
      continue;
    }
    const node = value as Readonly<Record<string, unknown>>;
    if (visit(node) === false || leaves.has(node["kind"])) {
      continue;
    }
    const names = Object.keys(node);
    for (let index = names.length - 1; index >= 0; index--) {
      const name = names[index] as string;
      // A place in the text is no node.
      if (name !== "location") {
        waitFor(node[name]);
      }
    }
  }
}
