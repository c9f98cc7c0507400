/**
 * Padding of char values, which are stored without trailing spaces.
 */
import { codePoints } from "../../../types/utf8.ts";

/** `length` in code points. */
export function padSpaces(text: string, length: number): string {
  return text + " ".repeat(Math.max(0, length - codePoints(text).length));
}
