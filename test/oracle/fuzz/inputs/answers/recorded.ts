/** What a real server has answered, by statement: a line of JSON for each, as `npm run fuzz -- record` writes them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface RecordedMessage {
  /** A letter of PostgreSQL's protocol; empty in that of MySQL. */
  readonly type: string;
  readonly payload: Buffer;
}

/** The first is the greeting, and has no statement. */
export type Recorded = readonly { readonly statement: string; readonly messages: readonly RecordedMessage[] }[];

function pathOf(name: string): string {
  return join("test/oracle/fuzz/inputs/answers/recorded", `${name}.jsonl`);
}

export function readRecorded(name: string): Recorded {
  const lines = readFileSync(pathOf(name), "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { statement, messages } = JSON.parse(line) as { statement: string; messages: readonly [string, string][] };
    return { statement, messages: messages.map(([type, base64]) => ({ type, payload: Buffer.from(base64, "base64") })) };
  });
}

export function writeRecorded(name: string, recorded: Recorded): void {
  const lines = recorded.map(({ statement, messages }) =>
    JSON.stringify({ statement, messages: messages.map(({ type, payload }) => [type, payload.toString("base64")]) }),
  );
  writeFileSync(pathOf(name), `${lines.join("\n")}\n`);
}

/** Names that are drawn anew for each write. */
export function withoutDrawnNames(sql: string): string {
  return sql.replaceAll(/orrery_tmp_\w+/g, "orrery_tmp_x");
}

export class RecordedAnswers {
  readonly #recorded: Recorded;
  readonly #known: ReadonlyMap<string, readonly RecordedMessage[]>;

  constructor(recorded: Recorded) {
    this.#recorded = recorded.slice(1);
    this.#known = new Map(this.#recorded.map(({ statement, messages }) => [statement, messages]));
    this.greeting = recorded[0]?.messages ?? [];
  }

  readonly greeting: readonly RecordedMessage[];

  /** To the statement, or to the one that begins most like it: altered answers lead to other statements. */
  to(sql: string): readonly RecordedMessage[] {
    const wanted = withoutDrawnNames(sql);
    const known = this.#known.get(wanted);
    if (known !== undefined) {
      return known;
    }
    let best: readonly RecordedMessage[] = [];
    let longest = -1;
    for (const { statement, messages } of this.#recorded) {
      const length = commonLength(statement, wanted);
      if (length > longest) {
        [best, longest] = [messages, length];
      }
    }
    return best;
  }
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) {
    length++;
  }
  return length;
}
