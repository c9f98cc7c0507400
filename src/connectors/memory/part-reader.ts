/**
 * Reads rows of a part that is on another node, page by page. A page has the rows, nulls and dictionaries that a reader on that node would
 * see, so that a task emits the same bytes wherever it runs.
 */
import type { Address, LinearMemory, MemoryContext } from "../../memory/memory.ts";
import type { Frame } from "../../page/frame.ts";
import type { Column, Page } from "../../page/page.ts";
import { decodePage, encodePage } from "../../page/serde.ts";
import { type Clock, sleep } from "../../ports/clock.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import { type ColumnMetadata, type Json, MalformedCall, type PageSource } from "../spi.ts";
import { AbsentColumns, bytesOfRow, windowOf } from "./page-source.ts";
import type { Part } from "./part-store.ts";
import type { AbsentValues, CopyPlace, PartSplit } from "./table.ts";

/** How often a page is requested, at least twice of each node that does not answer; the first delay, each is twice the one before. */
const attemptsMax = 5;
const firstDelayMs = 50;

/** Asks the instance that has the part for one page: the columns with these stored names, from a row of a chunk on. */
export interface PageCall {
  readonly read: string;
  readonly incarnation: string;
  /** Name of the table, for errors. */
  readonly table: string;
  readonly chunk: number;
  readonly row: number;
  readonly columns: readonly string[];
  /** Rows of the page; absent for those of a page of a reader. */
  readonly rows?: number;
}

export function isPageCall(request: Json): boolean {
  return typeof request === "object" && request !== null && !Array.isArray(request) && Object.hasOwn(request, "read");
}

/** Throws MalformedCall. */
export function readPageCall(request: Json): PageCall {
  const { chunk, columns, incarnation, read, row, rows, table } = request as { readonly [key: string]: Json };
  const isCount = (value: Json | undefined): value is number => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  if (
    [read, incarnation, table].some((text) => typeof text !== "string") ||
    !isCount(chunk) ||
    !isCount(row) ||
    (rows !== undefined && !isCount(rows))
  ) {
    throw new MalformedCall("read, incarnation and table must be strings, chunk, row and rows must be numbers");
  }
  if (!Array.isArray(columns) || !columns.every((name): name is string => typeof name === "string")) {
    throw new MalformedCall("columns must be names");
  }
  const call = { read: read as string, incarnation: incarnation as string, table: table as string, chunk, row, columns };
  return typeof rows === "number" ? { ...call, rows } : call;
}

/** The page of a call, as long as a page of a reader on this node. Throws MalformedCall if the part has no such rows. */
export function pageOfPart(part: Part, { chunk: chunkIndex, columns, row, rows }: PageCall, linear: LinearMemory, pageRows: number): Frame {
  const chunk = part.chunks[chunkIndex];
  const places = columns.map((name) => part.columnNames.indexOf(name));
  if (chunk === undefined || row >= chunk.rows || places.includes(-1)) {
    throw new MalformedCall("the part has no such rows");
  }
  const page: Page = {
    positionCount: Math.min(rows ?? pageRows, chunk.rows - row),
    selection: 0,
    columns: places.map((place) => windowOf(chunk.columns[place] as Column, row)),
  };
  return encodePage(linear, page, { keepsDictionaries: true });
}

export interface RemotePartOptions {
  readonly split: PartSplit;
  /** Name of the table, for errors. */
  readonly table: string;
  readonly columns: readonly ColumnMetadata[];
  /** Names of the columns in the part. */
  readonly storedNames: readonly string[];
  readonly absent: AbsentValues;
  readonly memory: MemoryContext;
  readonly clock: Clock;
  readonly readNode: (nodeId: string, request: Json) => Promise<Frame>;
}

export class RemotePartSource implements PageSource {
  readonly #options: RemotePartOptions;
  readonly #absent: AbsentColumns;
  /** Columns of the request that the part has. */
  readonly #present: readonly ColumnMetadata[];
  readonly #presentNames: readonly string[];
  readonly #isMissing: readonly boolean[];
  readonly #chunkRows: number;
  /** Where the part may be; the first is asked next. */
  #places: readonly CopyPlace[];
  #rowsRead = 0;
  #waiting: Promise<void> | undefined;
  #frame: Frame | undefined;
  #failure: { readonly error: unknown } | undefined;
  #block: Address = 0;
  #closed = false;
  completedBytes = 0;

