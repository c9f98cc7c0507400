/**
 * Revocation of memory: when a query or the node comes near its limit, the operator with the largest revocable memory writes it to disk. An
 * operator asks before it grows, so that it can wait for another one, or write its own memory.
 */
import type { MemoryContext } from "../../memory/memory.ts";

export interface Revocable {
  readonly memory: MemoryContext;
  /** Bytes that it would free now. */
  readonly revocableBytes: number;
  /** It writes its memory to disk, or reads it back: others may wait until it is done. */
  readonly isSpilling: boolean;
  /** Begins to write its memory to disk, if it has not begun. Resolves once the memory is free; does not reject. */
  revoke(): Promise<void>;
}

/** All operators of a node that can spill. */
export class MemoryRevoker {
  /** In order of creation, which breaks ties. */
  #operators = new Set<Revocable>();

  add(operator: Revocable): void {
    this.#operators.add(operator);
  }

  remove(operator: Revocable): void {
    this.#operators.delete(operator);
    if (this.#operators.size === 0) {
      // A set that is used on keeps its former members until a full collection (docs/performance.md, "Warm-up").
      this.#operators = new Set();
    }
  }

  get count(): number {
    return this.#operators.size;
  }

  /** The operator within the context that would free most; undefined if none would free anything. */
  largest(within: MemoryContext): Revocable | undefined {
    let largest: Revocable | undefined;
    let bytes = 0;
    for (const operator of this.#operators) {
      const own = operator.revocableBytes;
      if (own > bytes && operator.memory.isWithin(within)) {
        largest = operator;
        bytes = own;
      }
    }
    return largest;
  }
}

/** An operator with less is not worth a file, unless there is no room at all. */
export const worthwhileBytesMin = 1_048_576;

/**
 * Asks on behalf of a driver: if a limit is nearly reached and an operator can make room, resolves once it has. Its own operators ask for
 * themselves: waiting for one of them it would wait for itself.
 */
export function roomFor(
  memory: MemoryContext,
  revoker: MemoryRevoker | undefined,
  isOwn: (operator: Revocable) => boolean,
): Promise<void> | undefined {
  if (revoker === undefined || revoker.count === 0) {
    return undefined;
  }
  const near = memory.nearLimit(0);
  const largest = near === undefined ? undefined : revoker.largest(near);
  const isWorthwhile = largest !== undefined && largest.revocableBytes >= worthwhileBytesMin && !isOwn(largest);
  return isWorthwhile ? largest.revoke() : undefined;
}

/** Whether an operator that works on what it has spilled should not take so many more bytes. */
export function isTight(memory: MemoryContext, bytes: number): boolean {
  if (memory.reservedBytes + bytes > memory.knobs.value("revocable-bytes")) {
    return true;
  }
  const isNear = memory.nearLimit(bytes) !== undefined;
  return isNear && (memory.reservedBytes >= worthwhileBytesMin || memory.availableBytes < bytes);
}
