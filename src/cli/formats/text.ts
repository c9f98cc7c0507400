/** Text on a screen: how wide it is, and that it does not steer the terminal. */

export type TextWidth = (text: string) => number;

/** Text of the server must not steer the terminal. */
export function withoutControls(text: string): string {
  return text.replaceAll("\t", "    ").replaceAll(/\p{Cc}/gu, "\u00b7");
}

/** Columns on the screen, for these texts. Plain ASCII is counted without the tables for the rest of the world, which take a while to load. */
export async function textWidth(texts: readonly string[]): Promise<TextWidth> {
  if (texts.every((text) => /^[\x20-\x7e]*$/.test(text))) {
    return (text) => text.length;
  }
  const { default: stringWidth } = await import("string-width");
  return stringWidth;
}
