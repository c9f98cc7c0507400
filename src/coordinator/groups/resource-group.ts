/**
 * One resource group: its limits, the queries that run and wait in it, and the numbers of all groups below it. Decides whether a query may
 * start, and which is next by the group's policy. It starts nothing: resource-groups.ts does.
 */
import type { RandomStream } from "../../ports/random.ts";
import { QuotaAccount } from "./quota.ts";
import type { GroupLimits, GroupTemplate } from "./specification.ts";

/** A query that asks for a slot. */
export interface Candidate {
  readonly id: string;
  /** Bytes that the query holds while it is queued. */
  readonly bytes: number;
  /** Session property query_priority. */
  readonly priority: number;
  /** A former incarnation of the coordinator has accepted the query, so a full queue does not refuse it. */
  readonly isResumed?: boolean;
  /** Of the query's tasks so far. */
  readonly usage: () => Usage;
  /** Called when the query gets a slot. */
  readonly admitted: () => void;
}

export interface Usage {
  readonly memoryBytes: number;
  readonly cpuNanos: number;
  /** What its scans have read. */
  readonly scanBytes: number;
}

/** Why a group starts no query now. */
export type GroupObstacle = "concurrency" | "memory" | "cpu" | "scan";

export type GroupState = "CAN_RUN" | "CAN_QUEUE" | "FULL";

interface Running {
  readonly candidate: Candidate;
  /** CPU time and scanned bytes of the query that the group's accounts have. */
  countedNanos: number;
  countedBytes: number;
}

export class ResourceGroup {
  readonly id: readonly string[];
  readonly parent: ResourceGroup | undefined;
  readonly template: readonly string[];
  readonly children: Map<string, ResourceGroup> = new Map<string, ResourceGroup>();
  readonly queue: Map<string, Candidate> = new Map<string, Candidate>();
  readonly running: Map<string, Running> = new Map<string, Running>();
  limits: GroupLimits;
  /** Groups below in which queries wait. */
  readonly #waiting = new Set<ResourceGroup>();
  /** Those of them that could start a query when `settle` was last called, in the order of their turns. */
  readonly #turns = new Set<ResourceGroup>();
  readonly #memoryBytes: () => number;
  #queuedCount = 0;
  #runningCount = 0;
  #usedBytes = 0;
  readonly #cpu = new QuotaAccount();
  readonly #scan = new QuotaAccount();

  /** `memoryBytes`: memory of all nodes. */
  constructor(options: {
    readonly name: string;
    readonly parent: ResourceGroup | undefined;
    readonly template: GroupTemplate;
    readonly memoryBytes: () => number;
  }) {
    const { memoryBytes, name, parent, template } = options;
    this.id = [...(parent?.id ?? []), name];
    this.parent = parent;
    this.template = [...(parent?.template ?? []), template.name];
    this.limits = template.limits;
    this.#memoryBytes = memoryBytes;
  }

  /** Queries that wait here and below. */
  get queuedCount(): number {
    return this.#queuedCount;
  }

  get runningCount(): number {
    return this.#runningCount;
  }

  /** Of the running queries here and below, when it was last measured. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** CPU time that has not been given back yet. */
  get cpuNanos(): number {
    return this.#cpu.used;
  }

  /** Scanned bytes that have not been given back yet. */
  get scanBytes(): number {
    return this.#scan.used;
  }

  get isEmpty(): boolean {
    return [this.#queuedCount, this.#runningCount, this.children.size, this.cpuNanos, this.scanBytes].every((amount) => amount === 0);
  }

  /** This group and those above it, from the leaf to the root. */
  get chain(): readonly ResourceGroup[] {
    return [this, ...(this.parent?.chain ?? [])];
  }

  get memoryLimitBytes(): number {
    const { memory } = this.limits;
    return memory === undefined ? Number.POSITIVE_INFINITY : "share" in memory ? memory.share * this.#memoryBytes() : memory.bytes;
  }

  get state(): GroupState {
    return this.obstacle === undefined ? "CAN_RUN" : this.canQueue ? "CAN_QUEUE" : "FULL";
  }

  get canQueue(): boolean {
    return this.#queuedCount < this.limits.queuedMax;
  }

  /** Undefined if the group may start a query. Groups above it are not asked. */
  get obstacle(): GroupObstacle | undefined {
    if (this.#cpu.isExhausted(this.limits.cpu)) {
      return "cpu";
    }
    if (this.#scan.isExhausted(this.limits.scan)) {
      return "scan";
    }
    if (this.#usedBytes > this.memoryLimitBytes) {
      return "memory";
    }
    return this.#runningCount < this.#runningMax ? undefined : "concurrency";
  }

  /** Fewer between the soft and the hard limit of CPU time, but at least one. */
  get #runningMax(): number {
    const { cpu, runningMax } = this.limits;
    const excess = this.#cpu.excess(cpu);
    return excess === undefined ? runningMax : Math.max(1, Math.min(runningMax - 1, Math.floor(runningMax * (1 - excess))));
  }

