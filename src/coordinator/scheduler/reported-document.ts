/**
 * The document of a task as its worker has told it. Pipelines are most of its text, and are parsed when somebody asks for the document: the
 * end of a query waits for its counters alone.
 */
import { parseJson } from "../../protocol/json.ts";
import { type TaskDocument, taskInfoReader } from "../../protocol/documents/task.ts";

/** What the objects of a document take, in bytes a character of its text; rather too much. */
const heapBytesPerCharacter = 2;

export class ReportedDocument {
  /** An estimate of what it takes on the heap, parsed or not. */
  readonly heapBytes: number;
  #text: string;
  #document: TaskDocument | undefined;

  /** A text that is still to be parsed; or the length of one, and the document in it. */
  constructor(text: string | number, document?: TaskDocument) {
    this.#text = typeof text === "string" ? text : "";
    this.heapBytes = (typeof text === "string" ? text.length : text) * heapBytesPerCharacter;
    this.#document = document;
  }

  /** In the form of the interface. Undefined if the text is not a valid document. */
  read(): TaskDocument | undefined {
    if (this.#text !== "") {
      this.#document = readText(this.#text);
      this.#text = "";
    }
    return this.#document;
  }
}

function readText(text: string): TaskDocument | undefined {
  try {
    const read = taskInfoReader.safeParse(parseJson(text));
    return read.success ? withoutStatus(read.data) : undefined;
  } catch {
    return undefined;
  }
}

/** Query documents show tasks in the form of the interface, without the status part. */
export function withoutStatus(info: TaskDocument): TaskDocument {
  const { taskStatus: _, ...rest } = info;
  return rest;
}

const pipelinesStart = '"pipelines":[';
const pipelinesEnd = ']},"failures":[';

/**
 * The text of a task document with no pipelines. Undefined if the members are not in the order in which this build writes them. Quotes
 * within strings are escaped, so what is found is not part of one.
 */
export function withoutPipelines(text: string): string | undefined {
  const found = text.indexOf(pipelinesStart);
  const start = found + pipelinesStart.length;
  const end = text.indexOf(pipelinesEnd, start);
  const isAlone = found >= 0 && text.indexOf(pipelinesStart, start) < 0 && text.indexOf(pipelinesEnd, end + 1) < 0;
  return isAlone && end >= 0 ? text.slice(0, start) + text.slice(end) : undefined;
}
