/**
 * An edit is one change of one source that may be a bug. Operators propose edits; the drawing chooses among them.
 */
import type { Node, SourceFile } from "typescript/unstable/ast";

export interface Edit {
  readonly start: number;
  readonly end: number;
  /** Replaces the text between `start` and `end`. */
  readonly text: string;
  /** The same with `REACHED()`, which counts how often the code runs. Absent if the mark has no place in the syntax. */
  readonly marked?: string;
}

/** Proposes the edits of one node. Nodes that no bug may be made of (`excluded.ts`) are not passed. */
export type Operator = (node: Node, source: SourceFile) => readonly Edit[];

const reachedMark = "REACHED()";

/** Replaces an expression. */
export function replaceExpression(node: Node, source: SourceFile, text: string): Edit {
  return { start: node.getStart(source), end: node.end, text, marked: `(${reachedMark}, ${text})` };
}

/** Replaces a statement whose parent is a list of statements. */
export function replaceStatement(node: Node, source: SourceFile, text: string): Edit {
  return { start: node.getStart(source), end: node.end, text, marked: `${reachedMark}; ${text}` };
}

/** Inserts a statement before another one of a list. */
export function insertBefore(node: Node, source: SourceFile, text: string): Edit {
  const start = node.getStart(source);
  return { start, end: start, text: `${text} `, marked: `${reachedMark}; ${text} ` };
}

export function textOf(node: Node, source: SourceFile): string {
  return source.text.slice(node.getStart(source), node.end);
}

export function applyEdit(text: string, { start, end, text: replacement }: Edit): string {
  return `${text.slice(0, start)}${replacement}${text.slice(end)}`;
}

export function applyMarked(text: string, edit: Edit): string {
  return applyEdit(text, { ...edit, text: edit.marked ?? edit.text });
}
