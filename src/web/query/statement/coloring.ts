/** SQL text cut into colored pieces, line by line, by the lexemes of our own parser; the place of an error is marked. Pure. */
import { type LexemeKind, lexemeAt } from "../../../sql/parser/lexemes.ts";
import { isReserved } from "../../../sql/parser/reserved-words.ts";

export type PieceKind = "plain" | "keyword" | "string" | "number" | "comment" | "name" | "operator";

export interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
  /** The place of the error. Empty text if the error is behind the end of the line. */
  readonly isMarked: boolean;
}

/** Numbers count from 1, as in messages. */
export interface Place {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Longer texts are shown in one color. */
export const coloredCharsMax = 60_000;

/** Words that the grammar does not reserve, but that readers take for keywords. */
const furtherKeywords: ReadonlySet<string> = new Set(
  (
    "ADD ALL ANALYZE ANY ASC CALL CATALOG CATALOGS COLUMN COLUMNS COMMENT COMMIT CURRENT DATE DAY DEFINE DENY DESC EXCLUDING EXPLAIN FETCH " +
    "FILTER FIRST FOLLOWING FUNCTION FUNCTIONS GRANT GROUPS HOUR IF IGNORE INCLUDING INTERVAL LAST LATERAL LIMIT MATCH MATCHED " +
    "MATCH_RECOGNIZE MEASURES MERGE MINUTE MONTH NEXT NULLS OFFSET ONLY ORDINALITY OVER PARTITION PATTERN PRECEDING PROPERTIES RANGE " +
    "RENAME REPLACE RESET RESPECT RETURN RETURNS REVOKE ROLLBACK ROW ROWS SCHEMA SCHEMAS SECOND SESSION SET SETS SHOW SOME START STATS " +
    "TABLES TABLESAMPLE TIES TIME TIMESTAMP TO TRANSACTION TRUNCATE TRY_CAST UNBOUNDED UPDATE USE VIEW WINDOW WITHIN WITHOUT WORK YEAR ZONE"
  ).split(" "),
);

const kinds: Readonly<Record<LexemeKind, PieceKind>> = {
  end: "plain",
  blank: "plain",
  comment: "comment",
  word: "plain",
  double: "number",
  radix: "number",
  number: "number",
  digitName: "plain",
  string: "string",
  quoted: "name",
  backquoted: "name",
  binary: "string",
  unicodeString: "string",
  operator: "operator",
  unrecognized: "plain",
};

function kindOf(kind: LexemeKind, text: string): PieceKind {
  if (kind === "word") {
    const word = text.toUpperCase();
    return isReserved(word) || furtherKeywords.has(word) ? "keyword" : "plain";
  }
  return kinds[kind];
}

const lineBreak = /\r\n|\r|\n/;

/** Line by line. The pieces of a line joined are its text without the line break. */
export function coloredLines(text: string, error?: Place): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]];
  for (const piece of piecesOf(text)) {
    for (const [index, part] of piece.text.split(lineBreak).entries()) {
      if (index > 0) {
        lines.push([]);
      }
      if (part !== "") {
        lines.at(-1)?.push({ ...piece, text: part });
      }
    }
  }
  const marked = error === undefined ? undefined : lines[error.lineNumber - 1];
  if (error !== undefined && marked !== undefined) {
    lines[error.lineNumber - 1] = withMark(marked, error.columnNumber);
  }
  return lines;
}

function piecesOf(text: string): readonly Piece[] {
  if (text.length > coloredCharsMax) {
    return [{ kind: "plain", text, isMarked: false }];
  }
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; ) {
    const { kind, end } = lexemeAt(text, at);
    const part = text.slice(at, Math.max(end, at + 1));
    if (kind === "blank") {
      pieces.push(...blankPieces(part));
    } else {
      pieces.push({ kind: kindOf(kind, part), text: part, isMarked: false });
    }
    at += part.length;
  }
  return pieces;
}

/** Comments of one line are among the blanks. */
function blankPieces(text: string): readonly Piece[] {
  return text
    .split(/(--[^\r\n]*)/)
    .filter((part) => part !== "")
    .map((part) => ({ kind: part.startsWith("--") ? "comment" : "plain", text: part, isMarked: false }));
}

/** Marks the piece at the column, or the place behind the last one. In a long piece only what follows the column is marked. */
function withMark(pieces: readonly Piece[], columnNumber: number): Piece[] {
  let start = 1;
  for (const [index, piece] of pieces.entries()) {
    const end = start + piece.text.length;
    if (columnNumber < end) {
      const before = piece.text.slice(0, columnNumber - start);
      return [
        ...pieces.slice(0, index),
        ...(before === "" ? [] : [{ ...piece, text: before }]),
        { ...piece, text: piece.text.slice(columnNumber - start), isMarked: true },
        ...pieces.slice(index + 1),
      ];
    }
    start = end;
  }
  return [...pieces, { kind: "plain", text: "", isMarked: true }];
}

/** Whether the formatted text would lack comments of the original. */
export function hasComments(text: string): boolean {
  return text.length <= coloredCharsMax && piecesOf(text).some(({ kind }) => kind === "comment");
}
