/**
 * The statement at a position of a script, and the place of an error in it. Offsets count UTF-16 units, as the editor and the engine's
 * error locations do.
 */
import { lexemeAt } from "../../../sql/parser/lexemes.ts";
import { type StatementRange, statementRanges } from "../../../sql/statement-ranges.ts";

/**
 * The statement at a position. Behind a terminator, the statement before counts if nothing else follows on the line, as after typing the
 * terminator.
 */
export function statementAt(text: string, offset: number): StatementRange | undefined {
  const ranges = statementRanges(text);
  const index = ranges.findIndex(({ regionTo }) => offset <= regionTo);
  if (index < 0) {
    return ranges.at(-1);
  }
  const found = ranges[index];
  const next = ranges[index + 1];
  const isBehindTerminator = found !== undefined && offset === found.regionTo && offset > found.to;
  const rest = /^[^\r\n]*/.exec(text.slice(offset))?.[0] ?? "";
  if (isBehindTerminator && next !== undefined && rest.trim() !== "") {
    return next;
  }
  if (found !== undefined && index > 0 && offset < found.from) {
    // On the line of the terminator before.
    const before = ranges[index - 1];
    const between = text.slice(before?.regionTo ?? 0, offset);
    const isSameLine = !/[\r\n]/.test(between) && /^[ \t]*(?:[\r\n]|$)/.test(text.slice(offset));
    return isSameLine ? before : found;
  }
  return found;
}

/** The offset of a location in `text`, clamped to the text. Lines and columns count from 1. */
export function offsetOf(
  text: string,
  { lineNumber, columnNumber }: { readonly lineNumber: number; readonly columnNumber: number },
): number {
  const breaks = /\r\n|\r|\n/g;
  for (let line = 1; line < lineNumber; line++) {
    if (breaks.exec(text) === null) {
      return text.length;
    }
  }
  return Math.min(text.length, (lineNumber > 1 ? breaks.lastIndex : 0) + Math.max(0, columnNumber - 1));
}

/** The range of the lexeme at an offset: what an error marks. At least one character, if the text has one. */
export function markedRange(text: string, offset: number): { readonly from: number; readonly to: number } {
  const lexeme = lexemeAt(text, offset);
  if (lexeme.kind === "end" || lexeme.kind === "blank") {
    return { from: Math.max(0, Math.min(offset, text.length) - 1), to: Math.min(text.length, Math.max(offset, 1)) };
  }
  const lineEnd = text.slice(offset, lexeme.end).search(/[\r\n]/);
  return { from: offset, to: lineEnd > 0 ? offset + lineEnd : lexeme.end };
}
