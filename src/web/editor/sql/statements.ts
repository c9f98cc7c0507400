/**
 * Where the statements of a script begin and end, by the lexemes and routine blocks of the engine's parser. Offsets count UTF-16 units,
 * as the editor and the engine's error locations do.
 */
import { lexemeAt } from "../../../sql/parser/lexemes.ts";
import { RoutineBlocks } from "../../../sql/parser/routine-blocks.ts";

export interface StatementRange {
  /** Offset of the first character that is neither blank nor comment. */
  readonly from: number;
  /** Offset behind the last character, without the terminator and without blanks and comments in front of it. */
  readonly to: number;
  /** The statement with the blanks around it and its terminator: these ranges cover the script. */
  readonly regionFrom: number;
  readonly regionTo: number;
}

/** Statements without content are left out; their regions join the next statement. */
export function statementRanges(text: string): readonly StatementRange[] {
  const ranges: StatementRange[] = [];
  let blocks = new RoutineBlocks();
  let regionFrom = 0;
  let from = -1;
  let to = 0;
  const end = (regionTo: number): void => {
    if (from >= 0) {
      ranges.push({ from, to, regionFrom, regionTo });
      regionFrom = regionTo;
    }
    from = -1;
    blocks = new RoutineBlocks();
  };
  for (let at = 0; at < text.length; ) {
    const lexeme = lexemeAt(text, at);
    if (lexeme.kind !== "blank" && lexeme.kind !== "comment") {
      const word = text.slice(at, lexeme.end);
      if (word === ";" && !blocks.isOpen) {
        end(lexeme.end);
      } else {
        from = from < 0 ? at : from;
        to = lexeme.end;
        blocks.see(lexeme.kind === "word" || lexeme.kind === "operator" ? word : "'");
      }
    }
    at = Math.max(lexeme.end, at + 1);
  }
  end(text.length);
  return ranges;
}

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
