/** The heartbeats of a coordinator by the node that was asked. They become more, and begin again with the coordinator. */
import type { Heartbeat } from "./decay.ts";

export class BeatsByUri {
  readonly #byUri = new Map<string, Heartbeat[]>();
  #first: Heartbeat | undefined;
  #count = 0;

  of(heartbeats: readonly Heartbeat[]): ReadonlyMap<string, readonly Heartbeat[]> {
    if (heartbeats[0] !== this.#first) {
      this.#byUri.clear();
      this.#first = heartbeats[0];
      this.#count = 0;
    }
    for (; this.#count < heartbeats.length; this.#count++) {
      const beat = heartbeats[this.#count] as Heartbeat;
      const known = this.#byUri.get(beat.uri);
      if (known === undefined) {
        this.#byUri.set(beat.uri, [beat]);
      } else {
        known.push(beat);
      }
    }
    return this.#byUri;
  }
}
