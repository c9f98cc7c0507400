/**
 * Admission: the tree of resource groups, slots for running queries and queues. Every end of a query releases its slot. A query starts as
 * soon as every group from its own up to the root may run one more, so none waits behind a group that could have started it.
 */
import type { Clock, MonotonicNanos, Timer } from "../../ports/clock.ts";
import type { RandomStream } from "../../ports/random.ts";
import { QueryError } from "../../protocol/errors.ts";
import { type Candidate, type GroupObstacle, ResourceGroup } from "./resource-group.ts";
import type { GroupPath, GroupsSpecification, GroupTemplate, QueryFacts } from "./specification.ts";

export interface ResourceGroupsOptions {
  readonly specification: GroupsSpecification;
  readonly clock: Clock;
  /** Draws of the policy `weighted`. */
  readonly random: RandomStream;
  /** Memory of all nodes, of which groups may have shares. */
  readonly memoryBytes: () => number;
}

/** Where a queued query stands. */
export interface QueuePlace {
  readonly group: readonly string[];
  /** From 1 on. */
  readonly number: number;
  /** Queries that wait in the group. */
  readonly of: number;
  /** The lowest group that starts nothing now, and why. Absent if the query is about to start. */
  readonly held: { readonly group: ResourceGroup; readonly obstacle: GroupObstacle } | undefined;
}

/** Bytes that the texts of all queued queries may take together. */
const queuedBytesMax: number = 256 * 1024 * 1024;
/** Delay after which queries that wait for memory, CPU time or scans are looked at again; usage is measured at most this often. */
const measureMs = 100;

