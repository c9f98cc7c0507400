/**
 * The links between places: which are cut or clogged, and which messages overtake others. A message enters a link at its arrival time; the
 * link decides whether and when it is delivered.
 */
import type { Undo } from "./afflicted.ts";
import { nanosPerMs, type World } from "./world.ts";

/** Longest time for which a message waits to be overtaken. */
const overtakenNanosMax = 2_000 * nanosPerMs;

interface Link {
  /** Number of faults that currently cut the link; `clogs` likewise. */
  cuts: number;
  clogs: number;
  /** Messages that a clogged link holds back, in arrival order. */
  pile: (() => void)[];
  /** Messages that wait until a later message has arrived. */
  readonly held: Held[];
  sent: number;
  /** Highest message number that has arrived. */
  arrived: number;
}

interface Held {
  readonly number: number;
  release(): void;
}

export interface Crossing {
  /** Number that `send` assigned when the message was sent. */
  readonly number: number;
  readonly overtaken: boolean;
  readonly arrive: () => void;
  /** Called if the link is cut. */
  readonly drop: () => void;
}

export class Links {
  readonly #world: World;
  readonly #links = new Map<string, Link>();
  /** Called when a message arrives before one that was sent earlier on the same link. */
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

  /** Holds back all messages and delivers them in one burst when the last clog ends. */
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

  /** Registers a sent message and returns its number on the link. */
  send(from: string, to: string): number {
    return this.#link(from, to).sent++;
  }

  /** Processes a message at the end of its latency. */
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
