/**
 * Dynamic filters: the build side of a join publishes a domain of its keys, and the scan of the probe side skips rows outside of it. A
 * local dynamic filter (DynamicFilter) connects a join and a scan of one task; a remote one travels through the coordinator
 * (filter-domain.ts). ScanFilters holds all filters that one scan waits for and applies.
 *
 * The output of a task stays a function of its splits and sources: a scan reads nothing before every build side is complete. A build side
 * never waits for its own probe side.
 */
import type { Constraint } from "../../connectors/spi.ts";
import type { Page } from "../../page/page.ts";
import { type Deferred, defer } from "../../ports/signal.ts";
import type { Domain } from "../../types/domain/domain.ts";
import { TupleDomain } from "../../types/domain/tuple-domain.ts";
import { KeyFilter, type KeySet } from "./key-bitmap.ts";
import type { OperatorContext } from "../operators/operator.ts";

/** Domain of one key of a build side. */
export interface ScanDomain {
  /** True if the build side has no key except NULL: no probe row matches. */
  readonly isEmpty: boolean;
  /** Set of keys to test pages against; undefined if there is none. */
  readonly set: KeySet | undefined;
  /** Range of the column for connectors; undefined for types whose order and text form connectors do not know. */
  columnDomain(): Domain | undefined;
}

export class DynamicFilter {
  readonly #completed: Deferred = defer();
  domain: ScanDomain | undefined;

  /** Publishes the complete domain. The domain lives as long as the join, which outlives the scan. */
  publish(domain: ScanDomain): void {
    this.domain = domain;
    this.#completed.resolve();
  }

  completed(): Promise<void> {
    return this.#completed.promise;
  }
}

export interface ScanFilter {
  readonly filter: DynamicFilter;
  /** Channel in the pages of the scan. */
  readonly channel: number;
  /** Name of the column in the table. */
  readonly column: string;
}

export class ScanFilters {
  readonly #context: OperatorContext;
  readonly #filters: readonly ScanFilter[];
  #keyFilters: readonly KeyFilter[] | undefined;
  #constraint: Constraint | undefined;
  /** Number of rows that the filters have dropped. */
  droppedPositions = 0;

  constructor(context: OperatorContext, filters: readonly ScanFilter[]) {
    this.#context = context;
    this.#filters = filters;
  }

  /** Resolves when every build side is complete. */
  blocked(): Promise<void> | undefined {
    return this.#filters.find(({ filter }) => filter.domain === undefined)?.filter.completed();
  }

  /** True if no row can pass. */
  get isEmpty(): boolean {
    return this.#filters.some(({ filter }) => filter.domain?.isEmpty === true);
  }

  /** Constraint for the connector, which may skip whole splits. */
  constraint(): Constraint {
    this.#constraint ??= this.#constraintOf();
    return this.#constraint;
  }

  #constraintOf(): Constraint {
    const domains = new Map<string, Domain>();
    for (const { filter, column } of this.#filters) {
      // If two filters constrain one column, the connector gets the first. Each alone is a correct constraint.
      const domain = domains.has(column) ? undefined : filter.domain?.columnDomain();
      if (domain !== undefined) {
        domains.set(column, domain);
      }
    }
    return { summary: TupleDomain.of(domains) };
  }

  /** The result is valid until the next call. */
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
