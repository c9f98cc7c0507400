/** Rows spilled by partition of their keys: a run for each partition. */
import type { Page } from "../../page/page.ts";
import type { Type } from "../../types/type.ts";
import { selectColumns } from "../operators/pages.ts";
import { RowPartitioner } from "../hash-table/row-partitioner.ts";
import { RunWriter, type SpillRun, type SpillSpace, type Steps } from "./spill-runs.ts";

export interface PartitionedRowsOptions {
  readonly space: SpillSpace;
  readonly types: readonly Type[];
  readonly keyChannels: readonly number[];
  /** From 1 on; rows of one partition of a level are spread over the partitions of the next. */
  readonly level: number;
}

export class PartitionedRows {
  readonly #options: PartitionedRowsOptions;
  readonly #writers: readonly RunWriter[];
  readonly #partitioner: RowPartitioner;
  #closed = false;

  constructor(options: PartitionedRowsOptions) {
    const { space, types, keyChannels, level } = options;
    const { memory, services } = space.context;
    this.#options = options;
    const partitionCount = memory.knobs.value("spill-partitions");
    this.#writers = Array.from({ length: partitionCount }, () => new RunWriter(space, types));
    this.#partitioner = new RowPartitioner({
      runtime: services.runtime,
      memory,
      keyCount: keyChannels.length,
      partitionCount,
      level,
    });
  }

  *write(page: Page): Steps<void> {
    const { keyChannels, space } = this.#options;
    this.#partitioner.split(selectColumns(page, keyChannels), page.columns, (partition, rows) =>
      (this.#writers[partition] as RunWriter).write(rows),
    );
    yield* space.writes();
  }

  /** Writes the rows collected so far and frees their memory; others may follow. */
  flush(): void {
    this.#writers.forEach((writer) => writer.flush());
  }

  /** The runs of the partitions, without rows for some. No rows may follow. */
  finish(): readonly SpillRun[] {
    const runs = this.#writers.map((writer) => writer.finish());
    this.close();
    return runs;
  }

  /** Frees its memory. Idempotent. Must be called before the memory context closes. */
  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#writers.forEach((writer) => writer.close());
      this.#partitioner.close();
    }
  }
}
