/**
 * Where the statements of a script begin and end, by the lexemes and routine blocks of the parser. Offsets count UTF-16 units, as editors
 * and error locations do.
 */
import { lexemeAt } from "./parser/lexemes.ts";
import { RoutineBlocks } from "./parser/routine-blocks.ts";

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
