/**
 * Edits of what a server sends: each names a message of the conversation by its place and has the seed of what happens to it, so that an
 * input is smaller with an edit less.
 */
import { Random } from "../../random.ts";

/** What a server sends, one after the other: a message of a database's protocol, or a response of HTTP. */
export interface AnswerEdit {
  /** Of the message among all that the server sends while the statement runs, from 0. */
  readonly at: number;
  readonly salt: number;
}

export interface AnswersInput {
  /** Index of the statement. */
  readonly statement: number;
  readonly edits: readonly AnswerEdit[];
}

const editsMax = 3;
const saltMax = 2 ** 31;

/** `counts`: messages of each statement without edits. */
export function drawInput(random: Random, counts: readonly number[]): AnswersInput {
  const statement = random.below(counts.length);
  const edits = Array.from({ length: 1 + random.below(editsMax) }, () => ({
    at: random.below(Math.max(1, counts[statement] as number)),
    salt: random.below(saltMax),
  }));
  return { statement, edits };
}

export function* smallerInputs({ statement, edits }: AnswersInput): Iterable<AnswersInput> {
  for (const edit of edits) {
    if (edits.length > 1) {
      yield { statement, edits: edits.filter((one) => one !== edit) };
    }
  }
}

/** The edits of one conversation. */
export class EditScript {
  readonly #edits: readonly AnswerEdit[];
  /** Messages so far. */
  sent = 0;

  constructor(edits: readonly AnswerEdit[]) {
    this.#edits = edits;
  }

  /** The decisions of what happens to the next message; undefined if it is sent as it is. */
  next(): Random | undefined {
    const place = this.sent++;
    const edit = this.#edits.find(({ at }) => at === place);
    return edit === undefined ? undefined : new Random(edit.salt);
  }
}
