/** State machines as tables. A transition that is not in the table is an assertion; a state without transitions is an end. */
import { assert } from "./errors.ts";

export type TransitionTable<State extends string> = Readonly<Record<State, readonly State[]>>;

export function isEndState<State extends string>(table: TransitionTable<State>, state: State): boolean {
  return table[state].length === 0;
}

export interface StateMachineOptions<State extends string> {
  /** For messages: `task 20260101_000000_00000_abcde.1.0`. */
  readonly name: string;
  readonly table: TransitionTable<State>;
  readonly initial: State;
  /** Called after every transition. */
  readonly onTransition?: ((from: State, to: State) => void) | undefined;
}

export class StateMachine<State extends string> {
  readonly #options: StateMachineOptions<State>;
  #state: State;

  constructor(options: StateMachineOptions<State>) {
    this.#options = options;
    this.#state = options.initial;
  }

  get state(): State {
    return this.#state;
  }

  get ended(): boolean {
    return isEndState(this.#options.table, this.#state);
  }

  to(next: State): void {
    const { name, onTransition, table } = this.#options;
    const from = this.#state;
    assert(table[from].includes(next), `${name}: no transition from ${from} to ${next}`);
    this.#state = next;
    onTransition?.(from, next);
  }
}
