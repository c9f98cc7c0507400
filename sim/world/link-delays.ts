/** Extra latency of single links, on top of the conditions of all links. */
import { Afflicted, type Undo } from "./afflicted.ts";
import type { LinkConditions } from "./fates.ts";

export class LinkDelays {
  readonly #extraNanos = new Map<string, Afflicted<number>>();

  delay(from: string, to: string, nanos: number): Undo {
    const link = `${from}>${to}`;
    const extra = this.#extraNanos.get(link) ?? new Afflicted(0);
    this.#extraNanos.set(link, extra);
    return extra.change((sum) => sum + nanos);
  }

  apply(from: string, to: string, conditions: LinkConditions): LinkConditions {
    const extra = this.#extraNanos.get(`${from}>${to}`)?.value ?? 0;
    const { latencyNanosMin, latencyNanosMax } = conditions;
    return extra === 0 ? conditions : { ...conditions, latencyNanosMin: latencyNanosMin + extra, latencyNanosMax: latencyNanosMax + extra };
  }
}
