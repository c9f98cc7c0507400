/**
 * Determines the query of an entry: the id in its text or its message's, or, for a submission, the query that it started.
 */
import type { Columns } from "./format.ts";
import type { Messages } from "./messages.ts";

const idPattern = /\d{8}_\d{6}_\d{5}_[a-z0-9]{5}/;

export function queriesOf(
  columns: Columns,
  messages: Messages,
  cause: Int32Array,
): { readonly queries: readonly string[]; readonly query: Int32Array } {
  const queries: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (id: string): number => {
    const known = numbers.get(id);
    if (known !== undefined) {
      return known;
    }
    numbers.set(id, queries.length);
    return queries.push(id) - 1;
  };
  const ofText = new Int32Array(columns.texts.length).fill(-2);
  const query = new Int32Array(columns.count).fill(-1);
  const ofMessage = new Int32Array(messages.count).fill(-1);
  for (let index = 0; index < columns.count; index++) {
    const text = columns.text[index] ?? 0;
    if (ofText[text] === -2) {
      const found = idPattern.exec(columns.texts[text] ?? "");
      ofText[text] = found === null ? -1 : numberOf(found[0]);
    }
    const found = ofText[text] ?? -1;
    query[index] = found;
    const message = messages.ofEntry[index] ?? -1;
    if (found !== -1 && message !== -1 && ofMessage[message] === -1) {
      ofMessage[message] = found;
    }
    if (found !== -1 && columns.kinds[columns.kind[index] ?? 0] === "query") {
      const from = cause[index] ?? -1;
      const submission = from === -1 ? -1 : (messages.ofEntry[from] ?? -1);
      if (submission !== -1 && ofMessage[submission] === -1) {
        ofMessage[submission] = found;
      }
    }
  }
  for (let index = 0; index < columns.count; index++) {
    const message = messages.ofEntry[index] ?? -1;
    if (message !== -1) {
      query[index] = ofMessage[message] ?? -1;
    }
  }
  return { queries, query };
}
