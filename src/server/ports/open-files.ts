/**
 * Files of one owner each that stay open between two operations: to open a file takes three ways through the system's pool of threads, and
 * a spilled frame is small. The number of descriptors is bounded. A file whose descriptor was taken is opened again.
 */
import { closeSync, openSync, read, writev } from "node:fs";
import { Signal } from "../../ports/signal.ts";
import { CachedReads } from "./cached-reads.ts";

/** Descriptors that are open at once. */
const openMaxDefault = 64;

interface Descriptors {
  readonly openMax: number;
  /** Files with a descriptor, the last used one last. */
  readonly open: Set<OpenFile>;
  /** A descriptor is not in use any more. */
  readonly released: Signal;
  readonly cached: CachedReads;
}

export class OpenFiles {
  readonly #descriptors: Descriptors;

  constructor(cached = new CachedReads(), openMax = openMaxDefault) {
    this.#descriptors = { openMax, open: new Set(), released: new Signal(), cached };
  }

  get openCount(): number {
    return this.#descriptors.open.size;
  }

  /** A new file. It is made by the first append. */
  open(path: string): OpenFile {
    return new OpenFile(path, this.#descriptors);
  }
}

export class OpenFile {
  readonly #path: string;
  readonly #descriptors: Descriptors;
  #descriptor: number | undefined;
  /** Operations in progress. */
  #users = 0;
  #exists = false;
  #sizeBytes = 0;
  #appending: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(path: string, descriptors: Descriptors) {
    this.#path = path;
    this.#descriptors = descriptors;
  }

  /** Rejects with the errors of opening and writing a file; ENOENT if its folder is missing. */
  append(parts: readonly Uint8Array[]): Promise<void> {
    const appended = this.#appending.then(() =>
      this.#use("append", async (descriptor) => {
        let left = parts.filter(({ length }) => length > 0);
        while (left.length > 0) {
          const written = await writeSome(descriptor, left, this.#sizeBytes);
          this.#sizeBytes += written;
          left = without(left, written);
        }
      }),
    );
    this.#appending = appended.catch(ignore);
    return appended;
  }

  /** Fills the target from the offset on, or up to the end of the file; returns what it has filled. */
  read(offset: number, target: Uint8Array): Promise<Uint8Array> {
    return this.#use("read", async (descriptor) => {
      let filled = this.#descriptors.cached.fill(descriptor, target, offset);
      while (filled < target.length) {
        const bytesRead = await readSome(descriptor, target.subarray(filled), offset + filled);
        if (bytesRead === 0) {
          break;
        }
        filled += bytesRead;
      }
      return filled === target.length ? target : target.subarray(0, filled);
    });
  }

  /** Its descriptor is closed with the last operation in progress. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#closeUnused();
  }

  async #use<T>(what: "append" | "read", work: (descriptor: number) => Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await work(await this.#open(what === "append" && !this.#exists));
    } finally {
      this.#users--;
      if (this.#closed) {
        this.#closeUnused();
      }
      this.#descriptors.released.fire();
    }
  }

  async #open(isNew: boolean): Promise<number> {
    const { open, openMax, released } = this.#descriptors;
    while (this.#descriptor === undefined && open.size >= openMax) {
      const unused = [...open].find((file) => file.#users === 0);
      if (unused === undefined) {
        await released.next();
      } else {
        unused.#closeUnused();
      }
    }
    this.#descriptor ??= openSync(this.#path, isNew ? "w+" : "r+");
    this.#exists = true;
    open.delete(this);
    open.add(this);
    return this.#descriptor;
  }

  #closeUnused(): void {
    if (this.#users === 0 && this.#descriptor !== undefined) {
      closeSync(this.#descriptor);
      this.#descriptor = undefined;
      this.#descriptors.open.delete(this);
    }
  }
}

function without(parts: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skipped = bytes;
  const left: Uint8Array[] = [];
  for (const part of parts) {
    if (skipped < part.length) {
      left.push(part.subarray(skipped));
    }
    skipped = Math.max(0, skipped - part.length);
  }
  return left;
}

function writeSome(descriptor: number, parts: readonly Uint8Array[], position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(descriptor, parts as Uint8Array[], position, (error, bytesWritten) => (error === null ? resolve(bytesWritten) : reject(error)));
  });
}

function readSome(descriptor: number, target: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, target, 0, target.length, position, (error, bytesRead) => (error === null ? resolve(bytesRead) : reject(error)));
  });
}

function ignore(): void {}
