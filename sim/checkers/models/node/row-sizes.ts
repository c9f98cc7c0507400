/**
 * Sizes of rows, written from docs/interface.md (Task): the bytes of a page are those that its rows take. A row has 4 bytes in a column
 * with a dictionary, otherwise the width of its type, with 8 bytes beside those of a string; and one byte more where the column has NULLs.
 * The pages of an exchange are the frames that it received, so the bytes that it says it gave follow from them.
 */
import { parseDataSize } from "../../../../src/protocol/units.ts";
import { frameHeaderBytes, layoutAt, splitFrames, stringCode } from "../../protocol/frames.ts";
import { headerOf, isTaskDocument, type Observed, type TaskTarget } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

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
    splitFrames(response.body).forEach((frame, index) => {
      pages[first + index] = rowsOfFrame(frame);
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

function rowsOfFrame(frame: Uint8Array): Rows {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const rows = view.getUint32(4, true);
  const sum = { rows, least: 0, most: 0 };
  let at = frameHeaderBytes;
  for (let left = view.getUint32(8, true); left > 0; left--) {
    const { stringBytes: textBytes, code, width, ids, nulls, values, end } = layoutAt(view, at, rows);
    const isDictionary = nulls > ids;
    const ofNulls = values > nulls ? rows : 0;
    const isString = code === stringCode && !isDictionary;
    const fixed = (isDictionary ? idBytes : isString ? stringBytes : width) * rows + ofNulls;
    const [least, most] = isString ? textsOf(view, { lengths: values, rows, textBytes }) : [0, 0];
    sum.least += fixed + least;
    sum.most += fixed + most;
    at = end;
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

export const rowSizes: ModelKind = {
  invariant: {
    name: "row-sizes",
    sentence: "The bytes that an exchange says it gave are those that the rows of its pages take.",
    kind: "safety",
    checkedIn: "checkers/models/node/row-sizes.ts",
  },
  create: (context) => new RowSizes(context),
};
