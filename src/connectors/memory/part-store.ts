/**
 * The parts of tables that this node keeps. A part lives until the coordinator's catalog says that its write is no more, or that another life of the
 * coordinator, which knows nothing of it, has come; and as long as someone reads it. Used by memory.ts.
 *
 * Which of two lives is the later one, no message of theirs can say: messages come late, and clocks go back. Hence the coordinator is asked. What it answers, it was
 * after the question had been sent, so every part that was here before and is of another life is of a former one.
 */
import type { MemoryContext } from "../../page/memory.ts";
import type { Chunk } from "./part-writer.ts";

/** A life of the coordinator's catalog. */
export interface Owner {
  readonly incarnation: string;
  /** Of the coordinator. */
  readonly nodeId: string;
}

/** What the coordinator says of its writes: those below `next` that are in no range of `live` (first and last number) are gone. */
export interface LiveWrites {
  readonly owner: Owner;
  readonly next: number;
  readonly live: readonly (readonly [number, number])[];
}

export interface PartOptions {
  readonly id: string;
  readonly owner: Owner;
  readonly write: number;
  readonly columnNames: readonly string[];
  readonly chunks: readonly Chunk[];
  /** Holds all of the part; closed when it goes. */
  readonly memory: MemoryContext;
}

/** While it is held it stays, even when its table is dropped. */
export class Part {
  readonly owner: Owner;
  readonly write: number;
  readonly columnNames: readonly string[];
  readonly chunks: readonly Chunk[];
  readonly #memory: MemoryContext;
  #holders = 0;
  #dropped = false;

  constructor(options: PartOptions) {
    this.owner = options.owner;
    this.write = options.write;
    this.columnNames = options.columnNames;
    this.chunks = options.chunks;
    this.#memory = options.memory;
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    this.#holders--;
    this.#freeUnused();
  }

  drop(): void {
    this.#dropped = true;
    this.#freeUnused();
  }

  #freeUnused(): void {
    if (this.#dropped && this.#holders === 0) {
      this.#memory.close();
    }
  }
}

/** The life that a coordinator's catalog is in now; rejects when it does not say. */
export type AskOwner = (nodeId: string) => Promise<string>;

export class PartStore {
  readonly #askOwner: AskOwner;
  readonly #parts = new Map<string, Part>();
  /** The latest that each life has said. */
  readonly #heard = new Map<string, LiveWrites>();
  #asking = false;

  constructor(askOwner: AskOwner) {
    this.#askOwner = askOwner;
  }

  /** A part of a write that ended before its last sink did is freed at once. */
  add(options: PartOptions): void {
    this.#parts.set(options.id, new Part(options));
    const heard = this.#heard.get(options.owner.incarnation);
    if (heard !== undefined && isGone(options, heard)) {
      this.drop(options.id);
    }
  }

  get(id: string): Part | undefined {
    return this.#parts.get(id);
  }

  drop(id: string): void {
    this.#parts.get(id)?.drop();
    this.#parts.delete(id);
  }

  /** Frees what former lives of the coordinator left, once it has said which life it is in. Resolves then; rejects when it does not say. */
  async meet(owner: Owner): Promise<void> {
    const isOfAnother = (other: string): boolean => other !== owner.incarnation;
    if (this.#asking || ![...this.#heard.keys(), ...this.#incarnations()].some(isOfAnother)) {
      return;
    }
    this.#asking = true;
    const before = [...this.#parts.values()];
    const heardBefore = [...this.#heard.keys()];
    try {
      const incarnation = await this.#askOwner(owner.nodeId);
      this.#dropWhere((part) => part.owner.incarnation !== incarnation && before.includes(part));
      for (const former of heardBefore.filter((other) => other !== incarnation)) {
        this.#heard.delete(former);
      }
    } finally {
      this.#asking = false;
    }
  }

  keepOnly(live: LiveWrites): void {
    this.#dropWhere((part) => isGone(part, live));
    const { incarnation } = live.owner;
    if ((this.#heard.get(incarnation)?.next ?? 0) <= live.next) {
      this.#heard.set(incarnation, live);
    }
  }

  #incarnations(): readonly string[] {
    return [...this.#parts.values()].map((part) => part.owner.incarnation);
  }

  #dropWhere(gone: (part: Part) => boolean): void {
    for (const [id, part] of this.#parts) {
      if (gone(part)) {
        this.drop(id);
      }
    }
  }
}

function isGone({ owner, write }: { readonly owner: Owner; readonly write: number }, heard: LiveWrites): boolean {
  return (
    owner.incarnation === heard.owner.incarnation &&
    write < heard.next &&
    !heard.live.some(([first, last]) => write >= first && write <= last)
  );
}
