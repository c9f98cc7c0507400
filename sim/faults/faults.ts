/**
 * Applies the faults of a plan to a cluster. Each starts at its time, or when there is work for it, and heals at its time.
 */
import { readBody } from "../checkers/protocol/bodies.ts";
import type { Fault, FaultKind } from "./registry.ts";
import { definitionOf } from "./registry.ts";
import { nanosPerSecond } from "../world/world.ts";
import type { FaultStage, Moment } from "./fault.ts";

export interface FaultReport {
  readonly kind: FaultKind;
  readonly text: string;
  /** Work was in flight at its places when it started. */
  readonly landed: boolean;
  readonly atNanos: number;
}

export function describeFault(fault: Fault): string {
  const at = (nanos: number): string => `${(nanos / 1e9).toFixed(3)}s`;
  return `${fault.kind} ${definitionOf(fault.kind).describe(fault)} ${at(fault.atNanos)}..${fault.permanent === true ? "for good" : at(fault.untilNanos)}${describeAim(fault)}`;
}

function describeAim({ atMoment, ...fault }: Fault): string {
  return `${atMoment === undefined ? "" : ` at ${atMoment}`}${describeDelay(fault)}`;
}

function describeDelay({ afterWorkNanos, afterWorkEvents }: Pick<Fault, "afterWorkNanos" | "afterWorkEvents">): string {
  if (afterWorkEvents !== undefined) {
    return ` aimed +${afterWorkEvents} events`;
  }
  return afterWorkNanos === undefined ? "" : ` aimed +${afterWorkNanos / 1e6}ms`;
}

/** Places that a fault affects. The fault lands if all of them have work. */
export function placesOf(fault: Fault): readonly string[] {
  return definitionOf(fault.kind).places(fault);
}

export interface FaultsOptions {
  readonly faults: readonly Fault[];
  /** End of every fault that is not permanent. */
  readonly healNanos: number;
  readonly stage: FaultStage;
  readonly onReport: (report: FaultReport) => void;
}

/** Maximum time to wait for a moment. */
const momentNanosMax = 2 * nanosPerSecond;

export class Faults {
  readonly #options: FaultsOptions;
  /** Aimed faults that wait for work. */
  readonly #armed = new Set<Fault>();
  /** Faults that wait for a moment of a query. */
  readonly #awaiting = new Set<Fault>();
  /** Number of events that remain until a fault starts at its place. */
  readonly #counting = new Map<Fault, number>();

  constructor(options: FaultsOptions) {
    this.#options = options;
    const { world } = options.stage;
    for (const fault of options.faults) {
      world.at(fault.atNanos, `fault ${fault.kind}`, () => {
        if (fault.atMoment !== undefined) {
          this.#awaiting.add(fault);
        } else if (fault.afterWorkNanos === undefined && fault.afterWorkEvents === undefined) {
          this.#strike(fault);
        } else {
          this.#armed.add(fault);
          this.poke();
        }
      });
      if (fault.atMoment !== undefined) {
        world.at(Math.min(fault.atNanos + momentNanosMax, options.healNanos - 1), `fault ${fault.kind}`, () => {
          if (this.#awaiting.delete(fault)) {
            this.#armed.add(fault);
            this.poke();
          }
        });
      }
      if (fault.permanent === true) {
        // A permanent fault starts even if its place never gets work.
        world.at(options.healNanos - 1, `fault ${fault.kind}`, () => {
          if (this.#armed.delete(fault) || this.#counting.delete(fault) || this.#awaiting.delete(fault)) {
            this.#strike(fault);
          }
        });
      }
    }
  }

  /** Called when a statement document has reached its client. */
  clientAnswered(body: Uint8Array): void {
    if (this.#awaiting.size === 0) {
      return;
    }
    const text = readBody(body).text();
    if (text.includes('"state":"QUEUED"')) {
      this.moment("queued");
    }
    if (text.includes('"data":') && text.includes('"nextUri":')) {
      this.moment("half read");
    }
  }

  /** Called when the moment has come for some query. Faults that wait for it start in an event of their own. */
  moment(moment: Moment): void {
    for (const fault of this.#awaiting) {
      if (fault.atMoment === moment) {
        this.#awaiting.delete(fault);
        this.#aim(fault);
      }
    }
  }

  /** Called whenever work may have begun somewhere. */
  poke(): void {
    for (const fault of this.#armed) {
      if (this.#hitsWork(fault)) {
        this.#armed.delete(fault);
        this.#aim(fault);
      }
    }
  }

  #aim(fault: Fault): void {
    const { world } = this.#options.stage;
    if (fault.afterWorkEvents !== undefined) {
      this.#counting.set(fault, fault.afterWorkEvents);
      world.onEventDone = (place) => this.#count(place);
    } else {
      world.at(world.nowNanos + (fault.afterWorkNanos ?? 0), `fault ${fault.kind}`, () => this.#strike(fault));
    }
  }

  #count(place: string): void {
    for (const [fault, left] of this.#counting) {
      if (placesOf(fault)[0] !== place) {
        continue;
      }
      if (left > 1) {
        this.#counting.set(fault, left - 1);
        continue;
      }
      this.#counting.delete(fault);
      this.#strike(fault);
    }
    if (this.#counting.size === 0) {
      this.#options.stage.world.onEventDone = undefined;
    }
  }

  #hitsWork(fault: Fault): boolean {
    return placesOf(fault).every((name) => this.#options.stage.target.isWorking(name));
  }

  #strike(fault: Fault): void {
    const { healNanos, stage, onReport } = this.#options;
    const { world } = stage;
    const untilNanos = Math.min(healNanos, world.nowNanos + fault.untilNanos - fault.atNanos);
    if (untilNanos <= world.nowNanos && fault.permanent !== true) {
      return;
    }
    const text = describeFault(fault);
    world.note("world", "fault", text);
    onReport({ kind: fault.kind, text, landed: this.#hitsWork(fault), atNanos: world.nowNanos });
    const heal = definitionOf(fault.kind).strike({ ...fault, untilNanos }, stage);
    if (fault.permanent !== true) {
      world.at(untilNanos, `heal ${fault.kind}`, () => {
        world.note("world", "heal", text);
        heal();
      });
    }
  }
}
