/**
 * Checks the part of a ring recording that cannot be replayed because the state before it is lost. Its entries must still satisfy general
 * invariants: documents conform to their schemas, and a page of a statement has the same bytes when requested twice.
 */
import type { Headers, HttpMethod } from "../../src/ports/network.ts";
import { type DocumentEntry, findAnswer, findDocument } from "../../src/protocol/documents/documents.ts";
import { parseJson } from "../../src/protocol/json.ts";
import type { Content, RecordedEntry } from "../../src/recording/entries.ts";
import { decodeUtf8 } from "../../src/types/utf8.ts";
import { entriesOf } from "./survey.ts";
import { type NodeTape, replayableRun, type Tape } from "./fixture.ts";

export interface Rest {
  readonly nodeId: string;
  /** Entries that the ring overwrote. */
  readonly lost: number;
  /** Entries that exist but could not be replayed. */
  readonly entries: number;
  readonly documents: number;
  readonly pages: number;
  /** Violated invariants. */
  readonly wrong: readonly string[];
}

/** One result for each incarnation of a node with missing entries. */
export function checkRest(tape: Tape): readonly Rest[] {
  return tape.nodes.flatMap((node) => {
    const replayed = replayableRun(node);
    return node.runs.length > 1 || replayed === undefined ? [new Reading(node).read()] : [];
  });
}

interface Asked {
  readonly method: HttpMethod;
  /** Without scheme and authority. */
  readonly url: string;
  readonly headers: Headers;
  /** Prefix of links in responses. */
  readonly baseUri: string;
}

class Reading {
  readonly #node: NodeTape;
  readonly #arrived = new Map<number, Asked>();
  readonly #sent = new Map<number, Asked>();
  /** First response for each page of a statement. */
  readonly #pages = new Map<string, string>();
  readonly #wrong: string[] = [];
  #documents = 0;
  #pagesSeen = 0;

  constructor(node: NodeTape) {
    this.#node = node;
  }

  read(): Rest {
    const replayed = replayableRun(this.#node);
    let lost = 0;
    let entries = 0;
    let at = 0;
    for (const run of this.#node.runs) {
      lost += Math.max(0, run.entriesBefore - at);
      at = run.entriesBefore;
      for (const entry of entriesOf(run.read())) {
        at++;
        this.#observe(entry);
        entries += run === replayed ? 0 : 1;
      }
    }
    return {
      nodeId: this.#node.header.nodeId,
      lost,
      entries,
      documents: this.#documents,
      pages: this.#pagesSeen,
      wrong: this.#wrong,
    };
  }

  #observe(entry: RecordedEntry): void {
    switch (entry.kind) {
      case "arrived":
        this.#arrived.set(entry.id, entry);
        this.#document(entry, findDocument(entry.method, entry.url, "request"), entry.body);
        break;
      case "request":
        this.#sent.set(entry.id, { ...entry, url: entry.url.replace(/^https?:\/\/[^/]+/, ""), baseUri: "" });
        break;
      case "answered":
        this.#answered(this.#sent, entry, (asked) => this.#document(asked, findAnswer(asked), entry.body));
        break;
      case "answer":
        this.#answered(this.#arrived, entry, (asked) => {
          this.#document(asked, findAnswer(asked), entry.body);
          this.#page(asked, entry.body);
        });
        break;
      default:
    }
  }

  /** The request may be among the lost entries. */
  #answered(
    questions: Map<number, Asked>,
    { id, status }: { readonly id: number; readonly status: number },
    look: (asked: Asked) => void,
  ): void {
    const asked = questions.get(id);
    questions.delete(id);
    if (asked !== undefined && status === 200) {
      look(asked);
    }
  }

  #document({ method, url }: Asked, entry: DocumentEntry | undefined, { bytes }: Content): void {
    if (entry === undefined || bytes === undefined || bytes.length === 0 || this.#node.header.scrubbed) {
      return;
    }
    this.#documents++;
    try {
      entry.schema.parse(parseJson(decodeUtf8(bytes)));
    } catch (error) {
      this.#wrong.push(`the ${entry.direction} of ${method} ${url} does not conform to its schema: ${String(error).split("\n")[0] ?? ""}`);
    }
  }

  #page({ baseUri, method, url }: Asked, { length, hash }: Content): void {
    if (method !== "GET" || !/^\/v1\/statement\/[^/]+\/\d+/.test(url) || hash === undefined) {
      return;
    }
    this.#pagesSeen++;
    const told = `${length} ${hash}`;
    const before = this.#pages.get(baseUri + url);
    if (before !== undefined && before !== told) {
      this.#wrong.push(`GET ${url} returned different bytes the second time`);
    }
    this.#pages.set(baseUri + url, before ?? told);
  }
}

export function describeRest(rests: readonly Rest[]): string[] {
  return rests.flatMap(({ nodeId, lost, entries, documents, pages, wrong }) => [
    `${nodeId}: the ring overwrote ${lost.toLocaleString("en-US")} entries; the ${entries.toLocaleString("en-US")} after them cannot be replayed, because the state before them is lost. ${documents} documents and ${pages} pages of statements were checked against general invariants: ${wrong.length === 0 ? "no violation" : `${wrong.length} violations`}`,
    ...wrong.slice(0, 10).map((sentence) => `  WRONG: ${sentence}`),
  ]);
}