  constructor(options: RemotePartOptions) {
    const { absent, columns, memory, split, storedNames } = options;
    const missing = new Set(split.missing);
    this.#options = options;
    this.#absent = new AbsentColumns({ columns, storedNames, values: absent, memory });
    this.#isMissing = storedNames.map((name) => missing.has(name));
    this.#present = columns.filter((_, place) => this.#isMissing[place] !== true);
    this.#presentNames = storedNames.filter((name) => !missing.has(name));
    this.#chunkRows = memory.knobs.value("memory-chunk-rows");
    this.#places = split.copies;
    this.#request();
  }

  get finished(): boolean {
    return this.#closed || this.#rowsRead === this.#options.split.rows;
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    const frame = this.#frame;
    if (this.finished || frame === undefined) {
      return undefined;
    }
    const { memory } = this.#options;
    this.#frame = undefined;
    this.#freeBlock();
    const types = this.#present.map(({ type }) => type);
    let decoded: ReturnType<typeof decodePage>;
    try {
      decoded = decodePage(memory.linear, frame, types, memory);
    } finally {
      frame.release();
    }
    const { blockAddress, page } = decoded;
    this.#block = blockAddress;
    this.#rowsRead += page.positionCount;
    this.#request();
    let present = 0;
    const columns = this.#isMissing.map((isMissing, place) => {
      if (isMissing) {
        return this.#absent.column(place);
      }
      const column = page.columns[present++] as Column;
      this.completedBytes += page.positionCount * bytesOfRow(column);
      return column;
    });
    return { ...page, columns };
  }

  blocked(): Promise<void> | undefined {
    return this.#waiting;
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#frame?.release();
      this.#frame = undefined;
      this.#freeBlock();
      this.#absent.close();
    }
  }

  #freeBlock(): void {
    if (this.#block !== 0) {
      this.#options.memory.free(this.#block);
      this.#block = 0;
    }
  }

  /** Requests the next page while the operators work on the one before. */
  #request(): void {
    if (this.#rowsRead < this.#options.split.rows) {
      this.#waiting = this.#read(this.#rowsRead).then(
        (frame) => {
          this.#waiting = undefined;
          if (this.#closed) {
            frame.release();
          } else {
            this.#frame = frame;
          }
        },
        (error: unknown) => {
          this.#waiting = undefined;
          this.#failure = { error };
        },
      );
    }
  }

  async #read(row: number): Promise<Frame> {
    const { clock, readNode, split, table } = this.#options;
    const { firstChunk, part } = split;
    const chunk = firstChunk + Math.floor(row / this.#chunkRows);
    let failures = 0;
    for (;;) {
      const place = this.#places[0];
      assert(place !== undefined, "a part that is read has a place");
      const { incarnation, nodeId } = place;
      const call: PageCall = { read: part, incarnation, table, chunk, row: row % this.#chunkRows, columns: this.#presentNames };
      try {
        return await readNode(nodeId, call as unknown as Json);
      } catch (error) {
        if (this.#closed || !this.#moveOn(error)) {
          throw error;
        }
        failures += isGone(error) ? 1 : 0;
        const places = this.#places.length;
        if (failures >= Math.max(attemptsMax, 2 * places)) {
          throw error;
        }
        if (failures > 0 && failures % places === 0) {
          await sleep(clock, "memory-part-again", firstDelayMs * 2 ** (failures / places - 1));
        }
      }
    }
  }

  /** Another copy is asked next, if there is one. False if asking again is of no use. */
  #moveOn(error: unknown): boolean {
    const [place, ...others] = this.#places as [CopyPlace, ...CopyPlace[]];
    if (isGone(error)) {
      this.#places = [...others, place];
      return true;
    }
    if (error instanceof QueryError && error.errorName === "TABLE_DATA_LOST" && others.length > 0) {
      this.#places = others;
      return true;
    }
    return false;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof QueryError && error.errorName === "REMOTE_HOST_GONE";
}
