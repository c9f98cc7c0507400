/**
 * Sizes of rows, written from docs/interface.md (Task): the bytes of a page are those that its rows take. A row has 4 bytes in a column
 * with a dictionary, otherwise the width of its type, with 8 bytes beside those of a string; and one byte more where the column has NULLs.
 * The pages of an exchange are the frames that it received, so the bytes that it says it gave follow from them.
 */
import { parseDataSize } from "../../../../src/protocol/units.ts";
import { headerOf, isTaskDocument, type Observed, type TaskTarget } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

const frameHeaderBytes = 24;
const columnHeaderBytes = 16;
const [hasNulls, hasDictionary] = [1, 2];
/** Bytes of a value in a frame, by the code of its physical type. A string has its length there. */
const widths: readonly number[] = [0, 1, 2, 4, 8, 16, 4, 8, 4];
const stringCode = 8;
/** Beside the bytes of a string in memory: where it begins, and its length. */
const stringBytes = 8;
const idBytes = 4;
/** The length of strings may be taken from a sample of as many rows. */
const sampleRows = 64;
/** Sizes are written with two decimal places. */
const roundingShare = 0.006;

interface Rows {
  readonly rows: number;
  readonly least: number;
  readonly most: number;
}

interface Info {
  readonly taskId: string;
  readonly stats?: {
    readonly pipelines: readonly {
      readonly operatorSummaries: readonly {
        readonly operatorType: string;
        readonly outputPositions: number;
        readonly outputDataSize: string;
        readonly info?: { readonly pageBufferClientStatuses: readonly { readonly uri: string; readonly pagesReceived: number }[] };
      }[];
    }[];
  };
}

class RowSizes implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  /** Pages by `place task buffer`, in the order of their tokens. */
  readonly #pages = new Map<string, Rows[]>();

  constructor(context: Judged) {
    this.#context = context;
  }

  note({ place }: Note): void {
    for (const key of this.#pages.keys()) {
      if (key.startsWith(`${place} `)) {
        this.#pages.delete(key);
      }
    }
  }

  observe(answer: Observed): void {
    const { request, response, task, to } = answer;
    if (response.status !== 200 || task === undefined) {
      return;
    }
    if (task.what === "results" && request.method === "GET") {
      this.#frames(to, task, answer);
    } else if (task.what === "task" && isTaskDocument(answer)) {
      this.#task(answer.json() as Info);
    }
  }

  #frames(place: string, { taskId, bufferId }: TaskTarget, { response }: Observed): void {
    const key = `${place} ${taskId} ${bufferId}`;
    const pages = this.#pages.get(key) ?? [];
    this.#pages.set(key, pages);
    const first = Number(headerOf(response.headers, "x-engine-page-sequence-id"));
    rowsOfFrames(response.body).forEach((rows, index) => {
      pages[first + index] = rows;
    });
  }

  #task({ taskId, stats }: Info): void {
    for (const { operatorSummaries } of stats?.pipelines ?? []) {
      for (const { info, operatorType, outputDataSize, outputPositions } of operatorSummaries) {
        if (operatorType === "ExchangeOperator" && info !== undefined && outputPositions > 0) {
          const pages = info.pageBufferClientStatuses.flatMap(({ pagesReceived, uri }) => this.#received(uri, pagesReceived));
          this.#exchange(taskId, { pages, bytes: parseDataSize(outputDataSize) ?? Number.NaN, rows: outputPositions });
        }
      }
    }
  }

  /** The first pages at an address; undefined for those that did not come over the network. */
  #received(uri: string, count: number): readonly (Rows | undefined)[] {
    const [host = "", path = ""] = uri.replace("http://", "").split("/v1/task/", 2);
    const [taskId = "", , bufferId = ""] = path.split("/");
    const pages = this.#pages.get(`${host.split(":")[0] ?? ""} ${taskId} ${bufferId}`) ?? [];
    return Array.from({ length: count }, (_, token) => pages[token]);
  }

  /** Only where the exchange has given all pages that it received. */
  #exchange(
    taskId: string,
    { bytes, pages, rows }: { readonly pages: readonly (Rows | undefined)[]; readonly bytes: number; readonly rows: number },
  ): void {
    const sum = { rows: 0, least: 0, most: 0 };
    for (const page of pages) {
      sum.rows += page?.rows ?? Number.NaN;
      sum.least += page?.least ?? 0;
      sum.most += page?.most ?? 0;
    }
    if (sum.rows !== rows) {
      return;
    }
    this.#context.check(
      bytes >= sum.least * (1 - roundingShare) && bytes <= sum.most * (1 + roundingShare),
      () => `an exchange of ${taskId} gave ${rows} rows of ${bytes} bytes; its pages have between ${sum.least} and ${sum.most}`,
    );
  }
}

function rowsOfFrames(body: Uint8Array): readonly Rows[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const all: Rows[] = [];
  for (let at = 0; at + frameHeaderBytes <= body.length; at += frameHeaderBytes + view.getUint32(at + 12, true)) {
    all.push(rowsOfFrame(view, at));
  }
  return all;
}

function rowsOfFrame(view: DataView, from: number): Rows {
  const rows = view.getUint32(from + 4, true);
  const sum = { rows, least: 0, most: 0 };
  let at = from + frameHeaderBytes;
  for (let left = view.getUint32(from + 8, true); left > 0; left--) {
    const [flags, count, textBytes, code] = [0, 4, 8, 12].map((offset) => view.getUint32(at + offset, true)) as [
      number,
      number,
      number,
      number,
    ];
    const isDictionary = (flags & hasDictionary) !== 0;
    const nullBytes = (flags & hasNulls) === 0 ? 0 : padded(count);
    const lengths = at + columnHeaderBytes + (isDictionary ? padded(rows * idBytes) : 0) + nullBytes;
    const ofNulls = nullBytes === 0 ? 0 : rows;
    const isString = code === stringCode && !isDictionary;
    const fixed = (isDictionary ? idBytes : isString ? stringBytes : (widths[code] ?? 0)) * rows + ofNulls;
    const [least, most] = isString ? textsOf(view, { lengths, rows, textBytes }) : [0, 0];
    sum.least += fixed + least;
    sum.most += fixed + most;
    at = lengths + padded(count * (widths[code] ?? 0)) + padded(textBytes);
  }
  return sum;
}

/** Least and most bytes that the strings of a page are said to have: those that they have, if there are few. */
function textsOf(
  view: DataView,
  { lengths, rows, textBytes }: { readonly lengths: number; readonly rows: number; readonly textBytes: number },
): readonly [number, number] {
  if (rows < 2 * sampleRows) {
    return [textBytes, textBytes];
  }
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0];
  for (let row = 0; row < rows; row++) {
    const length = view.getUint32(lengths + row * idBytes, true);
    shortest = Math.min(shortest, length);
    longest = Math.max(longest, length);
  }
  return [shortest * rows, longest * rows];
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

export const rowSizes: ModelKind = {
  invariant: {
    name: "row-sizes",
    sentence: "The bytes that an exchange says it gave are those that the rows of its pages take.",
    kind: "safety",
    checkedIn: "checkers/models/node/row-sizes.ts",
  },
  create: (context) => new RowSizes(context),
};
