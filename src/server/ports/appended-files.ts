/**
 * Files that a node appends to again and again: their descriptors stay open between two appends, because opening and closing a file takes
 * more time than writing a line to it. A file that has been removed in the meantime is begun anew, as it would be by its name.
 */
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";

/** Descriptors that are kept; the one that has not been used for the longest time is closed. */
const openMax = 8;
/** Time after which an unused descriptor is closed, in milliseconds. */
const idleMs = 5_000;

interface OpenFile {
  readonly descriptor: number;
  wasUsed: boolean;
}

export class AppendedFiles {
  /** By full path, the last used one last. */
  readonly #open = new Map<string, OpenFile>();
  #sweeps = false;

  /** Throws the errors of opening and writing a file; ENOENT if its folder is missing. */
  append(path: string, bytes: Uint8Array): void {
    const { descriptor } = this.#file(path);
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written);
      }
    } catch (error) {
      this.forget(path);
      throw error;
    }
  }

  /** The next append to this file, or to one in this folder, opens it by its name. */
  forget(path: string): void {
    for (const [open, { descriptor }] of this.#open) {
      if (open === path || open.startsWith(`${path}/`)) {
        this.#open.delete(open);
        closeSync(descriptor);
      }
    }
  }

  #file(path: string): OpenFile {
    let file = this.#open.get(path);
    if (file !== undefined && fstatSync(file.descriptor).nlink === 0) {
      this.forget(path);
      file = undefined;
    }
    file ??= { descriptor: openSync(path, "a"), wasUsed: true };
    file.wasUsed = true;
    this.#open.delete(path);
    this.#open.set(path, file);
    for (const first of this.#open.keys()) {
      if (this.#open.size <= openMax) {
        break;
      }
      this.forget(first);
    }
    this.#sweepLater();
    return file;
  }

  #sweepLater(): void {
    if (!this.#sweeps && this.#open.size > 0) {
      this.#sweeps = true;
      setTimeout(() => this.#closeUnused(), idleMs).unref();
    }
  }

  #closeUnused(): void {
    this.#sweeps = false;
    for (const [path, file] of this.#open) {
      if (file.wasUsed) {
        file.wasUsed = false;
      } else {
        this.forget(path);
      }
    }
    this.#sweepLater();
  }
}
