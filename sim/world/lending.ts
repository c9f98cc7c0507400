/**
 * Answers that are lent, as between nodes on threads of one process. Each part that a requester gets is memory of the lender: it is
 * overwritten when the requester releases it, so that a part which is read afterwards is rubbish, and releasing it twice ends the run.
 * Every message is still encoded, observed and delayed as over a connection.
 */
import { type HttpResponse, type LentBytes, noBody } from "../../src/ports/network.ts";
import type { NamedDraws } from "./named-draws.ts";
import type { Incarnation } from "./world.ts";

/** The parts of an answer that a node of the same process would lend; undefined if it has no such parts. */
export type PartsOf = (response: HttpResponse) => readonly Uint8Array[] | undefined;

const rubbish = 0xa5;
/** Part of the pairs of places, in percent. */
const oneProcessPercent = 60;

export class Lending {
  readonly #draws: NamedDraws;
  readonly #partsOf: PartsOf;
  /** Whether two places are nodes of one process. */
  readonly #pairs = new Map<string, boolean>();
  /** Parts that are not released. A dead requester has none. */
  readonly #lent = new Map<Incarnation, number>();

  /** It is drawn which places are nodes of one process. */
  constructor(draws: NamedDraws, partsOf: PartsOf) {
    this.#draws = draws;
    this.#partsOf = partsOf;
  }

  answer(requester: Incarnation, lender: string, response: HttpResponse): HttpResponse {
    const parts = this.#areOneProcess(requester.place, lender) ? this.#partsOf(response) : undefined;
    if (parts === undefined) {
      return response;
    }
    return { ...response, body: noBody, lent: parts.map((part) => this.#lend(requester, part)) };
  }

  /** Number of parts that the place has not released. */
  lentTo(place: string): number {
    let sum = 0;
    for (const [incarnation, count] of this.#lent) {
      sum += incarnation.alive && incarnation.place === place ? count : 0;
    }
    return sum;
  }

  #areOneProcess(one: string, other: string): boolean {
    const pair = one < other ? `${one} ${other}` : `${other} ${one}`;
    let drawn = this.#pairs.get(pair);
    if (drawn === undefined) {
      drawn = this.#draws.of(pair).chance(oneProcessPercent, 100, "one process");
      this.#pairs.set(pair, drawn);
    }
    return drawn;
  }

  #lend(requester: Incarnation, part: Uint8Array): LentBytes {
    const bytes = part.slice();
    let isReleased = false;
    this.#change(requester, 1);
    return {
      bytes,
      release: () => {
        if (isReleased) {
          throw new Error("bytes that were lent are released twice");
        }
        isReleased = true;
        bytes.fill(rubbish);
        this.#change(requester, -1);
      },
    };
  }

  #change(requester: Incarnation, by: number): void {
    const count = (this.#lent.get(requester) ?? 0) + by;
    if (count === 0) {
      this.#lent.delete(requester);
    } else {
      this.#lent.set(requester, count);
    }
  }
}