export class ResourceGroups {
  readonly #options: ResourceGroupsOptions;
  readonly #roots = new Map<string, ResourceGroup>();
  /** Groups of live queries. */
  readonly #groups = new Map<string, ResourceGroup>();
  #specification: GroupsSpecification;
  #queuedBytes = 0;
  #measuredNanos: MonotonicNanos;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: ResourceGroupsOptions) {
    this.#options = options;
    this.#specification = options.specification;
    this.#measuredNanos = options.clock.monotonicNanos();
    this.#createFixed();
  }

  get runningCount(): number {
    return this.roots.reduce((sum, { runningCount }) => sum + runningCount, 0);
  }

  get queuedCount(): number {
    return this.roots.reduce((sum, { queuedCount }) => sum + queuedCount, 0);
  }

  get roots(): readonly ResourceGroup[] {
    return [...this.#roots.values()];
  }

  /** Undefined if there is no such group. */
  find(id: readonly string[]): ResourceGroup | undefined {
    let group: ResourceGroup | undefined;
    for (const [level, name] of id.entries()) {
      group = level === 0 ? this.#roots.get(name) : group?.children.get(name);
    }
    return group;
  }

  /** Undefined for a query that is not queued. */
  place(id: string): QueuePlace | undefined {
    const group = this.#groups.get(id);
    const number = group === undefined ? 0 : [...group.queue.keys()].indexOf(id) + 1;
    if (group === undefined || number === 0) {
      return undefined;
    }
    const holder = group.chain.find(({ obstacle }) => obstacle !== undefined);
    const obstacle = holder?.obstacle;
    return {
      group: group.id,
      number,
      of: group.queue.size,
      held: holder === undefined || obstacle === undefined ? undefined : { group: holder, obstacle },
    };
  }

  /** The group of a query, by the first selector that fits. Undefined if none does. */
  select(facts: QueryFacts): GroupPath | undefined {
    for (const selector of this.#specification.selectors) {
      const path = selector(facts);
      if (path !== undefined) {
        return path;
      }
    }
    return undefined;
  }

  /** Throws QUERY_QUEUE_FULL, and QUERY_REJECTED if no selector fits. */
  enter(candidate: Candidate, path: GroupPath | undefined): void {
    // First, because it forgets groups that nobody uses.
    this.#measure();
    const group = path === undefined ? undefined : this.#group(path);
    if (group === undefined) {
      throw new QueryError("QUERY_REJECTED", "Query did not match any selection rule");
    }
    const { chain } = group;
    if (group.queue.size === 0 && chain.every(({ obstacle }) => obstacle === undefined)) {
      this.#groups.set(candidate.id, group);
      this.#begin(group, candidate);
      return;
    }
    const isFull = !chain.every(({ canQueue }) => canQueue) || this.#queuedBytes + candidate.bytes > queuedBytesMax;
    if (isFull && candidate.isResumed !== true) {
      this.#prune(group);
      throw new QueryError("QUERY_QUEUE_FULL", `Too many queued queries for "${group.id.join(".")}"`);
    }
    this.#groups.set(candidate.id, group);
    group.enqueue(candidate);
    group.chain.at(-1)?.settle();
    this.#queuedBytes += candidate.bytes;
    this.#watch();
  }

  /** Releases the slot or the queue entry of an ended query. No effect if it never entered. */
  leave(id: string): void {
    const group = this.#groups.get(id);
    if (group === undefined) {
      return;
    }
    this.#groups.delete(id);
    this.#queuedBytes -= group.dequeue(id)?.bytes ?? 0;
    if (group.end(id, this.#specification.measures)) {
      this.#measure();
      this.#startNext();
    }
    this.#prune(group);
  }

  /**
   * Another configuration. Queries stay where they are: a group that has them and is no longer configured keeps its limits until they have
   * left.
   */
  replace(specification: GroupsSpecification): void {
    this.#specification = specification;
    for (const root of this.#roots.values()) {
      this.#reconfigure(root);
    }
    this.#createFixed();
    this.#measure();
    this.#startNext();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #begin(group: ResourceGroup, candidate: Candidate): void {
    group.begin(candidate);
    candidate.admitted();
  }

  #startNext(): void {
    for (const root of this.#roots.values()) {
      for (let next = this.#nextOf(root); next !== undefined; next = this.#nextOf(root)) {
        this.#queuedBytes -= next.candidate.bytes;
        this.#begin(next.group, next.candidate);
      }
    }
    this.#watch();
  }

  #nextOf(root: ResourceGroup): ReturnType<ResourceGroup["next"]> {
    root.settle();
    return root.next(this.#options.random);
  }

  /** What queries use changes without a query that ends. */
  #watch(): void {
    if (this.#timer !== undefined || this.#closed || !this.#specification.measures || this.queuedCount === 0) {
      return;
    }
    this.#timer = this.#options.clock.timer("resource-groups", measureMs, () => {
      this.#timer = undefined;
      this.#measure();
      this.#startNext();
    });
  }

  #measure(): void {
    if (!this.#specification.measures) {
      return;
    }
    const nowNanos = this.#options.clock.monotonicNanos();
    const passedNanos = nowNanos - this.#measuredNanos;
    if (passedNanos < measureMs * 1e6) {
      return;
    }
    this.#measuredNanos = nowNanos;
    for (const root of this.#roots.values()) {
      root.measure();
      replenish(root, passedNanos);
      for (const empty of leavesOf(root)) {
        this.#prune(empty);
      }
    }
  }

  /** The group at the end of the path, made if it does not exist. Undefined if the configuration has no such template. */
  #group({ id, template }: GroupPath): ResourceGroup | undefined {
    let group: ResourceGroup | undefined;
    let templates: ReadonlyMap<string, GroupTemplate> = this.#specification.roots;
    for (const [level, name] of id.entries()) {
      const chosen = templates.get(template[level] ?? "");
      if (chosen === undefined) {
        return undefined;
      }
      group = this.#child(group, name, chosen);
      templates = chosen.children;
    }
    return group;
  }

  #child(parent: ResourceGroup | undefined, name: string, template: GroupTemplate): ResourceGroup {
    const groups = parent === undefined ? this.#roots : parent.children;
    const known = groups.get(name);
    if (known !== undefined) {
      return known;
    }
    const group = new ResourceGroup({ name, parent, template, memoryBytes: this.#options.memoryBytes });
    groups.set(name, group);
    return group;
  }

  /** Groups whose names have no variables exist from the start, and stay. */
  #createFixed(): void {
    const create = (parent: ResourceGroup | undefined, templates: ReadonlyMap<string, GroupTemplate>): void => {
      for (const template of templates.values()) {
        if (!hasVariables(template.name)) {
          create(this.#child(parent, template.name, template), template.children);
        }
      }
    };
    create(undefined, this.#specification.roots);
  }

  #reconfigure(group: ResourceGroup): void {
    for (const child of group.children.values()) {
      this.#reconfigure(child);
    }
    const template = this.#templateOf(group);
    if (template === undefined) {
      this.#prune(group);
    } else {
      group.limits = template.limits;
    }
  }

  #templateOf(group: ResourceGroup): GroupTemplate | undefined {
    let templates: ReadonlyMap<string, GroupTemplate> = this.#specification.roots;
    let found: GroupTemplate | undefined;
    for (const name of group.template) {
      found = templates.get(name);
      templates = found?.children ?? new Map();
    }
    return found;
  }

  /** Removes the group, and those above it, if nobody uses it and the configuration does not name it. */
  #prune(group: ResourceGroup): void {
    const isNamed = !group.template.some(hasVariables) && this.#templateOf(group) !== undefined;
    if (!group.isEmpty || isNamed) {
      return;
    }
    (group.parent?.children ?? this.#roots).delete(group.id.at(-1) ?? "");
    if (group.parent !== undefined) {
      this.#prune(group.parent);
    }
  }
}

function hasVariables(name: string): boolean {
  return name.includes("${");
}

function replenish(group: ResourceGroup, nanos: number): void {
  group.replenish(nanos);
  for (const child of group.children.values()) {
    replenish(child, nanos);
  }
}

function leavesOf(group: ResourceGroup): readonly ResourceGroup[] {
  return group.children.size === 0 ? [group] : [...group.children.values()].flatMap(leavesOf);
}
