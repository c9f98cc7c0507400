/**
 * The query history on the coordinator's disk, looked at from inside the node: it has no query that did not end, and a restart loses none
 * that it had, because what it has was synced. Bounds remove the oldest queries, no others, and the bound of their number removes no more
 * than it must. After an error of the disk, or on an empty one, a loss has its cause.
 */
import { numberProperty } from "../../properties.ts";
import type { Properties } from "../../plan.ts";
import { check, type Verdict } from "../violation.ts";

const oracle = "history";

/** What the checker reads of a coordinator. */
export interface HistoryView {
  /** Ids of the queries of the history; undefined while the node is reading what it finds. */
  historyIds(): readonly string[] | undefined;
}

export interface HistoryOptions {
  readonly properties: Properties;
  readonly diskMayFail: boolean;
}

export class HistoryOracle {
  readonly #verdict: Verdict;
  readonly #coordinator: string;
  readonly #ended = new Set<string>();
  readonly #countMax: number;
  readonly #diskMayFail: boolean;
  readonly #isBounded: boolean;
  readonly #isBoundedByCountAlone: boolean;
  #known: ReadonlySet<string> = new Set();
  #hasCause = false;
  /** Files are ordered by the wall clock at which they were begun: after a step back the oldest are others for the next incarnation. */
  #isStepped = false;

  /** `diskMayFail`: a fault of the plan may make the coordinator's disk refuse, lose or change what it was given. */
  constructor(verdict: Verdict, coordinator: string, { diskMayFail, properties }: HistoryOptions) {
    this.#verdict = verdict;
    this.#coordinator = coordinator;
    this.#diskMayFail = diskMayFail;
    this.#countMax = numberProperty(properties, "query-history.max-count");
    const has = (name: string): boolean => properties[name] !== undefined;
    this.#isBoundedByCountAlone = !has("query-history.max-size") && !has("query-history.max-age");
    this.#isBounded = has("query-history.max-count") || !this.#isBoundedByCountAlone;
  }

  note(place: string, kind: string, detail: string): void {
    this.#isStepped ||= kind === "fault" && detail.startsWith(`clock-step ${this.#coordinator} `);
    if (place === this.#coordinator && (kind === "disk-error" || kind === "corrupt-read" || kind === "disk-wiped")) {
      this.#hasCause = true;
    } else if (this.#diskMayFail && place === this.#coordinator && kind === "log-warn" && detail.startsWith("query-history-not-")) {
      this.#hasCause = true;
    }
  }

  queryEnded(id: string): void {
    this.#ended.add(id);
  }

  look(node: HistoryView | undefined): void {
    const ids = node?.historyIds();
    if (ids === undefined) {
      return;
    }
    const found = new Set(ids);
    const invented = ids.find((id) => !this.#ended.has(id));
    const gone = this.#hasCause ? [] : [...this.#known].filter((id) => !found.has(id));
    // Bounds take queries from the beginning.
    const isFull = this.#isBounded && (!this.#isBoundedByCountAlone || ids.length === this.#countMax);
    // One that a new incarnation has recovered ends a second time, behind those that are new.
    const firstNew = ids.findIndex((id) => !this.#known.has(id));
    const behind = new Set(firstNew < 0 ? [] : ids.slice(firstNew));
    const again = [...this.#known].filter((id) => behind.has(id));
    const oldest = new Set([...this.#known].slice(0, gone.length + again.length));
    const lost = gone.find((id) => !isFull || !(this.#isStepped || oldest.has(id)));
    this.#check(found.size === ids.length, () => `the history has ${ids.length} queries, of which ${found.size} are different ones`);
    this.#check(ids.length <= this.#countMax, () => `the history has ${ids.length} queries, of ${this.#countMax} allowed`);
    this.#check(invented === undefined, () => `the history has ${invented}, which has not ended`);
    this.#check(lost === undefined, () => `the history has lost ${lost}`);
    this.#known = found;
    this.#hasCause = false;
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#verdict, "safety", oracle, holds, sentence);
  }
}
