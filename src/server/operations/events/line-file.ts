/**
 * A file of lines that is rotated by size; FILE.1 is the newest of the older ones. Lines are written in batches behind a bounded queue, so
 * that a slow disk never holds up a query.
 */
import { appendFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { DeliveryCounts } from "../metrics/node-metrics.ts";
import { DeliveryQueue } from "./delivery-queue.ts";

export interface LineFileOptions {
  /** In metrics. */
  readonly consumer: string;
  readonly path: string;
  /** Size at which the file is rotated. A longer line has a file of its own. */
  readonly sizeBytesMax: number;
  /** Files in all, with the one that is written. */
  readonly filesMax: number;
  readonly onError: (error: unknown) => void;
}

const waitingEntriesMax = 10_000;
const waitingBytesMax = 64 * 1024 * 1024;
const batchMax = 500;

export class LineFile {
  readonly #options: LineFileOptions;
  readonly #queue: DeliveryQueue;
  /** Undefined before the first line. */
  #sizeBytes: number | undefined;

  constructor(options: LineFileOptions) {
    this.#options = options;
    this.#queue = new DeliveryQueue({
      consumer: options.consumer,
      entriesMax: waitingEntriesMax,
      bytesMax: waitingBytesMax,
      batchMax,
      // Lines are written in order.
      concurrency: 1,
      deliver: (lines) => this.#write(lines),
      onError: options.onError,
    });
  }

  get counts(): DeliveryCounts {
    return this.#queue.counts;
  }

  /** Never waits. A line that finds the queue full is dropped and counted. */
  add(document: object): void {
    this.#queue.add(`${JSON.stringify(document)}\n`);
  }

  close(waitMs: number): Promise<void> {
    return this.#queue.close(waitMs);
  }

  async #write(lines: readonly string[]): Promise<number> {
    const { path, sizeBytesMax } = this.#options;
    this.#sizeBytes ??= await sizeOf(path);
    let taken = 0;
    while (taken < lines.length) {
      const part: Buffer[] = [];
      let bytes = 0;
      for (const line of lines.slice(taken)) {
        const next = Buffer.from(line);
        const size = this.#sizeBytes + bytes;
        if (size > 0 && size + next.length > sizeBytesMax) {
          break;
        }
        part.push(next);
        bytes += next.length;
      }
      if (part.length === 0) {
        await this.#rotate();
      } else {
        await appendFile(path, Buffer.concat(part), { mode: 0o640 });
        this.#sizeBytes += bytes;
        taken += part.length;
      }
    }
    return taken;
  }

  async #rotate(): Promise<void> {
    const { filesMax, path } = this.#options;
    await rm(numbered(path, filesMax - 1), { force: true });
    for (let number = filesMax - 2; number >= 0; number--) {
      await rename(numbered(path, number), numbered(path, number + 1)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") {
          throw error;
        }
      });
    }
    this.#sizeBytes = 0;
  }
}

function numbered(path: string, number: number): string {
  return number === 0 ? path : `${path}.${number}`;
}

async function sizeOf(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
