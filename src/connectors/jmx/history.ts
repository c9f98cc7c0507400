/** Samples of beans that a node takes at an interval and keeps in memory, the newest ones. */
import type { Clock, Timer } from "../../ports/clock.ts";
import type { BeanProvider, BeanSample } from "./beans.ts";

export interface HistoryOptions {
  readonly provider: BeanProvider;
  readonly clock: Clock;
  readonly isSampled: (objectName: string) => boolean;
  readonly periodMs: number;
  /** Samples of a bean that are kept. */
  readonly entriesMax: number;
}

export class BeanHistory {
  readonly #options: HistoryOptions;
  /** By object name, the oldest sample first. */
  readonly #samples = new Map<string, BeanSample[]>();
  #timer: Timer | undefined;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#schedule();
  }

  samples(objectNames: readonly string[]): readonly BeanSample[] {
    return objectNames.flatMap((name) => this.#samples.get(name) ?? []);
  }

  close(): void {
    this.#timer?.cancel();
    this.#samples.clear();
  }

  #schedule(): void {
    const { clock, periodMs } = this.#options;
    this.#timer = clock.timer("jmx-dump", periodMs, () => {
      this.#sample();
      this.#schedule();
    });
  }

  #sample(): void {
    const { clock, entriesMax, isSampled, provider } = this.#options;
    const at = clock.wallMillis();
    for (const [objectName, values] of provider.read()) {
      if (!isSampled(objectName)) {
        continue;
      }
      const kept = this.#samples.get(objectName) ?? [];
      kept.push({ objectName, at, values });
      kept.splice(0, kept.length - entriesMax);
      this.#samples.set(objectName, kept);
    }
  }
}
