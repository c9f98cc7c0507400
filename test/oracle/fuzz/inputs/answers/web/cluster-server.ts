/**
 * A server of HTTP that answers as a cluster of Trino answered when it was recorded. An exchange is found by its path, which the answers
 * before it name; a submission by its statement and the words of its client.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { closeServer, listenOnLoopback } from "../../../../../support/stores/listening.ts";
import type { Random } from "../../../random.ts";
import { drawByteEdit, edited } from "../../bytes.ts";
import { editJson } from "../../targets/json-edits.ts";
import { type AnswerEdit, EditScript } from "../edits.ts";
import { oddValues } from "../odd-values.ts";
import { type Recorded, RecordedAnswers } from "../recorded.ts";
import type { AlteredServer } from "../target.ts";

const idleMs = 100;
/** Of one conversation: a chain of answers without an end becomes silent. */
const answersMax = 3000;
const endlessBytesMax = 300 * 1024 * 1024;
export const originPlaceholder = "http://cluster.recorded";

/** An answer. Its body has the placeholder for the origin of the server. */
export interface ClusterAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function encodeAnswer({ status, headers, body }: ClusterAnswer): Buffer {
  return Buffer.from(JSON.stringify({ status, headers, body: body.toString("base64") }));
}

function decodeAnswer(bytes: Buffer): ClusterAnswer {
  const { body, ...rest } = JSON.parse(bytes.toString()) as { status: number; headers: Record<string, string>; body: string };
  return { ...rest, body: Buffer.from(body, "base64") };
}

/** Of a submission: clients of Presto and those that read segments get other answers. */
export function statementKey(headers: IncomingMessage["headers"], sql: string): string {
  const family = headers["x-presto-user"] === undefined ? "trino" : "presto";
  return `${family}${String(headers["x-trino-query-data-encoding"] ?? "")} ${sql}`;
}

const statuses = [200, 202, 204, 301, 307, 308, 400, 401, 404, 409, 410, 429, 500, 502, 503, 504] as const;
const headerNames = [
  "content-type",
  "content-encoding",
  "retry-after",
  "location",
  "x-trino-set-catalog",
  "x-trino-set-session",
  "x-trino-added-prepare",
  "x-trino-started-transaction-id",
  "x-presto-set-session",
] as const;
const headerValues = [
  "",
  "0",
  "-1",
  "999999",
  "gzip",
  "text/html",
  "a=%zz",
  "a=b",
  "=",
  "/v1/statement",
  "http://127.0.0.1:1/",
  "x".repeat(9000),
];
const uris = [
  "",
  "x",
  "/v1/statement/executing/x/y/1",
  "http://127.0.0.1:1/a",
  "http://[",
  "file:///etc/passwd",
  "http://a:b@127.0.0.1:1/",
];
const garbage = [
  "",
  "HTTP/1.1 200\r\n\r\n",
  "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
  "HTTP/9.9 999 x\r\n\r\n",
  "\0\0\0\0",
  "SSH-2.0-x\r\n",
];
const oddStates = ["", "QUEUED", "RUNNING", "FINISHED", "FAILED", "CANCELED", "UNKNOWN", 1, null];

export class ClusterServer implements AlteredServer {
  readonly #submissions: RecordedAnswers;
  readonly #byPath = new Map<string, ClusterAnswer>();
  readonly #all: readonly ClusterAnswer[];
  readonly #server: Server;
  #origin = "";
  #last = 0;
  #script = new EditScript([]);

