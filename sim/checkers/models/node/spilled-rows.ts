/**
 * Whether operators spill cannot be seen in a result, written from decision 140 and docs/architecture.md (A deterministic data plane): two
 * users submit one statement, and the operators of one of them never spill. Both get the same rows in the same order, ties included.
 */
import { stringifyJson } from "../../../../src/protocol/json.ts";
import type { Judged, Model, ModelKind, StatementEnd } from "../model.ts";

class SpilledRows implements Model {
  readonly #context: Judged;
  /** The rows that came first, as texts, and who has got them; by statement. */
  readonly #rows = new Map<string, { readonly user: string; readonly texts: readonly string[] }>();

  constructor(context: Judged) {
    this.#context = context;
  }

  endStatement({ ending, statement: { sql, volatile }, user }: StatementEnd): void {
    if (volatile?.isPaired !== true || ending.kind !== "outcome" || ending.outcome.kind !== "rows" || ending.isCut === true) {
      return;
    }
    const texts = ending.outcome.rows.map((row) => stringifyJson(row));
    const first = this.#rows.get(sql);
    if (first === undefined) {
      this.#rows.set(sql, { user, texts });
      return;
    }
    const place = Array.from({ length: Math.max(texts.length, first.texts.length) }).findIndex((_, row) => texts[row] !== first.texts[row]);
    this.#context.check(
      place < 0,
      () =>
        `${first.user} and ${user} got other rows from ${sql}: row ${place} is ${String(first.texts[place])} and ${String(texts[place])}`,
    );
  }
}

export const spilledRows: ModelKind = {
  invariant: {
    name: "spilled-rows",
    sentence: "A statement gives the same rows in the same order whether its operators spill or not, ties included.",
    kind: "wrong-result",
    checkedIn: "checkers/models/node/spilled-rows.ts",
  },
  create: (context) => new SpilledRows(context),
};
