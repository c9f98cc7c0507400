/**
 * Rows that an operator writes to the node's storage and reads back: runs of pages in the order in which they were written. Frames between
 * the operator and the disk are charged to the operator's memory. Reading and writing advance in steps, so that the operator's driver can
 * wait for the disk.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Clock } from "../../ports/clock.ts";
import { Frame } from "../../page/frame.ts";
import type { OwnedPage, Page } from "../../page/page.ts";
import { pageRowsMax } from "../../page/page.ts";
import { decodePage, encodePage } from "../../page/serde.ts";
import { assert } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import type { OperatorContext } from "../operators/operator.ts";
import { slicePage } from "../operators/pages.ts";
import { RowStore } from "../hash-table/row-store.ts";
import { SpillFile, type SpillPlace } from "./spill-file.ts";

/** A step of work that an operator spreads over slices: a promise to wait for, or undefined if it can go on in the next slice. */
export type Steps<T> = Generator<Promise<void> | undefined, T, void>;

/** Bytes on their way to the disk from which a writer waits. */
const writingBytesMax = 1_048_576;
/** What is on its way to the disk, and what is written at once, are small parts of the memory that is left: to spill must not need much. */
const writingPartOfRoom = 32;
const batchPartOfRoom = 1_024;
const batchBytesMin = 4_096;
/** Rows that are appended to a batch at once. */
const appendedRowsMax = 1_024;
const appendedRowsMin = 64;

/** The spilled rows of one operator. */
export class SpillSpace {
  readonly #context: OperatorContext;
  readonly #file: SpillFile;
  readonly #onSpilled: (bytes: number) => void;
  #writingBytes = 0;
  /** The last of the writes in progress; they end in order. */
  #lastWrite: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(context: OperatorContext, name = "") {
    const { storage, clock } = context.services.ports;
    this.#context = context;
    this.#onSpilled = context.onSpilled ?? (() => undefined);
    this.#file = new SpillFile(storage, `${context.taskId}~${context.planNodeId}-${context.operatorType}${name}`, clock);
  }

  get context(): OperatorContext {
    return this.#context;
  }

  /** The caller waits for `writes` after each of its pages. */
  write(page: Page): SpillPlace {
    const { memory } = this.#context;
    const frame = encodePage(memory.linear, page);
    const { bytes } = frame;
    memory.reserve(bytes.length);
    this.#writingBytes += bytes.length;
    const { place, written } = this.#file.write(bytes);
    this.#onSpilled(bytes.length);
    const done = written.finally(() => {
      if (!this.#closed) {
        this.#writingBytes -= bytes.length;
        memory.release(bytes.length);
      }
    });
    done.catch(ignore);
    // A failure stays: the pages before it are lost.
    const before = this.#lastWrite;
    this.#lastWrite = before.then(() => done);
    this.#lastWrite.catch(ignore);
    return place;
  }

  /** Waits while too many bytes are on their way to the disk. */
  *writes(bytesMax: number = writingBytesMax): Steps<void> {
    const ofRoom = (): number => Math.max(0, this.#context.memory.availableBytes) / writingPartOfRoom;
    while (this.#writingBytes > Math.min(bytesMax, ofRoom())) {
      yield this.#lastWrite;
    }
  }

  async read(place: SpillPlace): Promise<Frame> {
    await this.#lastWrite;
    return new Frame(await this.#file.read(place));
  }

  release(place: SpillPlace): void {
    this.#file.release(place);
  }

  /** Removes the file. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#file.close();
  }
}

/** Pages in the order in which they were written. */
export interface SpillRun {
  readonly types: readonly Type[];
  readonly places: readonly SpillPlace[];
  readonly rowCount: number;
}

/** Runs by partition, and the space that they are in. */
export interface SpilledPartitions {
  readonly space: SpillSpace;
  readonly runs: readonly SpillRun[];
}

/** Bytes of the frames of a run. */
export function runBytes({ places }: SpillRun): number {
  return places.reduce((sum, { length }) => sum + length, 0);
}

/** Writes a run. Small pages are collected first. */
export class RunWriter {
  readonly #space: SpillSpace;
  readonly #types: readonly Type[];
  readonly #places: SpillPlace[] = [];
  readonly #bytesMin: number;
  /** Rows that are appended at once. */
  readonly #rowsAtOnce: number;
  #store: RowStore | undefined;
  #rowCount = 0;

  constructor(space: SpillSpace, types: readonly Type[]) {
    this.#space = space;
    this.#types = types;
    const { memory } = space.context;
    const wanted = memory.knobs.value("spill-batch-bytes");
    this.#bytesMin = Math.min(wanted, Math.max(batchBytesMin, memory.availableBytes / batchPartOfRoom));
    this.#rowsAtOnce = this.#bytesMin < wanted ? appendedRowsMin : appendedRowsMax;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  write(page: Page): void {
    this.#rowCount += page.positionCount;
    const store = this.#openStore();
    for (let from = 0; from < page.positionCount; from += this.#rowsAtOnce) {
      const rows = Math.min(this.#rowsAtOnce, page.positionCount - from);
      store.append(rows === page.positionCount ? page : slicePage(page, from, rows));
      if (store.dataBytes >= this.#bytesMin || store.rowCount + this.#rowsAtOnce > pageRowsMax) {
        this.#flush(store);
      }
    }
  }

  /** Writes the rows collected so far and frees their memory; others may follow. */
  flush(): void {
    if (this.#store !== undefined) {
      this.#flush(this.#store);
    }
    this.close();
  }

  /** The run; the writer must not be used afterwards. */
  finish(): SpillRun {
    this.flush();
    return { types: this.#types, places: this.#places, rowCount: this.#rowCount };
  }

  /** Frees the rows collected so far. Idempotent. Must be called before the memory context closes. */
  close(): void {
    this.#store?.close();
    this.#store = undefined;
  }

  #openStore(): RowStore {
    const { memory, services } = this.#space.context;
    const rowsMin = Math.min(memory.knobs.value("row-store-rows"), this.#rowsAtOnce);
    this.#store ??= new RowStore({ runtime: services.runtime, memory, types: this.#types, rowsMin });
    return this.#store;
  }

  #flush(store: RowStore): void {
    if (store.rowCount > 0) {
      this.#places.push(this.#space.write(store.page()));
      store.reset();
    }
  }
}

interface FrameAhead {
  /** Charged to the operator from the beginning of the read. */
  readonly bytes: number;
  readonly read: Promise<void>;
  frame: Frame | undefined;
}

export interface RunReaderOptions {
  /** The run can be read again. */
  readonly keeps?: boolean;
  /** Of the operator that reads, if another one has written the run and may end before it. */
  readonly memory?: MemoryContext;
}

/** Reads a run from its start. Some frames are read ahead. Unless it is kept, the run cannot be read again. */
export class RunReader {
  readonly #space: SpillSpace;
  readonly #run: SpillRun;
  readonly #keeps: boolean;
  readonly #memory: MemoryContext;
  readonly #aheadBytesMax: number;
  #next = 0;
  readonly #ahead: FrameAhead[] = [];
  #aheadBytes = 0;
  #closed = false;
  #current: OwnedPage | undefined;

  constructor(space: SpillSpace, run: SpillRun, { keeps = false, memory = space.context.memory }: RunReaderOptions = {}) {
    this.#space = space;
    this.#run = run;
    this.#keeps = keeps;
    this.#memory = memory;
    this.#aheadBytesMax = memory.knobs.value("spill-read-ahead-bytes");
  }

  /** The next page, valid until the next call; undefined at the end. */
  *next(): Steps<Page | undefined> {
    this.#freeCurrent();
    this.#readAhead();
    const [first] = this.#ahead;
    if (first === undefined) {
      return undefined;
    }
    while (first.frame === undefined) {
      yield first.read;
    }
    const memory = this.#memory;
    this.#current = decodePage(memory.linear, first.frame, this.#run.types, memory);
    first.frame.release();
    this.#ahead.shift();
    this.#aheadBytes -= first.bytes;
    memory.release(first.bytes);
    this.#readAhead();
    return this.#current.page;
  }

  /** Frees the last page and the frames that were read ahead. Idempotent. Must be called before the memory context closes. */
  close(): void {
    this.#closed = true;
    this.#freeCurrent();
    for (const { frame } of this.#ahead.splice(0)) {
      frame?.release();
    }
    this.#memory.release(this.#aheadBytes);
    this.#aheadBytes = 0;
  }

  #readAhead(): void {
    for (let place = this.#run.places[this.#next]; place !== undefined && this.#mayRead(place); place = this.#run.places[this.#next]) {
      this.#next++;
      this.#read(place);
    }
  }

  /** One frame is always read. */
  #mayRead({ length }: SpillPlace): boolean {
    const bytes = this.#aheadBytes + length;
    return this.#ahead.length === 0 || (bytes <= this.#aheadBytesMax && this.#memory.nearLimit(length) === undefined);
  }

  #read(place: SpillPlace): void {
    this.#memory.reserve(place.length);
    const entry: FrameAhead = {
      bytes: place.length,
      frame: undefined,
      read: this.#space.read(place).then((frame) => {
        if (this.#closed) {
          frame.release();
        } else {
          entry.frame = frame;
        }
        if (!this.#keeps) {
          this.#space.release(place);
        }
      }),
    };
    entry.read.catch(ignore);
    this.#ahead.push(entry);
    this.#aheadBytes += place.length;
  }

  #freeCurrent(): void {
    if (this.#current !== undefined) {
      this.#memory.free(this.#current.blockAddress);
      this.#current = undefined;
    }
  }
}

