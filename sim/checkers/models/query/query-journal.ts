/**
 * The journal of queries, written from decision 107 and docs/interface.md (Statement), and read from the coordinator's disk in the event in
 * which an answer leaves:
 * - A query has its record before the response to its submission, and before every other one: a coordinator that dies now goes on with it.
 * - A document with a token that the client will acknowledge has its line, in a file that a new process would find.
 * - A line that a query is over comes only after its end, or after its client asks no more; then it does come, five seconds later, or
 *   the query is in no file.
 * - After a disk that was full or failed has recovered, new queries have their records and lines again.
 * Not recorded are queries with extra credentials. A disk that fails, and an orderly shutdown, release the coordinator.
 */
import { recoversQueries } from "../../../properties.ts";
import { nanosPerSecond } from "../../../world/world.ts";
import { decodeUtf8 } from "../../../../src/types/utf8.ts";
import { headerOf, type Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";
import { familyOf, statementAnswer } from "../statement/answer.ts";

const newline = 10;
const diskFault = /^(?:full-disk|disk-errors) (\S+) /;
/** The line comes five seconds late, and then waits for the disk. */
const overNanos = 5 * nanosPerSecond;
const lateNanos = 2 * nanosPerSecond;
/** One in this many looks is at queries that are over. */
const lookEvery = 16;

interface Line {
  readonly kind: "query" | "given" | "over";
  readonly id: string;
  readonly token?: number;
  readonly positions?: readonly { readonly token: number }[];
}

/** What a file says of each query: the tokens whose documents it has. */
interface JournalFile {
  read: number;
  readonly tokens: Map<string, Set<number>>;
  readonly over: Set<string>;
}

class QueryJournalModel implements Model {
  readonly notes = ["start", "log-info", "fault", "heal"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #isKept: boolean;
  readonly #files = new Map<string, JournalFile>();
  /** Queries whose client asks no more, which have failed, or which are not recorded. */
  readonly #left = new Set<string>();
  /** When a client had its last document or cancelled, by the coordinator's clock. */
  readonly #over = new Map<string, number>();
  /** Faults of its disk that are in effect, and when the last of them ended. */
  readonly #diskFaults = new Set<string>();
  #recoveredNanos = 0;
  #isLeaving = false;
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#isKept = recoversQueries(context.plan.properties);
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "fault" || kind === "heal") {
      if (diskFault.exec(detail)?.[1] === this.#coordinator) {
        this.#diskFaults[kind === "fault" ? "add" : "delete"](detail);
        this.#recoveredNanos = nowNanos;
      }
    } else if (place === this.#coordinator) {
      this.#isLeaving = kind === "log-info" ? this.#isLeaving || detail.startsWith("shutdown-started") : false;
      if (kind === "start") {
        this.#files.clear();
        this.#over.clear();
      }
    }
  }

  observeTransition({ kind, id, to }: Transition): void {
    if (kind === "query" && to === "FAILED") {
      this.#left.add(id);
    }
  }

  observe(answer: Observed): void {
    if (!this.#isKept || this.#isLeaving || answer.to !== this.#coordinator || this.#context.facts.struck("corrupt-reads")) {
      return;
    }
    const said = statementAnswer(answer);
    if (said === undefined || said.id === "") {
      return;
    }
    const { id, document, isSubmission, token } = said;
    if (this.#diskFaults.size > 0 || (answer.arrivedNanos <= this.#recoveredNanos && this.#recoveredNanos > 0)) {
      // Nothing is promised of the queries that the disk may have refused.
      this.#left.add(id);
    } else if (answer.request.method === "DELETE") {
      if (said.status === 204) {
        this.#ended(id);
      }
      this.#left.add(id);
    } else if (
      isSubmission &&
      headerOf(answer.request.headers, `x-${familyOf(answer.request) ?? "engine"}-extra-credential`) !== undefined
    ) {
      this.#left.add(id);
    } else if (document !== undefined && !this.#left.has(id)) {
      this.#document(id, { token: isSubmission ? 0 : token, isLast: document.nextUri === undefined });
    }
  }

  look(): void {
    if (this.#over.size === 0 || this.#isLeaving || this.#looks++ % lookEvery !== 0 || this.#diskFails()) {
      return;
    }
    const now = this.#context.localNanos(this.#coordinator);
    const due = [...this.#over].filter(([, nanos]) => now - nanos > overNanos + lateNanos);
    if (due.length === 0) {
      return;
    }
    this.#read();
    const files = [...this.#files.values()];
    const isHit = this.#context.facts.hitSince(this.#coordinator, this.#context.nowNanos() - overNanos - lateNanos);
    for (const [id] of due) {
      this.#over.delete(id);
      this.#context.check(
        isHit || files.some(({ over }) => over.has(id)) || !files.some(({ tokens }) => tokens.has(id)),
        () => `the client of ${id} asks no more, and the journal does not say that it is over`,
      );
    }
  }

  #ended(id: string): void {
    if (!this.#over.has(id)) {
      this.#over.set(id, this.#context.localNanos(this.#coordinator));
    }
  }

  #diskFails(): boolean {
    const { facts } = this.#context;
    return facts.diskFailed(this.#coordinator) || facts.struck("full-disk", "disk-errors");
  }

  #document(id: string, { token, isLast }: { readonly token: number | undefined; readonly isLast: boolean }): void {
    if (isLast) {
      this.#ended(id);
      this.#left.add(id);
      return;
    }
    this.#read();
    const files = [...this.#files.values()];
    this.#context.check(
      files.some(({ tokens }) => tokens.has(id)),
      () => `${id} is answered, and the journal on the disk has no record of it`,
    );
    if (token !== undefined && token > 0) {
      this.#context.check(
        files.some(({ tokens }) => tokens.get(id)?.has(token) === true),
        () => `${id} is answered with the document of token ${token}, and the journal on the disk does not have its line`,
      );
    }
    this.#context.check(
      !files.some(({ over }) => over.has(id)),
      () => `${id} is answered and has more to give, and the journal says that it is over`,
    );
  }

  /** Reads what is new in the files that a process would find. */
  #read(): void {
    const paths = this.#context.files(this.#coordinator).filter((path) => path.endsWith(".journal"));
    for (const path of this.#files.keys()) {
      if (!paths.includes(path)) {
        this.#files.delete(path);
      }
    }
    for (const path of paths) {
      const bytes = this.#context.fileBytes(this.#coordinator, path) ?? new Uint8Array(0);
      const known = this.#files.get(path);
      const file = known === undefined || known.read > bytes.length ? { read: 0, tokens: new Map(), over: new Set<string>() } : known;
      this.#files.set(path, file);
      const end = bytes.lastIndexOf(newline) + 1;
      if (end > file.read) {
        const text = decodeUtf8(bytes.subarray(file.read, end));
        file.read = end;
        text.split("\n").forEach((line) => take(file, line));
      }
    }
  }
}

/** A line is a checksum and a record as JSON. */
function take({ tokens, over }: JournalFile, line: string): void {
  const begin = line.indexOf("{");
  if (begin < 0) {
    return;
  }
  const record = recordOf(line.slice(begin));
  if (record === undefined) {
    return;
  }
  const { kind, id, positions, token } = record;
  if (kind === "over") {
    over.add(id);
    return;
  }
  const known = tokens.get(id) ?? new Set();
  tokens.set(id, known);
  for (const one of [...(positions ?? []).map((position) => position.token), ...(token === undefined ? [] : [token])]) {
    known.add(one);
  }
}

/** Undefined for a line whose beginning or end the disk has not taken. */
function recordOf(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

export const queryJournal: ModelKind = {
  invariant: {
    name: "query-journal",
    sentence: "Before an answer leaves that its client will build on, the journal of queries has the query and the document on the disk.",
    kind: "safety",
    checkedIn: "checkers/models/query/query-journal.ts",
  },
  create: (context) => new QueryJournalModel(context),
};
