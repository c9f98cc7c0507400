/**
 * Characters as people see them.
 */
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The graphemes of a text whose line breaks are line feeds. */
export function graphemesOf(text: string): readonly string[] {
  return /^[\n\x20-\x7e]*$/.test(text) ? text.split("") : Array.from(segmenter.segment(text), ({ segment }) => segment);
}