/** Runs steps one by one. */
export class SteppedWork {
  readonly #steps: Steps<void>;
  #wait: Promise<void> | undefined;
  #done = false;
  #isRun = false;

  constructor(steps: Steps<void>) {
    this.#steps = steps;
  }

  get isDone(): boolean {
    return this.#done;
  }

  /** Runs a step unless it waits. Returns true once all are done. */
  step(): boolean {
    assert(!this.#isRun, "steps are run by one loop");
    return this.#step();
  }

  #step(): boolean {
    if (!this.#done && this.#wait === undefined) {
      const next = this.#steps.next();
      this.#done = next.done === true;
      if (next.value !== undefined && next.done !== true) {
        const wait = next.value.finally(() => {
          this.#wait = this.#wait === wait ? undefined : this.#wait;
        });
        wait.catch(ignore);
        this.#wait = wait;
      }
    }
    return this.#done;
  }

  /** What it waits for; rejected if the disk has failed. */
  blocked(): Promise<void> | undefined {
    return this.#wait;
  }

  /** Frees what the steps hold. Idempotent. */
  close(): void {
    this.#done = true;
    this.#steps.return();
  }

  /** Runs the steps that are left outside of the slices of a driver. Stops without an error once `isStopped` returns true. */
  async run(clock: Clock, isStopped: () => boolean): Promise<void> {
    assert(!this.#isRun, "steps are run by one loop");
    this.#isRun = true;
    while (!isStopped() && !this.#step()) {
      await (this.#wait ?? clock.turn(1));
    }
  }
}

function ignore(): void {}
