/**
 * Blocks of a source: bodies of functions and branches, of which each runs as a whole or not at all. A run of the unmodified engine with a
 * mark in each block says which mutants the run can reach. A block counts as reached if its beginning runs, which is more than that the
 * site runs, and never less.
 */
import {
  isArrowFunction,
  isBlock,
  isCaseClause,
  isDefaultClause,
  isPropertyDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";

interface Block {
  readonly start: number;
  readonly end: number;
  /** A mark is put into the text here; one that wraps an expression is closed at the end of the block. */
  readonly markAt: number;
  readonly isExpression: boolean;
}

/** Blocks in the order of their beginnings, so that an inner block stands after the outer one. */
export function blocksOf(source: SourceFile): readonly Block[] {
  const blocks: Block[] = [];
  const walk = (node: Node): void => {
    const block = blockOf(node, source);
    if (block !== undefined) {
      blocks.push(block);
    }
    node.forEachChild(walk);
  };
  source.forEachChild(walk);
  return blocks;
}

function blockOf(node: Node, source: SourceFile): Block | undefined {
  if (isBlock(node)) {
    const start = node.getStart(source);
    return { start, end: node.end, markAt: start + 1, isExpression: false };
  }
  if (isCaseClause(node) || isDefaultClause(node)) {
    const first = node.statements.at(0)?.getStart(source);
    return first === undefined ? undefined : { start: first, end: node.end, markAt: first, isExpression: false };
  }
  if (isArrowFunction(node) && !isBlock(node.body)) {
    return expressionBlock(node.body, source);
  }
  // A static field is computed when the module is loaded, which no seed marks.
  const isField = isPropertyDeclaration(node) && !(node.modifiers ?? []).some(({ kind }) => kind === SyntaxKind.StaticKeyword);
  return isField && node.initializer !== undefined ? expressionBlock(node.initializer, source) : undefined;
}

function expressionBlock(node: Node, source: SourceFile): Block {
  const start = node.getStart(source);
  return { start, end: node.end, markAt: start, isExpression: true };
}

/** The index of the innermost block around a range; -1 at the top of the file, where code runs as the module is loaded. */
export function innermost(blocks: readonly Block[], { start, end }: { readonly start: number; readonly end: number }): number {
  return blocks.findLastIndex((block) => block.start <= start && end <= block.end);
}

/** The source with `MARK(n)` in each block, counted from `first`. */
export function withMarks(text: string, blocks: readonly Block[], first: number): string {
  const inserts = blocks.flatMap(({ markAt, end, isExpression }, index) => {
    const mark = `MARK(${first + index})`;
    // Outer marks are opened before and closed after inner ones.
    return isExpression
      ? [
          { at: markAt, text: `(${mark}, `, order: index },
          { at: end, text: ")", order: -index },
        ]
      : [{ at: markAt, text: `${mark};`, order: index }];
  });
  inserts.sort((a, b) => a.at - b.at || Number(b.text === ")") - Number(a.text === ")") || a.order - b.order);
  let [marked, from] = ["", 0];
  for (const { at, text: insert } of inserts) {
    marked += text.slice(from, at) + insert;
    from = at;
  }
  return marked + text.slice(from);
}
