/** Documents of JSON as values of the type json. */
import { canonicalJson } from "../../functions/scalar/json/json-functions.ts";
import { QueryError } from "../../protocol/errors.ts";

/** The canonical text of a document; undefined if the text is none. */
export function documentText(text: string): string | undefined {
  try {
    return canonicalJson(text);
  } catch (error) {
    if (error instanceof QueryError) {
      return undefined;
    }
    throw error;
  }
}
