/**
 * What the build side of a join tells the scan of its probe side, in one task or through the coordinator (filter-domain.ts). DynamicFilter is the way from the one
 * to the other; ScanFilters are all that a scan waits for and leaves rows out by. What a task emits stays a function of its splits and sources: a scan reads nothing before every build side
 * has been built, and a build side never waits for its own probe side.
 */
import type { Constraint } from "../../connectors/spi.ts";
import type { Page } from "../../page/page.ts";
import { type Deferred, defer } from "../../ports/signal.ts";
import type { Domain } from "../../types/domain/domain.ts";
import { TupleDomain } from "../../types/domain/tuple-domain.ts";
import { KeyFilter, type KeySet } from "./key-bitmap.ts";
import type { OperatorContext } from "../operators/operator.ts";

/** What is known of the keys of a build side. */
export interface ScanDomain {
  /** No key but NULL: nothing matches. */
  readonly isEmpty: boolean;
  /** undefined: there is none that pages could be held against. */
  readonly set: KeySet | undefined;
  /** For connectors: of types whose order and texts they know, else undefined. */
  columnDomain(): Domain | undefined;
}

export class DynamicFilter {
  readonly #published: Deferred = defer();
  domain: ScanDomain | undefined;

  /** The domain is complete. It lasts as long as the join: longer than the scan. */
  publish(domain: ScanDomain): void {
    this.domain = domain;
    this.#published.resolve();
  }

  published(): Promise<void> {
    return this.#published.promise;
  }
}

export interface ScanFilter {
  readonly filter: DynamicFilter;
  /** Of the scan's pages. */
  readonly channel: number;
  /** The column's name in the table. */
  readonly column: string;
}

export class ScanFilters {
  readonly #context: OperatorContext;
  readonly #filters: readonly ScanFilter[];
  #keyFilters: readonly KeyFilter[] | undefined;
  #constraint: Constraint | undefined;
  /** Rows left out so far. */
  droppedPositions = 0;

  constructor(context: OperatorContext, filters: readonly ScanFilter[]) {
    this.#context = context;
    this.#filters = filters;
  }

  /** Until every build side is there. */
  blocked(): Promise<void> | undefined {
    return this.#filters.find(({ filter }) => filter.domain === undefined)?.filter.published();
  }

  /** Nothing will be let through. */
  get isEmpty(): boolean {
    return this.#filters.some(({ filter }) => filter.domain?.isEmpty === true);
  }

  /** For the connector, which may leave out whole splits. */
  constraint(): Constraint {
    this.#constraint ??= this.#constraintOf();
    return this.#constraint;
  }

  #constraintOf(): Constraint {
    const domains = new Map<string, Domain>();
    for (const { filter, column } of this.#filters) {
      // Of two that ask for the same column the first is told: each of them is true.
      const domain = domains.has(column) ? undefined : filter.domain?.columnDomain();
      if (domain !== undefined) {
        domains.set(column, domain);
      }
    }
    return { summary: TupleDomain.of(domains) };
  }

  /** Valid until the next call. */
  apply(page: Page): Page {
    this.#keyFilters ??= this.#open();
    let kept = page;
    for (const filter of this.#keyFilters) {
      if (kept.positionCount > 0) {
        kept = filter.apply(kept);
      }
    }
    this.droppedPositions += page.positionCount - kept.positionCount;
    return kept;
  }

  #open(): readonly KeyFilter[] {
    const { memory, services } = this.#context;
    return this.#filters.flatMap(({ filter, channel }) => {
      const set = filter.domain?.set;
      return set === undefined ? [] : [new KeyFilter(set, { runtime: services.runtime, memory, keyChannel: channel })];
    });
  }
}
