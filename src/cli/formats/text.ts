/**
 * Text on a terminal: its display width, and removal of control characters.
 */

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
  const { default: stringWidth } = await import("string-width");
  return stringWidth;
}
