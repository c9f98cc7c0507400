/**
 * The parts of tables that this node keeps. A part lives until the coordinator's catalog says that its write is no more, or another life of the
 * coordinator, which knows nothing of it, makes itself known; and as long as someone reads it. Used by memory.ts.
 */
import type { MemoryContext } from "../../page/memory.ts";
import type { Chunk } from "./part-writer.ts";

/** A life of the coordinator's catalog. */
export interface Owner {
  readonly incarnation: string;
  readonly startedMillis: number;
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

export class PartStore {
  readonly #parts = new Map<string, Part>();
  #heard: LiveWrites | undefined;

  /** A part of a write that ended before its last sink did is freed at once. */
  add(options: PartOptions): void {
    this.#parts.set(options.id, new Part(options));
    if (this.#heard !== undefined && isGone(options, this.#heard)) {
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

  /** Frees what former lives of the coordinator left. */
  meet(owner: Owner): void {
    this.#dropWhere((part) => part.owner.incarnation !== owner.incarnation && part.owner.startedMillis <= owner.startedMillis);
  }

  keepOnly(live: LiveWrites): void {
    this.meet(live.owner);
    this.#dropWhere((part) => isGone(part, live));
    if (this.#heard?.owner.incarnation !== live.owner.incarnation || this.#heard.next <= live.next) {
      this.#heard = live;
    }
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
