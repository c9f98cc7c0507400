/**
 * Bytes that a node lends to another thread of its process: views of shared memory, and a flag for each loan in shared memory as well. The
 * borrower clears the flag; the lender looks at the flags of its loans and takes back what is returned. No message is needed, and a thread
 * that dies leaves nothing: the end of its channel returns all that it had.
 */
import type { LentBytes } from "../../ports/network.ts";

/** Most loans of one channel in one direction. Beyond it, bytes are copied. */
const loansMax = 4096;
/** How long a loan may be returned before it is noticed, in milliseconds, if the channel is silent. */
const lookMs = 100;
const copied = -1;

/** Loans as they travel. */
export interface CarriedLoans {
  readonly parts: readonly Uint8Array[];
  /** The flag of each part; -1 if the part was copied. */
  readonly flags: readonly number[];
  /** All flags of the lender's channel, 1 while lent. */
  readonly memory: Int32Array;
}

/** The loans of one channel. */
export class Lender {
  readonly #flags = new Int32Array(new SharedArrayBuffer(4 * loansMax));
  readonly #free: number[] = [];
  readonly #loans = new Map<number, LentBytes>();
  #next = 0;
  #timer: NodeJS.Timeout | undefined;

  lend(parts: readonly LentBytes[]): CarriedLoans {
    this.#takeBack();
    const flags = parts.map((part) => this.#lend(part));
    this.#timer ??= this.#loans.size === 0 ? undefined : this.#look();
    return { parts: parts.map(({ bytes }) => bytes), flags, memory: this.#flags };
  }

  /** Called once the loans are on their way: the message has a copy of what is not lent. */
  sent(parts: readonly LentBytes[], { flags }: CarriedLoans): void {
    flags.forEach((flag, index) => {
      if (flag === copied) {
        parts[index]?.release();
      }
    });
  }

  /** The borrower has ended. */
  close(): void {
    clearTimeout(this.#timer);
    for (const loan of this.#loans.values()) {
      loan.release();
    }
    this.#loans.clear();
  }

  #lend(part: LentBytes): number {
    const flag = part.bytes.buffer instanceof SharedArrayBuffer ? this.#freeFlag() : copied;
    if (flag !== copied) {
      Atomics.store(this.#flags, flag, 1);
      this.#loans.set(flag, part);
    }
    return flag;
  }

  #freeFlag(): number {
    return this.#free.pop() ?? (this.#next < loansMax ? this.#next++ : copied);
  }

  #takeBack(): void {
    for (const [flag, loan] of this.#loans) {
      if (Atomics.load(this.#flags, flag) === 0) {
        this.#loans.delete(flag);
        this.#free.push(flag);
        loan.release();
      }
    }
  }

  #look(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#takeBack();
      this.#timer = this.#loans.size === 0 ? undefined : this.#look();
    }, lookMs);
    return timer.unref();
  }
}

/** The parts as the borrower has them. */
export function borrowed({ flags, memory, parts }: CarriedLoans): readonly LentBytes[] {
  return parts.map((bytes, index) => {
    const flag = flags[index] as number;
    return { bytes, release: () => (flag === copied ? undefined : void Atomics.store(memory, flag, 0)) };
  });
}
