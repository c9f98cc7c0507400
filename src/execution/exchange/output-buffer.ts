/**
 * The output of a task: frames numbered from 0 per consumer, kept until the consumer acknowledges them.
 *
 * - PARTITIONED gives each frame to one consumer.
 * - SHARED gives each frame to one consumer of each reader.
 * - BROADCAST gives every frame to all consumers.
 *
 * Rule of progress: a producer blocks while more than `bytesMax` bytes are unacknowledged, unless some consumer waits for a frame that does
 * not exist yet. In that case the producer continues, and frames beyond the bound spill to the node's storage and come back in order. The
 * rule prevents two deadlocks:
 *
 * - Two consumers that read two producers in fixed rotation would wait for each other.
 * - A join whose two sides come from one producer would block it, because the join does not read one side before the other has ended.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import { bufferBound } from "../../memory/headroom.ts";
import { Frame, releaseAll } from "../../page/frame.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { FaultPoints } from "../../ports/points.ts";
import type { Storage } from "../../ports/storage.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import { StateMachine } from "../../protocol/state-machine.ts";
import type { BufferRequest, BufferResult, BufferState, OutputBufferSnapshot, OutputBuffersDescriptor } from "../task/api.ts";
import { type Deferred, defer, Signal } from "../../ports/signal.ts";
import { FormerPages } from "./former-pages.ts";
import { SpillFile, type SpillPlace } from "../spill/spill-file.ts";
import { bufferTransitions } from "../task/state.ts";

export interface OutputBufferOptions {
  readonly taskId: string;
  readonly descriptor: OutputBuffersDescriptor;
  /** A former run of the task may have given pages to readers. */
  readonly isRerun: boolean;
  /** At this moment. Never 0. */
  readonly bytesMax: () => number;
  /** Reserves the bytes of frames in memory. The task closes it. */
  readonly memory: MemoryContext;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly points: FaultPoints;
  /** Returns the bytes of a frame, which nothing changes from then on: they are written to the disk while readers have the frame too. */
  readonly seal: (frame: Frame) => Uint8Array;
  /** Called when every consumer has left or has read everything. */
  readonly onFinished: () => void;
  /** Called when spilled frames cannot be written or read, or when pages are not those of the former run. */
  readonly onFailed: (error: unknown) => void;
}

/** One frame, shared by the buffers that hold it. */
interface BufferedFrame {
  readonly bytes: number;
  /** The frame if it is in memory; otherwise it is spilled at `place`. */
  frame: Frame | undefined;
  place: SpillPlace | undefined;
  references: number;
}

interface Reader {
  readonly token: number;
  readonly bytesMax: number;
  readonly called: Deferred;
  timer: Timer | undefined;
  /** An answer is due. Its content is determined after the producer's current slice, which may add more frames or the end. */
  isCalled: boolean;
}

interface ConsumerBuffer {
  readonly id: number;
  /** Number of frames[0]. */
  acknowledged: number;
  /** Number of frames that a reader has acknowledged. Frames dropped because the consumer left do not count. */
  taken: number;
  readonly frames: BufferedFrame[];
  finished: boolean;
  /** An answer has reported these frames as the last. */
  saidEnd: boolean;
  reader: Reader | undefined;
  /** Number of the last run of the reader that has asked for pages. */
  readerNumber: number;
  /** Number of the run of the reader that closed the buffer before it was told the end. */
  leftBy: number | undefined;
  /** Undefined in the first run of a task. */
  readonly former: FormerPages | undefined;
}

export class OutputBuffer {
  readonly #options: OutputBufferOptions;
  readonly #points: FaultPoints;
  readonly #buffers: ConsumerBuffer[];
  readonly #machine: StateMachine<BufferState>;
  readonly #spill: SpillFile;
  readonly #room = new Signal();
  #noMorePages = false;
  #pagesAdded = 0;
  #bytesUnacknowledged = 0;
  /** Bytes being written to disk: the output of one input page beyond the bound. */
  #bytesSpilling = 0;
  /** Part of the unacknowledged bytes that is spilled. */
  #bytesSpilled = 0;
  #pageBytesMax = 0;
  /** The last of the writes in progress. They end in order. */
  #spillWriting: Promise<void> | undefined;
  /** After CANCELED and FINISHED readers get the end, whatever frames there were. */
  #endVisible = false;