  constructor(recorded: Recorded) {
    this.#submissions = new RecordedAnswers(recorded);
    for (const { messages } of recorded) {
      for (const { type, payload } of messages) {
        this.#byPath.set(type, decodeAnswer(payload));
      }
    }
    this.#all = [...this.#byPath.values()];
    this.#server = createServer((request, answer) => {
      this.#touch();
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => this.#answer(request, answer, Buffer.concat(parts).toString()));
      request.on("error", () => undefined);
      answer.on("error", () => undefined);
    });
  }

  async listen(): Promise<number> {
    this.#origin = await listenOnLoopback(this.#server);
    return Number(new URL(this.#origin).port);
  }

  begin(edits: readonly AnswerEdit[]): void {
    this.#script = new EditScript(edits);
    this.#touch();
  }

  get sent(): number {
    return this.#script.sent;
  }

  get isIdle(): boolean {
    return performance.now() - this.#last > idleMs;
  }

  /** Requests without an answer stay so: no connection of a catalog may wait for them. */
  async quiet(): Promise<void> {
    this.#script = new EditScript([]);
    await new Promise((resolve) => setImmediate(resolve));
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  #touch(): void {
    this.#last = performance.now();
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { headers, method, url = "" } = request;
    if (method === "DELETE") {
      response.writeHead(204).end();
      return;
    }
    if (this.#script.sent >= answersMax) {
      return;
    }
    const random = this.#script.next();
    const found = method === "POST" ? this.#submissions.to(statementKey(headers, body))[0] : undefined;
    const sound = (found === undefined ? this.#byPath.get(url) : decodeAnswer(found.payload)) ?? {
      status: method === "GET" ? 404 : 200,
      headers: {},
      body: Buffer.alloc(0),
    };
    if (random === undefined) {
      this.#send(response, sound);
    } else {
      this.#alter(random, response, sound, url);
    }
  }

  #send(response: ServerResponse, { status, headers, body }: ClusterAnswer): void {
    const bytes = body[0] === "{".charCodeAt(0) ? Buffer.from(body.toString().replaceAll(originPlaceholder, this.#origin)) : body;
    try {
      response.writeHead(status, { ...headers, "content-length": String(bytes.length) }).end(bytes);
    } catch {
      // A header that Node's server does not send.
      response.destroy();
    }
    this.#touch();
  }

  #alter(random: Random, response: ServerResponse, sound: ClusterAnswer, url: string): void {
    const { body, headers } = sound;
    const kind = random.below(26);
    if (kind < 9) {
      this.#send(response, { ...sound, body: withEditedDocument(random, body) });
    } else if (kind < 14) {
      this.#send(response, { ...sound, body: withMember(random, body, `${this.#origin}${url}`) });
    } else if (kind < 16) {
      this.#send(response, { ...sound, status: random.pick(statuses) });
    } else if (kind === 16) {
      this.#send(response, {
        ...sound,
        status: random.pick([200, 307, 503]),
        headers: { ...headers, [random.pick(headerNames)]: random.pick(headerValues) },
      });
    } else if (kind === 17) {
      this.#send(response, {
        ...sound,
        body: body.length === 0 ? Buffer.from("x") : Buffer.from(edited(body, drawByteEdit(random, body))),
      });
    } else if (kind === 18) {
      this.#send(response, { ...sound, body: random.chance(50) ? random.pick(oddValues) : Buffer.concat([body, random.pick(oddValues)]) });
    } else if (kind === 19) {
      this.#send(response, random.pick(this.#all));
    } else {
      this.#disturb(random, response, sound, kind);
    }
  }

  #disturb(random: Random, response: ServerResponse, { body, headers, status }: ClusterAnswer, kind: number): void {
    switch (kind) {
      case 20:
        response.socket?.resetAndDestroy();
        return;
      case 21:
        // Silence.
        return;
      case 22:
        response.socket?.end(random.pick(garbage));
        return;
      case 23:
        response.writeHead(status, { ...headers, "content-length": String(body.length + 1 + random.below(1000)) });
        response.write(body.subarray(0, random.below(body.length + 1)), () => response.socket?.destroy());
        return;
      case 24:
        this.#sendForever(response, headers);
        return;
      default:
        // A part, and then nothing more.
        response.writeHead(status, headers);
        response.write(body.subarray(0, random.below(body.length + 1)));
    }
  }

  #sendForever(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    response.writeHead(200, headers);
    response.write('{"id":"x","data":[');
    const chunk = Buffer.from('["a text in a row without an end"],'.repeat(2000));
    let sent = 0;
    const more = (): void => {
      while (sent < endlessBytesMax && !response.destroyed) {
        sent += chunk.length;
        this.#touch();
        if (!response.write(chunk)) {
          response.once("drain", more);
          return;
        }
      }
    };
    more();
  }
}

type Document = Record<string, unknown>;

function documentOf(body: Buffer): Document | undefined {
  try {
    return JSON.parse(body.toString()) as Document;
  } catch {
    return undefined;
  }
}

function withEditedDocument(random: Random, body: Buffer): Buffer {
  const document = documentOf(body);
  if (document === undefined) {
    return body.length === 0 ? Buffer.from("{}") : Buffer.from(edited(body, drawByteEdit(random, body)));
  }
  // Without its root nothing is left.
  return Buffer.from(JSON.stringify(editJson(random, document)) ?? "");
}

/** The members that a client acts on. */
function withMember(random: Random, body: Buffer, self: string): Buffer {
  const document = documentOf(body);
  if (document === undefined) {
    return body;
  }
  const text = (): string => random.pick(oddValues).toString();
  const error = { message: text() || "x", errorCode: 1, errorName: text(), errorType: random.pick(["USER_ERROR", "INTERNAL_ERROR", "x"]) };
  const changes: readonly Document[] = [
    { nextUri: self },
    { nextUri: random.pick(uris) },
    { nextUri: undefined },
    { data: [[text()], [], [null, null], 1] },
    { data: [[{ a: 1 }, [[]], true, 1e300, -0]] },
    { data: { encoding: random.pick(["json", "json+lz4", "json+zstd", ""]), segments: [{ type: "inline", data: text() }] } },
    {
      data: {
        encoding: "json",
        segments: [{ type: "spooled", uri: random.pick(uris), ackUri: random.pick(uris), metadata: { segmentSize: 1e300 } }],
      },
    },
    { columns: [] },
    { columns: [{ name: text(), type: random.pick(["bigint", "row(", "array(array(varchar))", "map(bigint", "decimal(99,-1)", "x"]) }] },
    { error },
    { stats: { state: random.pick(oddStates) } },
    { stats: { ...(document["stats"] as Document | undefined), state: random.pick(oddStates) } },
    { updateCount: random.pick([-1, 1e300, "x", 2 ** 53]) },
    { id: text() },
  ];
  return Buffer.from(JSON.stringify({ ...document, ...random.pick(changes) }));
}
