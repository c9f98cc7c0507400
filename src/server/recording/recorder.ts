/**
 * The recorder of one node: writes the recording of its ports to a file of bounded size. The file keeps the node's start and a ring of the
 * latest entries, so that even a killed process loses only its last moments.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, copyFileSync, mkdirSync, openSync, write, writeSync } from "node:fs";
import { join } from "node:path";
import type { NodeConfig } from "../../config.ts";
import type { HttpRequest, HttpResponse } from "../../ports/network.ts";
import type { Ports } from "../../ports/ports.ts";
import type { AccessConfiguration } from "../../security/access-configuration.ts";
import { errorCatalogue, type ErrorName } from "../../protocol/errors.ts";
import type { BlockSink } from "../../recording/blocks.ts";
import { type RecordingHeader, recordingEnding } from "../../recording/entries.ts";
import { encodeHeader, slotOf } from "../../recording/file.ts";
import { type RecordedNode, recordNode } from "../../recording/ports.ts";
import { scrubAccess, Scrubber } from "../../recording/scrub.ts";
import { RecordingWriter } from "../../recording/writer.ts";
import { afterContinuations, recordingHeader } from "./header.ts";

/**
 * Large writes are cheaper, because waking the I/O thread dominates. Small recordings need small blocks, so that the ring loses little at a
 * time.
 */
const blockBytesMin = 16 * 1024;
const blockBytesMax = 256 * 1024;
const blocksWanted = 256;
/** Longest time before entries are written to disk, in milliseconds; a killed process loses at most these. */
const flushMs = 100;
/** Bytes in flight to a slow disk. Above this, blocks are dropped, and the reader sees a gap. */
const bytesUnderWayMax = 32 * 1024 * 1024;
const keptMax = 8;
const keepGapMs = 60_000;
const failedQueriesMax = 1000;

export interface RecorderOptions {
  readonly folder: string;
  readonly config: NodeConfig;
  /** Approximate size of the file, in bytes. */
  readonly sizeBytes: number;
  readonly scrubLiterals: boolean;
  /** A query failed with an error that is not the user's; the other nodes' recordings should be kept as well. */
  readonly onIncident?: () => void;
}

export class Recorder {
  readonly id: string;
  readonly path: string;
  readonly #options: RecorderOptions;
  readonly #ring: RingFile;
  readonly #writer: RecordingWriter;
  readonly #scrubber: Scrubber;
  readonly #timer: NodeJS.Timeout;
  readonly #failed = new Set<string>();
  #kept = 0;
  #keptAtMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.id = `${options.config.nodeId}-${randomBytes(4).toString("hex")}`;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    this.path = join(options.folder, `${this.id}${recordingEnding}`);
    const wanted = 2 ** Math.floor(Math.log2(options.sizeBytes / blocksWanted));
    const blockBytes = Math.min(blockBytesMax, Math.max(blockBytesMin, wanted));
    const header = recordingHeader({
      id: this.id,
      config: options.config,
      scrubbed: options.scrubLiterals,
      blockBytes,
      blocks: Math.max(8, Math.floor(options.sizeBytes / blockBytes)),
    });
    this.#ring = new RingFile(this.path, header);
    this.#writer = new RecordingWriter(this.#ring);
    this.#scrubber = new Scrubber({ literals: options.scrubLiterals });
    this.#timer = setInterval(() => this.#flush(), flushMs);
    this.#timer.unref();
    // The last chance to write, on a normal exit or after an uncaught error.
    process.once("exit", this.#onExit);
  }

  record(ports: Ports): RecordedNode {
    return recordNode(ports, {
      id: this.id,
      writer: this.#writer,
      scrubber: this.#scrubber,
      after: afterContinuations,
      onAnswer: (request, response) => this.#onAnswer(request, response),
    });
  }

