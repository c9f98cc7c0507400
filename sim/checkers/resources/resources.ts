/**
 * Resources of a running node: no reservation is negative or above its limit, the parts add up to the total, and an output buffer holds no
 * more than its bound and the progress rule allow. The progress rule: no producer waits for space while a consumer of its output starves,
 * because two tasks that each wait for the other would never continue. Inspected periodically during the run, inside the nodes.
 */
import type { Accounts } from "../../../src/node-accounts.ts";
import { parseDataSize } from "../../../src/protocol/units.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";

const oracle = "resources";
const progress = "progress";
const peak = /"peakMemoryReservation":"([^"]+)"/;
/** Bounds on what a coordinator keeps of queries: docs/interface.md (Limits of a query). */
const unclaimedMax = 1000;
const unclaimedBytesMax = 256 * 1024 * 1024;
const historyBytesMax = 128 * 1024 * 1024;
/** Sizes are reported with two decimal places. */
const roundingShare = 1.01;

export class ResourceOracle {
  readonly #verdict: Verdict;

  constructor(verdict: Verdict) {
    this.#verdict = verdict;
  }

  check(place: string, accounts: Accounts): void {
    const { sizeBytes, reservedBytes, queryBytes, queryBytesMax, outputBufferBytesMax, queries, tasks } = accounts;
    this.#check(
      queryBytes >= 0 && queryBytes <= reservedBytes,
      () => `${place} holds ${queryBytes} bytes for queries and ${reservedBytes} in all`,
    );
    this.#check(reservedBytes <= sizeBytes, () => `${place} has reserved ${reservedBytes} of its ${sizeBytes} bytes`);
    let sum = 0;
    for (const query of queries) {
      sum += query.reservedBytes;
      this.#check(
        query.reservedBytes >= 0 && query.reservedBytes <= queryBytesMax,
        () => `${query.queryId} holds ${query.reservedBytes} bytes on ${place}, where a query may hold ${queryBytesMax}`,
      );
      this.#check(query.holders > 0, () => `${query.queryId} has memory on ${place}, and nobody holds it`);
    }
    this.#check(sum === queryBytes, () => `${place} holds ${queryBytes} bytes for queries; the queries there hold ${sum}`);
    this.#checkKept(place, accounts.keptQueries);
    for (const { taskId, output } of tasks) {
      const { memoryBytes = 0, pageBytesMax = 0, spillingBytes = 0, bufferedBytes, buffers } = output;
      // One page may exceed the bound, others are being spilled, and each consumer may be handed one page that it waits for.
      const most = outputBufferBytesMax + (buffers.length + 1) * pageBytesMax + spillingBytes;
      this.#check(
        memoryBytes >= 0 && memoryBytes <= Math.min(most, bufferedBytes),
        () => `the output of ${taskId} holds ${memoryBytes} of ${bufferedBytes} bytes in memory, with a bound of ${outputBufferBytesMax}`,
      );
    }
  }

  /** Clients that never come back cost a coordinator a bounded share of its memory. */
  #checkKept(place: string, kept: Accounts["keptQueries"]): void {
    if (kept === undefined) {
      return;
    }
    const { history, historyBytes, unclaimed, unclaimedBytes } = kept;
    this.#check(
      unclaimed <= unclaimedMax && unclaimedBytes <= unclaimedBytesMax && historyBytes <= historyBytesMax,
      () => `${place} keeps ${unclaimed} unclaimed queries of ${unclaimedBytes} bytes, and a history of ${historyBytes} bytes`,
    );
    this.#check(
      unclaimedBytes >= unclaimed &&
        historyBytes >= history &&
        (unclaimed > 0 || unclaimedBytes === 0) &&
        (history > 0 || historyBytes === 0),
      () => `${place} counts ${unclaimedBytes} bytes for ${unclaimed} unclaimed queries, and ${historyBytes} for ${history} of the history`,
    );
  }

  /** An ended task reports its peak memory, which must not exceed the limit of its query. `bytesMax` is query.max-memory-per-node. */
  checkPeak(answer: Observed, bytesMax: number): void {
    const { to, task, response } = answer;
    const text = task?.what === "task" && response.status === 200 ? peak.exec(answer.text())?.[1] : undefined;
    if (text !== undefined) {
      this.#check(
        (parseDataSize(text) ?? 0) <= bytesMax * roundingShare,
        () => `${task?.taskId ?? ""} on ${to} has held ${text}, where its whole query may hold ${bytesMax} bytes`,
      );
    }
  }

  /** Call it between two events; within an event, a waiting task may not have been resumed yet. */
  checkProgress(place: string, tasks: Accounts["tasks"]): void {
    for (const { taskId, output } of tasks) {
      const starving = output.producerWaits === true ? output.buffers.find(({ readerWaits }) => readerWaits === true) : undefined;
      if (starving === undefined) {
        this.#verdict.held(progress);
      } else {
        this.#verdict.violate(
          "liveness",
          progress,
          `${taskId} on ${place} waits for room in its output of ${output.bufferedBytes} bytes, and the reader of buffer ${starving.bufferId} waits for a page of it`,
        );
      }
    }
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#verdict, "safety", oracle, holds, sentence);
  }
}
