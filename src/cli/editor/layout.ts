/**
 * What the editor shows as a frame: prompt, statement, suggestion, and below them the search or the menu. A pure function.
 */
import { graphemesOf } from "../formats/graphemes.ts";
import { cut, type TextWidth } from "../formats/text.ts";
import type { EditorView } from "./editor.ts";
import { type Frame, FrameWriter, type ScreenRow, windowOf } from "./frame.ts";
import { highlight } from "./highlight.ts";
import type { Candidate } from "./menu.ts";
import type { Style } from "../formats/style.ts";

export interface LayoutOptions {
  readonly prompt: string;
  /** Before the second line and all later ones. */
  readonly continuation: string;
  readonly width: number;
  readonly height: number;
  readonly textWidth: TextWidth;
}

const menuRowsMax = 8;

export function layout(view: EditorView, options: LayoutOptions): Frame {
  const writer = new FrameWriter(options.width, options.textWidth);
  writer.write(options.prompt, "prompt");
  const cursor = writeText(view, writer, options);
  if (view.search !== undefined) {
    return searchFrame(view.search, { writer, cursor, options });
  }
  const below = view.menu === undefined ? [] : menuRows(view.menu, options);
  // The menu is cut before the statement is.
  const room = Math.max(0, options.height - writer.rows.length);
  const rows = [...writer.rows, ...below.slice(0, Math.max(room, 1))];
  return windowOf({ rows, cursorRow: cursor.row, cursorColumn: cursor.column }, options.height);
}

type Place = ReturnType<FrameWriter["place"]>;

function writeText(view: EditorView, writer: FrameWriter, options: LayoutOptions): Place {
  const { text, search } = view;
  let cursor: Place | undefined;
  const put = (grapheme: string, offset: number, style: Style): void => {
    if (offset === view.cursor) {
      cursor = writer.place();
    }
    if (grapheme === "\n") {
      writer.newRow();
      writer.write(options.continuation, "continuation");
    } else {
      writer.put(grapheme, style);
    }
  };
  const spans = highlight(text);
  let span = 0;
  let offset = 0;
  const match = search?.match;
  for (const grapheme of graphemesOf(text)) {
    while ((spans[span]?.to ?? Infinity) <= offset) {
      span++;
    }
    const isMatch = match !== undefined && offset >= match.from && offset < match.from + match.length;
    put(grapheme, offset, isMatch ? "match" : (spans[span]?.style ?? "plain"));
    offset += grapheme.length;
  }
  cursor ??= writer.place();
  for (const grapheme of graphemesOf(view.suggestion)) {
    put(grapheme, -1, "suggestion");
  }
  return cursor;
}

interface SearchPlace {
  readonly writer: FrameWriter;
  readonly cursor: Place;
  readonly options: LayoutOptions;
}

/** The cursor stands behind what is searched for, below the statement that was found. */
function searchFrame(search: NonNullable<EditorView["search"]>, { writer, options }: SearchPlace): Frame {
  writer.newRow();
  const label = search.direction === "older" ? "reverse-i-search" : "i-search";
  writer.write(`${search.isFailing ? "failing " : ""}${label}: `, search.isFailing ? "error" : "status");
  writer.write(search.query, "plain");
  const { row, column } = writer.place();
  return windowOf({ rows: writer.rows, cursorRow: row, cursorColumn: column }, options.height);
}

/** A grid in columns, filled downwards, with the page that holds the selected candidate. */
function menuRows(menu: NonNullable<EditorView["menu"]>, { width, textWidth }: LayoutOptions): readonly ScreenRow[] {
  const { candidates, selected } = menu;
  const cellWidth = Math.min(width - 1, Math.max(...candidates.map((candidate) => candidateWidth(candidate, textWidth))) + 2);
  const columnCount = Math.max(1, Math.floor((width - 1) / cellWidth));
  const rowCount = Math.min(menuRowsMax, Math.ceil(candidates.length / columnCount));
  const pageSize = rowCount * columnCount;
  const page = Math.max(0, Math.floor(selected / pageSize));
  const shown = candidates.slice(page * pageSize, (page + 1) * pageSize);
  const rows: ScreenRow[] = [];
  for (let row = 0; row < rowCount; row++) {
    const writer = new FrameWriter(width, textWidth);
    for (let column = 0; column < columnCount; column++) {
      const index = column * rowCount + row;
      const candidate = shown[index];
      if (candidate !== undefined) {
        writeCandidate(candidate, { writer, cellWidth, isSelected: page * pageSize + index === selected, textWidth });
      }
    }
    rows.push(writer.rows[0] ?? []);
  }
  if (candidates.length > pageSize) {
    const writer = new FrameWriter(width, textWidth);
    const first = page * pageSize + 1;
    writer.write(`${first}-${Math.min(first + pageSize - 1, candidates.length)} of ${candidates.length}`, "status");
    rows.push(writer.rows[0] ?? []);
  }
  return rows;
}

interface CandidatePlace {
  readonly writer: FrameWriter;
  readonly cellWidth: number;
  readonly isSelected: boolean;
  readonly textWidth: TextWidth;
}

function writeCandidate(candidate: Candidate, { writer, cellWidth, isSelected, textWidth }: CandidatePlace): void {
  const room = cellWidth - 2;
  const text = cut(candidate.text, room, textWidth);
  writer.write(text, isSelected ? "selected" : "menu");
  const detail = candidate.detail ?? "";
  const rest = room - textWidth(text) - 1;
  const shown = rest > 0 ? cut(detail, rest, textWidth) : "";
  writer.write(" ", "plain");
  writer.write(shown, "detail");
  writer.write(" ".repeat(Math.max(0, room - textWidth(text) - textWidth(shown)) + 1), "plain");
}

function candidateWidth({ text, detail }: Candidate, textWidth: TextWidth): number {
  return textWidth(text) + (detail === undefined || detail === "" ? 0 : textWidth(detail) + 1);
}