  constructor(options: OutputBufferOptions) {
    const { descriptor } = options;
    assert(descriptor.bufferCount >= 1, "a task has at least one output buffer");
    assert(descriptor.bufferCount % (descriptor.readerCount ?? 1) === 0, "every reader has as many buffers");
    this.#options = options;
    this.#points = options.points;
    this.#buffers = Array.from({ length: descriptor.bufferCount }, (_, id) => ({
      id,
      acknowledged: 0,
      taken: 0,
      frames: [],
      finished: false,
      saidEnd: false,
      reader: undefined,
      readerNumber: 0,
      leftBy: undefined,
      former: options.isRerun ? new FormerPages() : undefined,
    }));
    this.#machine = new StateMachine({ name: `output buffer of ${options.taskId}`, table: bufferTransitions, initial: "OPEN" });
    // The task's creation fixes the number of consumers.
    this.#machine.to("NO_MORE_BUFFERS");
    this.#spill = new SpillFile(options.storage, options.taskId, options.clock);
  }

  get state(): BufferState {
    return this.#machine.state;
  }

  get bufferCount(): number {
    return this.#buffers.length;
  }

  /** Number of partitions that the producer splits its rows into. */
  get partitionCount(): number {
    return this.#buffers.length / (this.#options.descriptor.readerCount ?? 1);
  }

  get spilledBytes(): number {
    return this.#spill.spilledBytes;
  }

  /** True if every consumer is gone: further pages have no consumer. */
  get isFinished(): boolean {
    return this.#machine.ended;
  }

  /** True if every consumer has left or was sent all frames, acknowledged or not. */
  get isGiven(): boolean {
    return this.#buffers.every((buffer) => buffer.finished || buffer.saidEnd);
  }

  /** A producer must not add a frame before this resolves. Undefined if it can add now. */
  blocked(): Promise<void> | undefined {
    if (this.#machine.ended) {
      return undefined;
    }
    if (this.#spillWriting !== undefined) {
      return this.#spillWriting;
    }
    return this.#mayAdd() ? undefined : this.#room.next();
  }

  /** `partition` is below partitionCount; BROADCAST ignores it. The buffer takes ownership of the frame. */
  add(partition: number, frame: Frame): void {
    assert(!this.#noMorePages || this.#machine.ended, "no page follows the last");
    const targets = this.#machine.ended ? [] : this.#targets(partition);
    if (targets.length === 0) {
      frame.release();
      return;
    }
    const entry: BufferedFrame = { bytes: frame.length, frame, place: undefined, references: targets.length };
    try {
      this.#options.memory.reserve(frame.length);
    } catch (error) {
      frame.release();
      throw error;
    }
    // The frame that crosses the bound stays in memory. Later frames exist only because a consumer waits, and they spill.
    const isBeyond = this.#bytesUnacknowledged > this.#bytesMax || this.#points.fires("buffer-spills-early");
    this.#pagesAdded++;
    this.#pageBytesMax = Math.max(this.#pageBytesMax, frame.length);
    this.#bytesUnacknowledged += frame.length;
    for (const buffer of targets) {
      buffer.frames.push(entry);
    }
    if (this.#options.isRerun) {
      this.#options.seal(frame);
      this.#addedAgain(targets, frame);
    }
    if (isBeyond && entry.references > 0 && !targets.every(isWaiting)) {
      this.#spillFrame(entry);
    }
    for (const buffer of targets) {
      this.#serve(buffer);
    }
  }

  setNoMorePages(): void {
    if (this.#noMorePages || this.#machine.ended) {
      return;
    }
    this.#noMorePages = true;
    this.#machine.to("FLUSHING");
    if (this.#buffers.some((buffer) => this.#isOther(buffer))) {
      this.#options.onFailed(this.#otherPages());
    }
    for (const buffer of this.#buffers) {
      this.#serve(buffer);
    }
  }

  async read(request: BufferRequest): Promise<BufferResult> {
    const buffer = this.#buffer(request.bufferId);
    const { reader: number = buffer.readerNumber, token } = request;
    if (number < buffer.readerNumber) {
      return { ...nothing(token), frames: [], hasFollower: true };
    }
    buffer.readerNumber = number;
    if (this.#machine.state !== "FAILED") {
      buffer.former?.ask(token, request.digest);
      if (this.#isOther(buffer)) {
        this.#options.onFailed(this.#otherPages());
        return { token, nextToken: token, complete: false, frames: [] };
      }
      this.#acknowledge(buffer, token);
    }
    this.#call(buffer);
    const reader: Reader = { token, bytesMax: request.bytesMax, called: defer(), timer: undefined, isCalled: false };
    buffer.reader = reader;
    this.#serve(buffer);
    if (!reader.isCalled && this.#points.fires("buffer-answers-empty")) {
      this.#call(buffer);
    }
    if (!reader.isCalled) {
      reader.timer = this.#options.clock.timer("buffer-read", request.waitMs, () => {
        if (buffer.reader === reader) {
          this.#call(buffer);
        }
      });
      // The reader waits for a frame that does not exist yet, so the producer continues even beyond the bound.
      if (this.#mayAdd()) {
        this.#room.fire();
      }
    }
    await reader.called.promise;
    return this.#loadFrames(buffer.reader === reader ? this.#answer(buffer, reader) : nothing(token));
  }

  acknowledge(bufferId: number, token: number, reader?: number): void {
    const buffer = this.#buffer(bufferId);
    if (this.#machine.state !== "FAILED" && (reader ?? buffer.readerNumber) >= buffer.readerNumber) {
      this.#acknowledge(buffer, token);
    }
  }

  /**
   * The consumer needs no more frames. A former run of it does not speak for the last one: false, and the buffer stays. Without a number
   * the coordinator ends the output for all runs.
   */
  destroy(bufferId: number, reader?: number): boolean {
    const buffer = this.#buffer(bufferId);
    if (reader !== undefined && reader < buffer.readerNumber) {
      return false;
    }
    if (this.#machine.state !== "FAILED") {
      if (!buffer.finished && !buffer.saidEnd) {
        buffer.leftBy = reader;
      }
      this.#finishBuffer(buffer);
    }
    return true;
  }

  /** Readers never see an end: the output of a failed producer is not complete. */
  fail(): void {
    if (!this.#machine.ended) {
      this.#machine.to("FAILED");
      this.#releaseAll();
    }
  }

  /** Readers see the end. */
  finish(): void {
    if (!this.#machine.ended) {
      this.#endVisible = true;
      this.#machine.to("FINISHED");
      this.#releaseAll();
      for (const buffer of this.#buffers) {
        buffer.finished = true;
        this.#serve(buffer);
      }
    }
  }

  snapshot(): OutputBufferSnapshot {
    return {
      state: this.#machine.state,
      pagesAdded: this.#pagesAdded,
      bufferedBytes: this.#bytesUnacknowledged,
      memoryBytes: this.#bytesUnacknowledged - this.#bytesSpilled,
      spillingBytes: this.#bytesSpilling,
      pageBytesMax: this.#pageBytesMax,
      producerWaits: this.#room.isAwaited,
      buffers: this.#buffers.map((buffer) => ({
        bufferId: String(buffer.id),
        finished: buffer.finished,
        readerWaits: isWaiting(buffer),
        bufferedPages: buffer.frames.length,
        pagesSent: buffer.acknowledged,
      })),
    };
  }

  #mayAdd(): boolean {
    return this.#bytesUnacknowledged <= this.#bytesMax || this.#buffers.some(isWaiting);
  }

  get #bytesMax(): number {
    return bufferBound(this.#options.memory, this.#options.bytesMax());
  }

  #buffer(bufferId: number): ConsumerBuffer {
    const buffer = this.#buffers[bufferId];
    if (buffer === undefined) {
      throw new QueryError("NOT_FOUND", `Output buffer ${bufferId} of task ${this.#options.taskId} does not exist`);
    }
    return buffer;
  }

  #targets(partition: number): readonly ConsumerBuffer[] {
    const { kind } = this.#options.descriptor;
    if (kind === "BROADCAST") {
      return this.#buffers.filter((buffer) => !buffer.finished);
    }
    const buffer = this.#buffer(partition);
    if (kind === "SHARED") {
      return this.#buffers.filter(({ id, finished }) => !finished && id % this.partitionCount === partition);
    }
    return buffer.finished ? [] : [buffer];
  }

  /** The bytes are not freed before they are written. */
  #spillFrame(entry: BufferedFrame): void {
    this.#bytesSpilling += entry.bytes;
    const frame = (entry.frame as Frame).retain();
    const { place, written } = this.#spill.write(this.#options.seal(frame));
    const kept = written.finally(() => frame.release());
    const ended = (): void => {
      if (this.#spillWriting === writing) {
        this.#spillWriting = undefined;
      }
    };
    const writing: Promise<void> = kept.then(
      () => {
        this.#bytesSpilling -= entry.bytes;
        ended();
        if (entry.references > 0) {
          entry.place = place;
          entry.frame?.release();
          entry.frame = undefined;
          this.#bytesSpilled += entry.bytes;
          this.#bytesInMemory(-entry.bytes);
        } else {
          this.#spill.release(place);
        }
      },
      (error: unknown) => {
        ended();
        this.#options.onFailed(error);
      },
    );
    this.#spillWriting = writing;
  }

  /** Pages that the readers have from a former run are dropped. */
  #addedAgain(targets: readonly ConsumerBuffer[], frame: Frame): void {
    for (const buffer of targets) {
      const owed = buffer.former?.owed ?? 0;
      buffer.former?.add(frame);
      if (this.#isOther(buffer)) {
        throw this.#otherPages();
      }
      if (owed > 0) {
        this.#acknowledge(buffer, owed);
      }
    }
  }

  #isOther({ former }: ConsumerBuffer): boolean {
    return former?.isSame(this.#noMorePages) === false;
  }

  #otherPages(): QueryError {
    return new QueryError("REMOTE_TASK_ERROR", `Task ${this.#options.taskId} was run again, and its pages are others`);
  }

  #bytesInMemory(change: number): void {
    if (!this.#machine.ended) {
      this.#options.memory.release(-change);
    }
  }

  /** Wakes the waiting reader if an answer is due. */
  #serve(buffer: ConsumerBuffer): void {
    const { reader } = buffer;
    if (reader === undefined || this.#machine.state === "FAILED") {
      return;
    }
    const end = buffer.acknowledged + buffer.frames.length;
    const isOwed = (buffer.former?.owed ?? 0) > end;
    if (this.#endVisible || buffer.finished || this.#noMorePages || (reader.token !== end && !isOwed)) {
      this.#call(buffer);
    }
  }

  #call({ reader }: ConsumerBuffer): void {
    if (reader !== undefined) {
      reader.isCalled = true;
      reader.timer?.cancel();
      reader.called.resolve();
    }
  }

  #answer(buffer: ConsumerBuffer, { token, bytesMax }: Reader): PendingResult {
    buffer.reader = undefined;
    if (this.#machine.state === "FAILED") {
      return nothing(token);
    }
    if (this.#endVisible) {
      return { token, nextToken: token, complete: true, frames: [] };
    }
    if (token < buffer.taken || (buffer.leftBy !== undefined && buffer.leftBy < buffer.readerNumber)) {
      // An earlier run of the reader has consumed these pages, or has left before they were made. To answer with the end, or without
      // frames, would lose rows.
      return { ...nothing(token), gone: true };
    }
    if (buffer.finished) {
      return { token, nextToken: token, complete: true, frames: [] };
    }
    const end = buffer.acknowledged + buffer.frames.length;
    if (token >= buffer.acknowledged && token < end) {
      const entries = takeUpTo(buffer.frames, token - buffer.acknowledged, this.#points.fires("buffer-answers-one-page") ? 0 : bytesMax);
      const nextToken = token + entries.length;
      const complete = this.#noMorePages && nextToken === end;
      buffer.saidEnd ||= complete;
      return { token, nextToken, complete, frames: entries };
    }
    if (token === end && this.#noMorePages) {
      // The token is behind the last frame, so the consumer has received all frames.
      this.#finishBuffer(buffer);
      return { token, nextToken: token, complete: true, frames: [] };
    }
    return nothing(token);
  }

  async #loadFrames(result: PendingResult): Promise<BufferResult> {
    const frames: Frame[] = [];
    for (const entry of result.frames) {
      if (entry.frame !== undefined) {
        frames.push(entry.frame.retain());
      } else if (entry.place !== undefined && entry.references > 0) {
        try {
          frames.push(new Frame(await this.#spill.read(entry.place)));
        } catch (error) {
          // The file of a frame that was acknowledged or destroyed meanwhile may be gone; nobody misses it.
          if (!this.#machine.ended && entry.references > 0) {
            this.#options.onFailed(error);
          }
          releaseAll(frames);
          return { token: result.token, nextToken: result.token, complete: false, frames: [] };
        }
      }
    }
    if (frames.length < result.frames.length) {
      // The frames were acknowledged or destroyed while they were loaded: the reader has moved on or will never return.
      releaseAll(frames);
      return { token: result.token, nextToken: result.token, complete: false, frames: [] };
    }
    return { ...result, frames };
  }

  #acknowledge(buffer: ConsumerBuffer, token: number): void {
    const count = Math.min(token - buffer.acknowledged, buffer.frames.length);
    if (count <= 0) {
      return;
    }
    for (const entry of buffer.frames.splice(0, count)) {
      this.#dropReference(entry);
    }
    buffer.acknowledged += count;
    buffer.taken = buffer.acknowledged;
    if (this.#mayAdd()) {
      this.#room.fire();
    }
  }

  #dropReference(entry: BufferedFrame): void {
    entry.references--;
    if (entry.references > 0) {
      return;
    }
    this.#bytesUnacknowledged -= entry.bytes;
    if (entry.frame !== undefined) {
      this.#bytesInMemory(-entry.bytes);
      entry.frame.release();
      entry.frame = undefined;
    }
    if (entry.place !== undefined) {
      this.#bytesSpilled -= entry.bytes;
      this.#spill.release(entry.place);
    }
  }

  #finishBuffer(buffer: ConsumerBuffer): void {
    if (buffer.finished) {
      return;
    }
    buffer.finished = true;
    buffer.former?.settle();
    const end = buffer.acknowledged + buffer.frames.length;
    for (const entry of buffer.frames.splice(0)) {
      this.#dropReference(entry);
    }
    buffer.acknowledged = end;
    if (buffer.saidEnd) {
      buffer.taken = end;
    }
    this.#serve(buffer);
    if (!this.#machine.ended && this.#buffers.every((candidate) => candidate.finished)) {
      this.#machine.to("FINISHED");
      this.#releaseAll();
      this.#options.onFinished();
    } else if (this.#mayAdd()) {
      this.#room.fire();
    }
  }

  /** The task closes the memory context, which releases all reservations. */
  #releaseAll(): void {
    for (const buffer of this.#buffers) {
      for (const entry of buffer.frames.splice(0)) {
        entry.references = 0;
        entry.frame?.release();
        entry.frame = undefined;
      }
    }
    this.#bytesUnacknowledged = 0;
    this.#bytesSpilled = 0;
    this.#spill.close();
    this.#room.fire();
  }
}

interface PendingResult {
  readonly token: number;
  readonly nextToken: number;
  readonly complete: boolean;
  readonly frames: readonly BufferedFrame[];
  readonly gone?: true;
}

function nothing(token: number): PendingResult {
  return { token, nextToken: token, complete: false, frames: [] };
}

function isWaiting({ finished, reader }: ConsumerBuffer): boolean {
  return !finished && reader?.isCalled === false;
}

/** Frames from `start` up to `bytesMax` bytes, at least one. */
function takeUpTo(frames: readonly BufferedFrame[], start: number, bytesMax: number): readonly BufferedFrame[] {
  let end = start;
  let bytes = 0;
  while (end < frames.length && (end === start || bytes + (frames[end] as BufferedFrame).bytes <= bytesMax)) {
    bytes += (frames[end] as BufferedFrame).bytes;
    end++;
  }
  return frames.slice(start, end);
}
