/**
 * Text on a terminal: its display width, and removal of control characters.
 */
import { graphemesOf } from "./graphemes.ts";

export type TextWidth = (text: string) => number;

/** Text from the server must not control the terminal. */
export function withoutControls(text: string): string {
  return text.replaceAll("\t", "    ").replaceAll(/\p{Cc}/gu, "\u00b7");
}

/**
 * Returns a function for the display width of these texts, in columns. ASCII texts do not need the Unicode tables, which are slow to load.
 */
export async function textWidth(texts: readonly string[]): Promise<TextWidth> {
  if (texts.every((text) => /^[\x20-\x7e]*$/.test(text))) {
    return (text) => text.length;
  }
  return await stringWidthOf();
}

export async function stringWidthOf(): Promise<TextWidth> {
  const { default: stringWidth } = await import("string-width");
  return (text) => (/^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text));
}

/** Text of at most `width` columns; what is cut is marked by an ellipsis. */
export function cut(text: string, width: number, textWidth: TextWidth): string {
  if (textWidth(text) <= width) {
    return text;
  }
  let kept = "";
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    used += textWidth(grapheme);
    if (used > width - 1) {
      break;
    }
    kept += grapheme;
  }
  return width < 1 ? "" : `${kept}\u2026`;
}
