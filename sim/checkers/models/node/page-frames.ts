/**
 * Page frames on the wire, byte by byte, written from docs/interface.md (Task): every array begins at a multiple of 8 bytes, gaps and the
 * values under NULL are zero, a byte of NULL is 0 or 1, the id of a row is one of the dictionary's entries, and a column without a
 * dictionary has a value for each row. Equal rows in equal layout have equal bytes, so nothing of a frame may depend on what lay in its
 * memory before.
 */
import { frameHeaderBytes, hasDictionary, hasNulls, layoutAt, magic, stringCode } from "../../protocol/frames.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind } from "../model.ts";

class PageFrames implements Model {
  readonly #context: Judged;

  constructor(context: Judged) {
    this.#context = context;
  }

  observe({ to, task, request, response }: Observed): void {
    if (task?.what !== "results" || request.method !== "GET" || response.status !== 200) {
      return;
    }
    const fault = faultOfFrames(response.body);
    this.#context.check(fault === undefined, () => `${to} gives a page of ${task.taskId} ${task.bufferId} in which ${fault ?? ""}`);
  }
}

/** What is wrong with a body of frames; undefined if nothing is. */
function faultOfFrames(body: Uint8Array): string | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  while (at < body.length) {
    if (at + frameHeaderBytes > body.length || view.getUint32(at, true) !== magic) {
      return `no frame begins at byte ${at}`;
    }
    const end = at + frameHeaderBytes + view.getUint32(at + 12, true);
    const columns = new Columns(view, { rows: view.getUint32(at + 4, true), at: at + frameHeaderBytes, end });
    const fault = columns.fault(view.getUint32(at + 8, true));
    if (fault !== undefined) {
      return fault;
    }
    at = end;
  }
  return undefined;
}

class Columns {
  readonly #view: DataView;
  readonly #rows: number;
  readonly #end: number;
  #at: number;

  constructor(view: DataView, { rows, at, end }: { readonly rows: number; readonly at: number; readonly end: number }) {
    this.#view = view;
    this.#rows = rows;
    this.#at = at;
    this.#end = end;
  }

  fault(count: number): string | undefined {
    if (this.#end > this.#view.byteLength) {
      return "a frame is cut";
    }
    for (let column = 0; column < count; column++) {
      const fault = this.#columnFault();
      if (fault !== undefined) {
        return `column ${column} ${fault}`;
      }
    }
    return this.#at === this.#end ? undefined : `the columns end ${this.#end - this.#at} bytes before their frame`;
  }

  #columnFault(): string | undefined {
    const { flags, count, stringBytes, code, width, ids, nulls, values, strings, end } = layoutAt(this.#view, this.#at, this.#rows);
    if (width === 0 || flags > (hasNulls | hasDictionary)) {
      return `has the type ${code} and the flags ${flags}`;
    }
    if ((flags & hasDictionary) === 0 && count !== this.#rows) {
      return `has ${count} values for ${this.#rows} rows, and no dictionary`;
    }
    this.#at = end;
    if (this.#at > this.#end) {
      return "is longer than its frame";
    }
    return (
      this.#idFault(ids, nulls, count) ??
      this.#nullFault({ nulls, values, count, width }) ??
      this.#gapFault(values + count * width, strings, "values") ??
      this.#gapFault(strings + stringBytes, this.#at, "strings") ??
      (code === stringCode ? this.#lengthFault(values, count, stringBytes) : undefined)
    );
  }

  #idFault(ids: number, end: number, count: number): string | undefined {
    if (ids === end) {
      return undefined;
    }
    for (let row = 0; row < this.#rows; row++) {
      if (this.#u32(ids + row * 4) >= count) {
        return `has the id ${this.#u32(ids + row * 4)} in row ${row}, of ${count} entries`;
      }
    }
    return this.#gapFault(ids + this.#rows * 4, end, "ids");
  }

  #nullFault(array: Readonly<Record<"nulls" | "values" | "count" | "width", number>>): string | undefined {
    const { nulls, values, count, width } = array;
    if (nulls === values) {
      return undefined;
    }
    let found = 0;
    for (let index = 0; index < count; index++) {
      const isNull = this.#view.getUint8(nulls + index);
      if (isNull > 1) {
        return `has ${isNull} in place of NULL or not`;
      }
      found += isNull;
      if (isNull === 1 && !this.#isZero(values + index * width, values + (index + 1) * width)) {
        return `has a value under the NULL ${index}`;
      }
    }
    return found === 0 ? "says that it has NULLs, and has none" : this.#gapFault(nulls + count, values, "NULLs");
  }

  #lengthFault(lengths: number, count: number, stringBytes: number): string | undefined {
    let sum = 0;
    for (let index = 0; index < count; index++) {
      sum += this.#u32(lengths + index * 4);
    }
    return sum === stringBytes ? undefined : `has strings of ${sum} bytes, and says ${stringBytes}`;
  }

  #gapFault(from: number, to: number, what: string): string | undefined {
    return this.#isZero(from, to) ? undefined : `has a gap after its ${what} that is not zero`;
  }

  #isZero(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      if (this.#view.getUint8(at) !== 0) {
        return false;
      }
    }
    return true;
  }

  #u32(at: number): number {
    return this.#view.getUint32(at, true);
  }
}

export const pageFrames: ModelKind = {
  invariant: {
    name: "page-frames",
    sentence: "The arrays of a page frame fill it, its gaps and the values under NULL are zero, and its ids are those of its dictionary.",
    kind: "safety",
    checkedIn: "checkers/models/node/page-frames.ts",
  },
  create: (context) => new PageFrames(context),
};
