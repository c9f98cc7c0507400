/**
 * The links between places: what is cut, what is clogged, and who overtakes whom. Messages come here when they would arrive; here it is decided whether and when
 * they do.
 */
import type { Undo } from "./afflicted.ts";
import { nanosPerMs, type World } from "./world.ts";

/** A message that waits to be overtaken waits no longer than this. */
const overtakenNanosMax = 2_000 * nanosPerMs;

interface Link {
  /** How many faults hold it cut, and clogged. */
  cuts: number;
  clogs: number;
  /** What a clogged link holds back, in the order in which it would have arrived. */
  pile: (() => void)[];
  /** Messages that wait for a later one to arrive first. */
  readonly held: Held[];
  sent: number;
  /** Highest number that has arrived. */
  arrived: number;
}

interface Held {
  readonly number: number;
  release(): void;
}

export interface Crossing {
  /** By `send`, when it was sent. */
  readonly number: number;
  readonly overtaken: boolean;
  readonly arrive: () => void;
  /** The link is cut. */
  readonly drop: () => void;
}

export class Links {
  readonly #world: World;
  readonly #links = new Map<string, Link>();
  /** Told when a message arrives before one that was sent earlier on the same link. */
  readonly #onReordered: () => void;

  constructor(world: World, onReordered: () => void) {
    this.#world = world;
    this.#onReordered = onReordered;
  }

  isCut(from: string, to: string): boolean {
    return (this.#links.get(`${from}>${to}`)?.cuts ?? 0) > 0;
  }

  cut(from: string, to: string): Undo {
    const link = this.#link(from, to);
    link.cuts++;
    return once(() => link.cuts--);
  }

  /** Everything waits, and comes in one burst when the last clog ends. */
  clog(from: string, to: string): Undo {
    const link = this.#link(from, to);
    link.clogs++;
    return once(() => {
      link.clogs--;
      if (link.clogs === 0) {
        for (const arrive of link.pile.splice(0)) {
          this.#world.at(this.#world.nowNanos, "unclogged", arrive);
        }
      }
    });
  }

  /** A message sets out; its number among those of the link. */
  send(from: string, to: string): number {
    return this.#link(from, to).sent++;
  }

  /** A message is at the far end of its latency. */
  cross(from: string, to: string, crossing: Crossing): void {
    const link = this.#link(from, to);
    const { number, arrive, drop } = crossing;
    const arriveNow = (): void => {
      if (link.cuts > 0) {
        drop();
        return;
      }
      if (link.clogs > 0) {
        link.pile.push(arriveNow);
        return;
      }
      if (number < link.arrived) {
        this.#onReordered();
      }
      link.arrived = Math.max(link.arrived, number);
      arrive();
      this.#letGo(link, number);
    };
    if (crossing.overtaken && number >= link.arrived) {
      this.#hold(link, number, arriveNow);
    } else {
      arriveNow();
    }
  }

  #hold(link: Link, number: number, arrive: () => void): void {
    const release = once(() => this.#world.at(this.#world.nowNanos, "overtaken", arrive));
    const held: Held = { number, release };
    link.held.push(held);
    this.#world.at(this.#world.nowNanos + overtakenNanosMax, "not overtaken", () => {
      const index = link.held.indexOf(held);
      if (index >= 0) {
        link.held.splice(index, 1);
        release();
      }
    });
  }

  #letGo(link: Link, number: number): void {
    for (const held of link.held.filter((one) => one.number < number)) {
      link.held.splice(link.held.indexOf(held), 1);
      held.release();
    }
  }

  #link(from: string, to: string): Link {
    const name = `${from}>${to}`;
    let link = this.#links.get(name);
    if (link === undefined) {
      link = { cuts: 0, clogs: 0, pile: [], held: [], sent: 0, arrived: -1 };
      this.#links.set(name, link);
    }
    return link;
  }
}

function once(act: () => void): Undo {
  let done = false;
  return () => {
    if (!done) {
      done = true;
      act();
    }
  };
}