  /** Rules of access control as the recording may hold them, for the input `access`. */
  accessText(configuration: AccessConfiguration): string {
    return JSON.stringify(this.#options.scrubLiterals ? scrubAccess(configuration) : configuration);
  }

  /** Transition hook of the node; the recorder learns from it that a query failed. */
  readonly onTransition = (kind: "query" | "stage", id: string, _from: string, to: string): void => {
    if (kind === "query" && to === "FAILED") {
      this.#writer.queryFailed(id, "");
      if (this.#failed.size < failedQueriesMax) {
        this.#failed.add(id);
      }
    }
  };

  /** Writes all entries and copies the recording, so that the ring cannot overwrite it. Returns the directory of the copy. */
  keep(): string {
    this.flushSync();
    const folder = join(this.#options.folder, `kept-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const copy = join(folder, `${this.id}${recordingEnding}`);
    copyFileSync(this.path, copy);
    chmodSync(copy, 0o600);
    return folder;
  }

  /**
   * An incident on this or another node: entries are written at once, and the recording is copied when the ring starts to overwrite old
   * entries.
   */
  keepIncident(): void {
    this.#flush();
    const now = performance.now();
    if (this.#ring.wrapped && this.#kept < keptMax && now - this.#keptAtMs >= keepGapMs) {
      this.#kept++;
      this.#keptAtMs = now;
      this.keep();
    }
  }

  flushSync(): void {
    this.#ring.flushSync(this.#writer.partial());
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      clearInterval(this.#timer);
      process.off("exit", this.#onExit);
      this.flushSync();
      this.#ring.close();
    }
  }

  readonly #onExit = (): void => this.close();

  #flush(): void {
    if (!this.#closed) {
      this.#ring.flush(this.#writer.partial());
    }
  }

  /** The response that reports the failure to a client carries the error's name. */
  #onAnswer(request: HttpRequest, response: HttpResponse): void {
    if (this.#failed.size === 0 || !/^\/v1\/(?:statement|query)\b/.test(request.url)) {
      return;
    }
    const error = errorIn(response.body);
    if (error === undefined || !this.#failed.delete(error.queryId)) {
      return;
    }
    this.#writer.queryFailed(error.queryId, error.errorName);
    if (errorCatalogue[error.errorName as ErrorName]?.type !== "USER_ERROR") {
      this.keepIncident();
      this.#options.onIncident?.();
    }
  }
}

function errorIn(body: Uint8Array): { readonly queryId: string; readonly errorName: string } | undefined {
  try {
    const document = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()) as {
      readonly id?: string;
      readonly queryId?: string;
      readonly error?: { readonly errorName?: string };
      readonly errorCode?: { readonly name?: string };
    };
    // The error of a statement response, or of a document of the query resource.
    const errorName = document.error?.errorName ?? document.errorCode?.name;
    const queryId = document.id ?? document.queryId;
    return queryId === undefined || errorName === undefined ? undefined : { queryId, errorName };
  } catch {
    return undefined;
  }
}

/** Writes blocks to their slots in a file, asynchronously. */
class RingFile implements BlockSink {
  readonly #file: number;
  readonly #header: RecordingHeader;
  readonly #startBytes: number;
  /** Buffers for reuse. */
  readonly #free: Uint8Array[] = [];
  /** Blocks that the disk has not confirmed, by sequence number. */
  readonly #underWay = new Map<number, Uint8Array>();
  #sequence = 0;

  constructor(path: string, header: RecordingHeader) {
    // Recordings contain statements and results, so only the owner may read them.
    this.#file = openSync(path, "wx", 0o600);
    this.#header = header;
    const encoded = encodeHeader(header);
    this.#startBytes = encoded.length;
    writeSync(this.#file, encoded, 0, encoded.length, 0);
  }

  get wrapped(): boolean {
    return this.#sequence > this.#header.headBlocks + this.#header.ringBlocks;
  }

  take(): Uint8Array {
    return this.#free.pop() ?? new Uint8Array(this.#header.blockBytes);
  }

  full(sequence: number, block: Uint8Array): void {
    this.#sequence = sequence;
    if (this.#underWay.size * this.#header.blockBytes >= bytesUnderWayMax) {
      this.#release(block);
      return;
    }
    this.#write(sequence, block);
  }

  flush(open: { readonly sequence: number; readonly block: Uint8Array } | undefined): void {
    if (open !== undefined) {
      const copy = this.take();
      copy.set(open.block);
      this.#write(open.sequence, copy.subarray(0, open.block.length));
    }
  }

  flushSync(open: { readonly sequence: number; readonly block: Uint8Array } | undefined): void {
    for (const [sequence, block] of this.#underWay) {
      writeSync(this.#file, block, 0, block.length, this.#position(sequence));
    }
    if (open !== undefined) {
      writeSync(this.#file, open.block, 0, open.block.length, this.#position(open.sequence));
    }
  }

  close(): void {
    // Writes in flight still use the descriptor; the exit of the process closes it.
    if (this.#underWay.size === 0) {
      closeSync(this.#file);
    }
  }

  #position(sequence: number): number {
    return this.#startBytes + slotOf(this.#header, sequence) * this.#header.blockBytes;
  }

  #write(sequence: number, block: Uint8Array): void {
    const older = this.#underWay.get(sequence);
    this.#underWay.set(sequence, block);
    if (older !== undefined) {
      // Two concurrent writes to the same slot could end in either order, so the second one waits for the first.
      return;
    }
    this.#start(sequence, block);
  }

  #start(sequence: number, block: Uint8Array): void {
    write(this.#file, block, 0, block.length, this.#position(sequence), () => {
      const latest = this.#underWay.get(sequence);
      this.#release(block);
      if (latest !== undefined && latest !== block) {
        this.#start(sequence, latest);
      } else {
        this.#underWay.delete(sequence);
      }
    });
  }

  #release(block: Uint8Array): void {
    if (this.#free.length < 16) {
      this.#free.push(new Uint8Array(block.buffer, block.byteOffset, this.#header.blockBytes));
    }
  }
}
