/**
 * Documents conform to their schemas: every document that a user receives, and of the documents between nodes, requests and responses, the
 * first of each kind and then one in `sampleEvery`. Schema checks are slow, and a wrong kind of document is rarely wrong only once.
 */
import { validatorOnUse } from "../../../src/protocol/documents/checked.ts";
import type { HttpRequest } from "../../../src/ports/network.ts";
import { type DocumentEntry, findAnswer, findDocument } from "../../../src/protocol/documents/documents.ts";
import { asksForTaskStatus } from "../../../src/protocol/documents/task.ts";
import type { JsonValue } from "../../../src/protocol/json.ts";
import { readBody } from "./bodies.ts";
import type { Verdict } from "../violation.ts";
import type { Observed } from "./wire.ts";

const oracle = "documents";
const firstOfKind = 4;
const sampleEvery = 16;

interface Kind {
  readonly response: DocumentEntry | undefined;
  readonly request: DocumentEntry | undefined;
  readonly isForUsers: boolean;
  /** Number of documents seen, by the state that they report. */
  readonly seen: Map<string, number>;
}

/** Schemas as generated functions. They are pure, so the runs of a process share them. */
const validators = new WeakMap<DocumentEntry, ReturnType<typeof validatorOnUse>>();

function isValid(entry: DocumentEntry, document: JsonValue): boolean {
  let validator = validators.get(entry);
  if (validator === undefined) {
    validator = validatorOnUse(entry.schema);
    validators.set(entry, validator);
  }
  return validator(document);
}

export class DocumentOracle {
  readonly #verdict: Verdict;
  readonly #kinds = new Map<string, Kind>();
  /** Kinds by exact method and path, and by what is asked of a task. */
  readonly #kindsByPath = new Map<string, Kind>();

  constructor(verdict: Verdict) {
    this.#verdict = verdict;
  }

  observe(answer: Observed): void {
    const { request, response, path, task } = answer;
    // The path of a fetch is its own; all requests for one thing of a task are of one kind.
    const target = task === undefined ? `${request.method} ${path}` : `${request.method} task ${task.what} ${asksForTaskStatus(request)}`;
    let kind = this.#kindsByPath.get(target);
    if (kind === undefined) {
      kind = this.#kind(request, path);
      this.#kindsByPath.set(target, kind);
    }
    if (kind.request === undefined && kind.response === undefined) {
      return;
    }
    if (!this.#isChosen(kind, answer)) {
      return;
    }
    if (kind.request !== undefined && request.body.length > 0 && response.status === 200) {
      this.#check(kind.request, readBody(request.body).exactJson(), () => `${answer.from} sent ${request.method} ${path}`);
    }
    if (kind.response !== undefined && response.status === 200) {
      this.#check(kind.response, answer.exactJson(), () => `${answer.to} answered ${request.method} ${path}`);
    }
  }

  #isChosen(kind: Kind, { response }: Observed): boolean {
    // Documents of different size classes report different states, so few of each class are enough.
    const label = `${response.status} ${Math.floor(Math.log2(response.body.length + 1))}`;
    const count = (kind.seen.get(label) ?? 0) + 1;
    kind.seen.set(label, count);
    return kind.isForUsers || count <= firstOfKind || count % sampleEvery === 0;
  }

  #kind(request: HttpRequest, path: string): Kind {
    const { method } = request;
    const shape = `${method} ${asksForTaskStatus(request)} ${path
      .replace(/\/\d{8}_\d{6}_\d{5}_\w{5}[^/]*/g, "/{id}")
      .replace(/\/(announcement|service)\/.*/, "/$1/{x}")
      .replace(/\d+$/, "{n}")}`;
    const known = this.#kinds.get(shape);
    if (known !== undefined) {
      return known;
    }
    const kind: Kind = {
      response: findAnswer(request),
      request: findDocument(method, path, "request"),
      isForUsers: path.startsWith("/v1/statement"),
      seen: new Map(),
    };
    this.#kinds.set(shape, kind);
    return kind;
  }

  #check(entry: DocumentEntry, document: JsonValue, who: () => string): void {
    if (isValid(entry, document)) {
      this.#verdict.held(oracle);
      return;
    }
    // Slow, but it reports what is wrong.
    const parsed = entry.schema.safeParse(document);
    if (parsed.success) {
      this.#verdict.held(oracle);
    } else {
      const [issue] = parsed.error.issues;
      this.#verdict.violate("safety", oracle, `${who()} with a document against its schema: ${issue?.path.join(".")} ${issue?.message}`);
    }
  }
}
