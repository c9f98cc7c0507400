/**
 * The lease of a directory: of the coordinators that share it, one at a time reads and writes it and answers clients. Each counts time with
 * its own monotonic clock only. The owner trusts a renewal for less than a lease from the moment at which it began to write it; the others
 * wait until they have seen the same content for a whole lease. So an owner stops before another one begins, unless the speeds of their
 * clocks differ by more than two thirds (decision 114).
 */
import { type Clock, type MonotonicNanos, sleep, type Timer } from "../../ports/clock.ts";
import type { Log } from "../../ports/ports.ts";
import type { Storage } from "../../ports/storage.ts";
import { messageOf } from "../../protocol/errors.ts";
import { sameBytes } from "../../types/bytes.ts";
import { type Epoch, LeaseFolder, type LeaseOwner } from "./lease-folder.ts";

export interface LeaseConfig {
  /** coordinator.lease.duration */
  readonly durationMs: number;
  /** The operating system's names of machine and process; empty if they are not known. */
  readonly process: string;
}

export interface LeaseOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the lease. */
  readonly storage: Storage;
  /** coordinator.lease.duration */
  readonly durationMs: number;
  readonly owner: () => LeaseOwner;
}

/** A renewal is trusted for this share of the lease. */
const trustedShare = 0.6;
const renewalsPerLease = 5;
const looksPerLease = 10;

type State = "waiting" | "held" | "lost" | "closed";

export class Lease {
  readonly #options: LeaseOptions;
  readonly #folder: LeaseFolder;
  /** Resolves to true when the lease is held for the first time, and to false if that never happens. */
  readonly acquired: Promise<boolean>;
  #resolveAcquired: (isOwner: boolean) => void = () => undefined;
  #state: State = "waiting";
  #epoch = 0;
  #firstEpoch = 0;
  #renewals = 0;
  #trustedUntilNanos = 0;
  #renewing: Promise<void> | undefined;
  #timer: Timer | undefined;
  #onLost: () => void = () => undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#folder = new LeaseFolder(options.storage, options.log);
    this.acquired = new Promise((resolve) => {
      this.#resolveAcquired = resolve;
    });
  }

  /** The epoch with which this coordinator began; files with its number are those that it writes. */
  get epoch(): number {
    return this.#firstEpoch;
  }

  /** This coordinator has been the owner, and another one is. */
  get isLost(): boolean {
    return this.#state === "lost";
  }

  get isHeld(): boolean {
    return this.#state === "held" && this.#now < this.#trustedUntilNanos;
  }

  /**
   * True if no other coordinator has owned the directory since this one does. Waits if that is not certain: the process was stopped, or the
   * disk is slow. False if the lease is lost, or the disk does not tell.
   */
  async held(): Promise<boolean> {
    if (this.isHeld) {
      return true;
    }
    if (this.#state === "held") {
      await this.#renew();
    }
    return this.isHeld;
  }

  /** Waits for the lease, however long that takes. `onLost`: another coordinator owns the directory now. Each is called once at most. */
  async acquire({ onAcquired, onLost }: { readonly onAcquired: () => void; readonly onLost: () => void }): Promise<void> {
    this.#onLost = onLost;
    void this.acquired.then((isOwner) => isOwner && onAcquired());
    const { clock, durationMs, log } = this.#options;
    let seen: Epoch | undefined;
    let seenNanos = this.#now;
    let isWaiting = false;
    while (this.#state === "waiting") {
      try {
        const beganNanos = this.#now;
        const latest = await this.#folder.latest();
        const isSame = seen !== undefined && latest !== undefined && isSameEpoch(seen, latest);
        if (!isSame) {
          seen = latest;
          seenNanos = this.#now;
        }
        const isFree = latest === undefined || latest.isReleased || (isSame && beganNanos - seenNanos >= durationMs * 1e6);
        if (isFree && (await this.#claim((latest?.number ?? 0) + 1))) {
          return;
        }
        if (!isFree && !isWaiting) {
          isWaiting = true;
          log.info("coordinator-stands-by", { epoch: latest.number });
        }
      } catch (error) {
        log.warn("lease-not-read", { error: messageOf(error) });
      }
      await sleep(clock, "lease-look", durationMs / looksPerLease);
    }
  }

  /** No effect once the lease is held. */
  stopWaiting(): void {
    if (this.#state === "waiting") {
      this.#state = "closed";
      this.#resolveAcquired(false);
    }
  }

  /** Gives the lease back, after the last write. */
  async close(): Promise<void> {
    this.stopWaiting();
    const wasHeld = this.isHeld;
    this.#timer?.cancel();
    if (!this.isLost) {
      this.#state = "closed";
    }
    await this.#renewing;
    if (wasHeld) {
      try {
        await this.#folder.release(this.#epoch);
      } catch (error) {
        this.#options.log.warn("lease-not-released", { error: messageOf(error) });
      }
    }
  }

  get #now(): MonotonicNanos {
    return this.#options.clock.monotonicNanos();
  }

  /** Returns false if another coordinator was faster. Throws StorageError. */
  async #claim(epoch: number): Promise<boolean> {
    const { durationMs, log, owner } = this.#options;
    const beganNanos = this.#now;
    if (!(await this.#folder.claim(epoch, owner())) || (this.#state !== "waiting" && this.#state !== "held")) {
      return false;
    }
    this.#epoch = epoch;
    this.#trustedUntilNanos = beganNanos + durationMs * trustedShare * 1e6;
    log.info("lease-acquired", { epoch });
    if (this.#state === "waiting") {
      this.#firstEpoch = epoch;
      this.#state = "held";
      this.#renewLater();
      this.#resolveAcquired(true);
    }
    void this.#folder.clear(epoch);
    return true;
  }

  #renewLater(): void {
    if (this.#state === "held") {
      this.#timer?.cancel();
      this.#timer = this.#options.clock.timer("lease-renewal", this.#options.durationMs / renewalsPerLease, () => void this.#renew());
    }
  }

  /** Never rejects. Several callers share a renewal. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewNow().finally(() => {
      this.#renewing = undefined;
      this.#renewLater();
    });
    return this.#renewing;
  }

  async #renewNow(): Promise<void> {
    const { durationMs, log } = this.#options;
    const beganNanos = this.#now;
    try {
      if (beganNanos < this.#trustedUntilNanos) {
        this.#renewals += 1;
        // The clock of a machine that was suspended may have stood still.
        const isLatest = await this.#folder.renew(this.#epoch, this.#renewals);
        // A renewal that was trusted no more when it was written may have come too late for the others.
        if (isLatest && this.#now < this.#trustedUntilNanos) {
          this.#trustedUntilNanos = beganNanos + durationMs * trustedShare * 1e6;
          return;
        }
      }
      // The next epoch is free only if nobody has taken over.
      if (this.#state === "held" && !(await this.#claim(this.#epoch + 1))) {
        this.#lose();
      }
    } catch (error) {
      log.warn("lease-not-renewed", { error: messageOf(error) });
    }
  }

  #lose(): void {
    if (this.#state === "held") {
      this.#state = "lost";
      this.#options.log.error("lease-lost", { epoch: this.#epoch });
      this.#onLost();
    }
  }
}

function isSameEpoch(one: Epoch, other: Epoch): boolean {
  return one.number === other.number && one.isReleased === other.isReleased && sameBytes(one.renewals, other.renewals);
}