  /** Groups below that could start a query now. */
  get eligibleChildren(): readonly ResourceGroup[] {
    return [...this.#turns].filter((child) => child.#isEligible);
  }

  /**
   * Gives the last turns to groups below that have become able to start a query. As in Trino, a group that its own limit holds back has no
   * turn meanwhile. Called after each change, before `next`.
   */
  settle(): void {
    for (const child of this.#waiting) {
      child.settle();
      if (!child.#isEligible) {
        this.#turns.delete(child);
      } else {
        this.#turns.add(child);
      }
    }
  }

  get #isEligible(): boolean {
    return this.#queuedCount > 0 && this.obstacle === undefined && (this.queue.size > 0 || this.eligibleChildren.length > 0);
  }

  enqueue(candidate: Candidate): void {
    this.queue.set(candidate.id, candidate);
    for (const group of this.chain) {
      group.#queuedCount += 1;
      if (group.parent !== undefined) {
        group.parent.#waiting.add(group);
      }
    }
  }

  dequeue(id: string): Candidate | undefined {
    const candidate = this.queue.get(id);
    if (this.queue.delete(id)) {
      for (const group of this.chain) {
        group.#queuedCount -= 1;
        if (group.#queuedCount === 0 && group.parent !== undefined) {
          group.parent.#waiting.delete(group);
          group.parent.#turns.delete(group);
        }
      }
    }
    return candidate;
  }

  begin(candidate: Candidate): void {
    this.running.set(candidate.id, { candidate, countedNanos: 0, countedBytes: 0 });
    for (const group of this.chain) {
      group.#runningCount += 1;
    }
  }

  /** Whether the query ran here. `measures`: what it has used is counted. */
  end(id: string, measures: boolean): boolean {
    const running = this.running.get(id);
    if (running === undefined) {
      return false;
    }
    if (measures) {
      this.#count(running);
    }
    this.running.delete(id);
    for (const group of this.chain) {
      group.#runningCount -= 1;
    }
    return true;
  }

  /** Removes and returns the next query by the policies, or undefined if none may start. */
  next(random: RandomStream): { readonly group: ResourceGroup; readonly candidate: Candidate } | undefined {
    if (this.#queuedCount === 0 || this.obstacle !== undefined) {
      return undefined;
    }
    const own = this.#ownNext(random);
    if (own !== undefined) {
      this.dequeue(own.id);
      return { group: this, candidate: own };
    }
    const child = this.#childNext(random);
    const found = child?.next(random);
    if (child !== undefined && this.#turns.delete(child) && child.#queuedCount > 0) {
      // Its next turn comes after those of its peers.
      this.#turns.add(child);
    }
    return found;
  }

  /** Takes the usage of the running queries here and below. Returns the bytes. */
  measure(): number {
    let bytes = 0;
    for (const running of this.running.values()) {
      bytes += this.#count(running);
    }
    for (const child of this.children.values()) {
      bytes += child.measure();
    }
    this.#usedBytes = bytes;
    return bytes;
  }

  /** Gives quota back for the time that has passed. */
  replenish(nanos: number): void {
    this.#cpu.replenish(nanos, this.limits.cpu);
    this.#scan.replenish(nanos, this.limits.scan);
  }

  /** Charges what the query has used and no group has counted yet. Returns the bytes that it holds. */
  #count(running: Running): number {
    const { cpuNanos, memoryBytes, scanBytes } = running.candidate.usage();
    const moreNanos = Math.max(0, cpuNanos - running.countedNanos);
    const moreBytes = Math.max(0, scanBytes - running.countedBytes);
    running.countedNanos += moreNanos;
    running.countedBytes += moreBytes;
    for (const group of this.chain) {
      group.#cpu.charge(moreNanos, group.limits.cpu);
      group.#scan.charge(moreBytes, group.limits.scan);
    }
    return memoryBytes;
  }

  #ownNext(random: RandomStream): Candidate | undefined {
    const waiting = [...this.queue.values()];
    switch (this.limits.policy) {
      case "query_priority":
        return waiting.reduce<Candidate | undefined>(
          (best, one) => (best === undefined || one.priority > best.priority ? one : best),
          undefined,
        );
      case "weighted":
        return drawn(waiting, ({ priority }) => priority, random);
      default:
        return waiting[0];
    }
  }

  #childNext(random: RandomStream): ResourceGroup | undefined {
    const eligible = this.eligibleChildren;
    const modest = eligible.filter((child) => child.#runningCount < child.limits.runningSoftMax);
    const able = modest.length > 0 ? modest : eligible;
    switch (this.limits.policy) {
      case "query_priority":
        return least(able, (child) => -child.#bestPriority);
      case "weighted":
        return drawn(able, ({ limits }) => limits.weight, random);
      case "weighted_fair":
        return least(able, (child) => child.#runningCount / child.limits.weight);
      case "fair":
        return able[0];
    }
  }

  get #bestPriority(): number {
    const own = [...this.queue.values()].map(({ priority }) => priority);
    return Math.max(0, ...own, ...this.eligibleChildren.map((child) => child.#bestPriority));
  }
}

/** The first of the least. */
function least<T>(items: readonly T[], of: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>((best, item) => (best === undefined || of(item) < of(best) ? item : best), undefined);
}

/** One of the items, each with a chance in proportion to its weight. */
function drawn<T>(items: readonly T[], weight: (item: T) => number, random: RandomStream): T | undefined {
  const sum = items.reduce((total, item) => total + weight(item), 0);
  let left = sum === 0 ? 0 : random.nextInt(Math.min(sum, 2 ** 32));
  return items.find((item) => {
    left -= weight(item);
    return left < 0;
  });
}
