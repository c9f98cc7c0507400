/** Fragments as JSON, each written once for all its tasks, and for all runs of a statement whose plan is kept. */
import { stringifyJson } from "../../protocol/json.ts";
import type { PlanFragment } from "./fragment.ts";

export class FragmentTexts {
  readonly #texts = new WeakMap<PlanFragment, string>();

  textOf(fragment: PlanFragment): string {
    const known = this.#texts.get(fragment);
    const text = known ?? stringifyJson(fragment);
    if (known === undefined) {
      this.#texts.set(fragment, text);
    }
    return text;
  }
}
