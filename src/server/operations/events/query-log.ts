/** The query log: a JSON object on a line of its own for each query that has ended. */
import type { QueryEvent } from "../../../coordinator/context.ts";
import type { DeliveryCounts } from "../metrics/node-metrics.ts";
import type { EventConsumer } from "./event-consumer.ts";
import { LineFile, type LineFileOptions } from "./line-file.ts";
import { queryRecord } from "./query-record.ts";

export class QueryLog implements EventConsumer {
  readonly #file: LineFile;

  constructor(options: Omit<LineFileOptions, "consumer">) {
    this.#file = new LineFile({ ...options, consumer: "query-log" });
  }

  get counts(): DeliveryCounts {
    return this.#file.counts;
  }

  onQueryEvent(event: QueryEvent): void {
    if (event.kind === "completed") {
      this.#file.add(queryRecord(event));
    }
  }

  close(waitMs: number): Promise<void> {
    return this.#file.close(waitMs);
  }
}
