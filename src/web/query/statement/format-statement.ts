/** Formats a statement by our own parser and printer. A chunk of its own, because the parser is large. */
import { parseStatement } from "../../../sql/parser/parser.ts";
import { printStatement } from "../../../sql/printer/printer.ts";

/** Undefined if the text does not parse. */
export function formatStatement(text: string): string | undefined {
  try {
    return printStatement(parseStatement(text));
  } catch {
    return undefined;
  }
}
