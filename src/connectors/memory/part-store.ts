/**
 * The parts of tables that this node keeps. A part is freed in one of two cases:
 *
 * - The coordinator's catalog reports that its write is gone.
 * - A new incarnation of the coordinator, which does not know the part, has replaced the old one.
 *
 * A part that is being read stays until the reader is done.
 *
 * Messages cannot show which of two incarnations is the later one: they may arrive late, and clocks may go back. So this node asks the
 * coordinator. The answer is newer than the question. Hence every part that was here before the question and belongs to another incarnation
 * is of an earlier one.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import { type Json, MalformedCall } from "../spi.ts";
import type { Chunk } from "./part-writer.ts";

/** One incarnation of the coordinator's catalog. */
export interface Owner {
  readonly incarnation: string;
  /** Node id of the coordinator. */
  readonly nodeId: string;
}

/** The coordinator's live writes: a write below `next` that is in no range of `live` (first and last number) is gone. */
export interface LiveWrites {
  readonly owner: Owner;
  readonly next: number;
  readonly live: readonly (readonly [number, number])[];
}

/** Parses a request of another instance. Throws MalformedCall. */
export function readLiveWrites(request: Json): LiveWrites {
  const { owner, next, live } = membersOf(request, "the call");
  const { incarnation, nodeId } = membersOf(owner ?? null, "owner");
  if (typeof incarnation !== "string" || typeof nodeId !== "string") {
    throw new MalformedCall("owner.incarnation and owner.nodeId must be strings");
  }
  if (!isWriteNumber(next)) {
    throw new MalformedCall("next must be the number of a write");
  }
  if (!Array.isArray(live)) {
    throw new MalformedCall("live must be an array");
  }
  const ranges = (live as readonly Json[]).map((range): readonly [number, number] => {
    const [first, last, ...more] = Array.isArray(range) ? (range as readonly Json[]) : [];
    if (!isWriteNumber(first) || !isWriteNumber(last) || more.length > 0) {
      throw new MalformedCall("live must hold pairs of the numbers of writes");
    }
    return [first, last];
  });
  return { owner: { incarnation, nodeId }, next, live: ranges };
}

function membersOf(value: Json, what: string): { readonly [key: string]: Json } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new MalformedCall(`${what} must be an object`);
  }
  return value as { readonly [key: string]: Json };
}

function isWriteNumber(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export interface PartOptions {
  readonly id: string;
  readonly owner: Owner;
  readonly write: number;
  readonly columnNames: readonly string[];
  readonly chunks: readonly Chunk[];
  /** Holds all memory of the part; closed when the part is freed. */
  readonly memory: MemoryContext;
}

/** A part that is in use stays, even if its table is dropped. */
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

/** Asks a coordinator for the current incarnation of its catalog; rejects if there is no answer. */
export type AskOwner = (nodeId: string) => Promise<string>;

export class PartStore {
  readonly #askOwner: AskOwner;
  readonly #parts = new Map<string, Part>();
  /** The latest live writes of each incarnation. */
  readonly #heard = new Map<string, LiveWrites>();
  #asking = false;

  constructor(askOwner: AskOwner) {
    this.#askOwner = askOwner;
  }

  /** If the write ended before its last sink, the part is freed at once. */
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

  /** Asks the coordinator for its incarnation and then frees the parts of earlier ones. Rejects if there is no answer. */
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

  /** Coordinators whose catalogs own the parts. */
  ownerNodes(): readonly string[] {
    return [...new Set([...this.#parts.values()].map(({ owner }) => owner.nodeId))];
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
