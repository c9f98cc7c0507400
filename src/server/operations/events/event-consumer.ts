/** A consumer of query events. */
import type { QueryEvent } from "../../../coordinator/context.ts";
import type { DeliveryCounts } from "../metrics/node-metrics.ts";

export interface EventConsumer {
  /** Absent if nothing is delivered behind a queue. */
  readonly counts?: DeliveryCounts;
  /** Reads what it needs during the call; never waits. */
  onQueryEvent(event: QueryEvent): void;
  /** Delivers what waits, for at most `waitMs`. */
  close(waitMs: number): Promise<void>;
}
