/**
 * Compiles a row pattern to a program for a backtracking matcher: the preferred alternative is tried first. Steps are numbered. A step that
 * matches no row leads to another step at the same row.
 */
import type { RowPattern } from "../../../planner/plan/pattern-nodes.ts";
import { patternSize, patternSizeMax } from "../../../planner/plan/pattern-size.ts";
import { assert } from "../../../protocol/errors.ts";

export type Step =
  /** Matches a row with the label, then the next step. */
  | { readonly kind: "MATCH"; readonly label: number; readonly excluded: boolean }
  | { readonly kind: "SPLIT"; readonly preferred: number; readonly other: number }
  | { readonly kind: "JUMP"; readonly to: number }
  /** Start of an iteration. If it starts twice at one row, after an empty iteration, the loop ends. */
  | { readonly kind: "LOOP"; readonly loop: number; readonly exit: number }
  | { readonly kind: "PARTITION_START" | "PARTITION_END" | "DONE" };

export interface Program {
  readonly steps: readonly Step[];
  readonly loops: number;
}

type Unfinished = { -readonly [K in "preferred" | "other"]: number } & { readonly kind: "SPLIT" };

export function compilePattern(pattern: RowPattern): Program {
  assert(patternSize(pattern) <= patternSizeMax, "the analyser has looked at the size of the pattern");
  const compiler = new Compiler();
  compiler.add(pattern, false);
  return compiler.finish();
}

class Compiler {
  readonly #steps: Step[] = [];
  #loops = 0;

  finish(): Program {
    this.#steps.push({ kind: "DONE" });
    return { steps: this.#steps, loops: this.#loops };
  }

  add(pattern: RowPattern, excluded: boolean): void {
    switch (pattern.kind) {
      case "LABEL":
        this.#steps.push({ kind: "MATCH", label: pattern.label, excluded });
        return;
      case "CONCATENATION":
        for (const term of pattern.terms) {
          this.add(term, excluded);
        }
        return;
      case "ALTERNATION":
        this.#alternatives(pattern.terms, (term) => this.add(term, excluded));
        return;
      case "PERMUTATION":
        this.#alternatives(permutations(pattern.terms), (terms) => this.add({ kind: "CONCATENATION", terms }, excluded));
        return;
      case "QUANTIFIED":
        this.#repeat(pattern, excluded);
        return;
      case "EXCLUSION":
        this.add(pattern.pattern, true);
        return;
      default:
        this.#steps.push({ kind: pattern.kind });
    }
  }

  /** Adds each alternative by `add`, in order of preference. */
  #alternatives<T>(terms: readonly T[], add: (term: T) => void): void {
    const jumps: { -readonly [K in keyof Extract<Step, { kind: "JUMP" }>]: Extract<Step, { kind: "JUMP" }>[K] }[] = [];
    for (const [index, term] of terms.entries()) {
      if (index === terms.length - 1) {
        add(term);
        break;
      }
      const split = this.#split();
      split.preferred = this.#steps.length;
      add(term);
      const jump = { kind: "JUMP" as const, to: 0 };
      jumps.push(jump);
      this.#steps.push(jump);
      split.other = this.#steps.length;
    }
    for (const jump of jumps) {
      jump.to = this.#steps.length;
    }
  }

  #split(): Unfinished {
    const split: Unfinished = { kind: "SPLIT", preferred: 0, other: 0 };
    this.#steps.push(split);
    return split;
  }

  /** Emits the minimum number of iterations, then the optional ones. */
  #repeat({ pattern, min, max, greedy }: RowPattern & { kind: "QUANTIFIED" }, excluded: boolean): void {
    if (patternSize(pattern) === 0) {
      return;
    }
    for (let count = 0; count < min; count++) {
      this.add(pattern, excluded);
    }
    const enter = (split: Unfinished): void => {
      split[greedy ? "preferred" : "other"] = this.#steps.length;
    };
    const leave = (split: Unfinished): void => {
      split[greedy ? "other" : "preferred"] = this.#steps.length;
    };
    if (max === undefined) {
      const loop = { kind: "LOOP" as const, loop: this.#loops++, exit: 0 };
      const head = this.#steps.push(loop) - 1;
      const split = this.#split();
      enter(split);
      this.add(pattern, excluded);
      this.#steps.push({ kind: "JUMP", to: head });
      leave(split);
      loop.exit = this.#steps.length;
      return;
    }
    const splits: Unfinished[] = [];
    for (let count = min; count < max; count++) {
      const split = this.#split();
      splits.push(split);
      enter(split);
      this.add(pattern, excluded);
    }
    for (const split of splits) {
      leave(split);
    }
  }
}

/** In lexicographic order of the indexes: the original order comes first. */
function permutations<T>(terms: readonly T[]): readonly (readonly T[])[] {
  if (terms.length <= 1) {
    return [terms];
  }
  return terms.flatMap((term, index) => permutations([...terms.slice(0, index), ...terms.slice(index + 1)]).map((rest) => [term, ...rest]));
}
