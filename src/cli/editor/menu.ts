/**
 * The candidates of a completion and the one that is selected.
 */

export interface Candidate {
  /** Replaces the word before the cursor. */
  readonly text: string;
  /** What it is: a type, `table`, `function`. */
  readonly detail?: string;
}

export class CompletionMenu {
  readonly #candidates: readonly Candidate[];
  readonly from: number;
  /** The word before a candidate was selected. */
  readonly typed: string;
  /** -1 if none is selected. */
  #selected = -1;

  constructor(candidates: readonly Candidate[], { from, typed }: { readonly from: number; readonly typed: string }) {
    this.#candidates = candidates;
    this.from = from;
    this.typed = typed;
  }

  get isSelected(): boolean {
    return this.#selected !== -1;
  }

  get view(): { readonly candidates: readonly Candidate[]; readonly selected: number } {
    return { candidates: this.#candidates, selected: this.#selected };
  }

  /** Selects the next or the previous candidate, around the ends; returns its text. */
  select(step: 1 | -1): string {
    const count = this.#candidates.length;
    this.#selected = this.#selected === -1 && step === -1 ? count - 1 : (this.#selected + step + count) % count;
    return this.#candidates[this.#selected]?.text ?? this.typed;
  }
}
