/**
 * In-process transport: requests between nodes on threads of one process use message ports, because HTTP parsing and sockets cost several
 * times as much as a typical request. Each pair of nodes has a channel. A node announces its address on the channel when it serves. Before
 * that, and after the channel is closed because the other thread has ended, requests to that address use HTTP. Lent bytes of a response
 * are shared (lending.ts); all other bytes are copied once and handed over. What a node sends to a peer in one go (the tasks of a query,
 * their ends, the answers to both) travels as one message: each message wakes the other thread, which costs more than its content.
 */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import {
  type Headers,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  noBody,
  type RequestHandler,
  type RequestOptions,
} from "../../ports/network.ts";
import { releaseAll } from "../../page/frame.ts";
import { encodeUtf8 } from "../../types/utf8.ts";
import { borrowed, type CarriedLoans, Lender } from "./lending.ts";
import { bodyTooLarge, handlerFailed, Peer, PendingRequest } from "./pending.ts";

interface CarriedRequest {
  readonly kind: "request";
  /** Numbered by the sender. */
  readonly id: number;
  readonly method: HttpMethod;
  /** Path and query. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly takesLent: boolean;
}

interface CarriedAnswer {
  readonly kind: "answer";
  readonly id: number;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly loans?: CarriedLoans;
}

type Message =
  | { readonly kind: "here"; readonly uri: string }
  | CarriedRequest
  | CarriedAnswer
  /** The sender no longer waits for the response. */
  | { readonly kind: "abandon"; readonly id: number };

interface Outgoing {
  readonly message: Message;
  readonly onGone: (() => void) | undefined;
}

/** This node as its peers see it. */
export interface Endpoint {
  readonly uri: string;
  readonly handler: RequestHandler;
  readonly bodyBytesMax: number;
}

export class InProcessTransport {
  readonly #all = new Set<InProcessConnection>();
  readonly #byUri = new Map<string, InProcessConnection>();
  #endpoint: Endpoint | undefined;

  /** Connects to another node, which has the other end of the channel. */
  connect(port: MessagePort): void {
    const connection = new InProcessConnection(port, {
      endpoint: () => this.#endpoint,
      onHere: (uri) => this.#byUri.set(uri, connection),
      onGone: () => this.#forget(connection),
    });
    this.#all.add(connection);
    if (this.#endpoint !== undefined) {
      connection.tell(this.#endpoint.uri);
    }
  }

  serve(endpoint: Endpoint): void {
    this.#endpoint = endpoint;
    for (const connection of this.#all) {
      connection.tell(endpoint.uri);
    }
  }

  /** Returns undefined if the target is not in this process. Rejects with NetworkError only. */
  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> | undefined {
    const end = request.url.indexOf("/", "https://".length);
    const uri = request.url.slice(0, end);
    return this.#connectionTo(uri)?.request({ ...request, url: request.url.slice(end) }, uri, options);
  }

  /** Whether the node at this address is in this process. */
  reaches(uri: string): boolean {
    return this.#connectionTo(uri) !== undefined;
  }

  /** A node that has just started may have told its address already: messages of channels have no order between each other. */
  #connectionTo(uri: string): InProcessConnection | undefined {
    if (!this.#byUri.has(uri)) {
      for (const connection of this.#all) {
        connection.hearAll();
      }
    }
    return this.#byUri.get(uri);
  }

  close(): void {
    this.#endpoint = undefined;
    for (const connection of this.#all) {
      connection.close();
    }
  }

  #forget(connection: InProcessConnection): void {
    this.#all.delete(connection);
    for (const [uri, one] of this.#byUri) {
      if (one === connection) {
        this.#byUri.delete(uri);
      }
    }
  }
}

interface Hooks {
  endpoint(): Endpoint | undefined;
  onHere(uri: string): void;
  onGone(): void;
}

/** The connection to one peer. */
class InProcessConnection {
  readonly #port: MessagePort;
  readonly #hooks: Hooks;
  /** Requests sent to the peer that are not answered yet. */
  readonly #asked = new Map<number, PendingRequest>();
  /** Requests received from the peer that are not answered yet. */
  readonly #answering = new Map<number, Peer>();
  readonly #lender = new Lender();
  /** What is posted as one message when the code that runs now, with all that awaits it, is done. */
  #outgoing: Outgoing[] = [];
  #isFlushing = false;
  #isClosed = false;
  #count = 0;

  constructor(port: MessagePort, hooks: Hooks) {
    this.#port = port;
    this.#hooks = hooks;
    port.on("message", (messages: readonly Message[]) => this.#hearEach(messages));
    port.once("close", () => this.#gone());
  }

  tell(uri: string): void {
    this.#send({ kind: "here", uri });
  }

  /** Takes the messages that have arrived and wait for their turn. */
  hearAll(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port)) {
      this.#hearEach(next.message as readonly Message[]);
    }
  }

  request({ method, url, headers, body }: HttpRequest, place: string, options: RequestOptions): Promise<HttpResponse> {
    const id = this.#count++;
    const pending = new PendingRequest(place, options, (wasAnswered) => {
      if (this.#asked.delete(id) && !wasAnswered) {
        this.#send({ kind: "abandon", id });
      }
    });
    this.#asked.set(id, pending);
    this.#send({ kind: "request", id, method, url, headers, body: new Uint8Array(body), takesLent: options.takesLent === true });
    return pending.answer;
  }

  /** Requests in flight fail with a reset. */
  close(): void {
    this.#flush();
    this.#port.close();
    this.#gone();
  }

  #hearEach(messages: readonly Message[]): void {
    for (const message of messages) {
      this.#hear(message);
    }
  }

  #hear(message: Message): void {
    switch (message.kind) {
      case "here":
        this.#hooks.onHere(message.uri);
        break;
      case "request":
        void this.#answer(message);
        break;
      case "answer":
        this.#answered(message);
        break;
      case "abandon":
        this.#abandon(message.id);
        break;
    }
  }

  #answered({ id, status, headers, body, loans }: CarriedAnswer): void {
    const lent = loans === undefined ? undefined : borrowed(loans);
    const pending = this.#asked.get(id);
    if (pending === undefined) {
      releaseAll(lent ?? []);
    } else {
      pending.succeed({ status, headers, body, ...(lent === undefined ? {} : { lent }) });
    }
  }

  async #answer({ id, method, url, headers, body, takesLent }: CarriedRequest): Promise<void> {
    const endpoint = this.#hooks.endpoint();
    if (endpoint === undefined) {
      return;
    }
    const peer = new Peer("127.0.0.1", endpoint.uri, takesLent);
    this.#answering.set(id, peer);
    const response: HttpResponse =
      body.length > endpoint.bodyBytesMax
        ? { status: 413, headers: { "content-type": "text/plain" }, body: encodeUtf8(bodyTooLarge(endpoint.bodyBytesMax)) }
        : await endpoint.handler({ method, url, headers, body }, peer).catch(() => handlerFailed);
    const { lent = [] } = response;
    if (!this.#answering.delete(id)) {
      releaseAll(lent);
      return;
    }
    const answer = { kind: "answer", id, status: response.status, headers: response.headers } as const;
    if (lent.length === 0) {
      this.#send({ ...answer, body: new Uint8Array(response.body) });
      return;
    }
    const loans = this.#lender.lend(lent);
    this.#send({ ...answer, body: noBody, loans }, () => this.#lender.sent(lent, loans));
  }

  #abandon(id: number): void {
    const peer = this.#answering.get(id);
    this.#answering.delete(id);
    peer?.leave();
  }

  /** `onGone`: the message is on its way, or will never be. */
  #send(message: Message, onGone?: () => void): void {
    if (this.#isClosed) {
      onGone?.();
      return;
    }
    this.#outgoing.push({ message, onGone });
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      afterThisRun(() => this.#flush());
    }
  }

  /** Each body has a buffer of its own, which is transferred without a copy. */
  #flush(): void {
    this.#isFlushing = false;
    const outgoing = this.#taken();
    const messages = outgoing.map(({ message }) => message);
    if (messages.length > 0) {
      const bodies = messages.flatMap((message) => ("body" in message && message.body.length > 0 ? [message.body.buffer] : []));
      this.#port.postMessage(messages, bodies as ArrayBuffer[]);
    }
    for (const { onGone } of outgoing) {
      onGone?.();
    }
  }

  #taken(): readonly Outgoing[] {
    const outgoing = this.#outgoing;
    this.#outgoing = [];
    return outgoing;
  }

  #gone(): void {
    this.#isClosed = true;
    for (const { onGone } of this.#taken()) {
      onGone?.();
    }
    this.#hooks.onGone();
    this.#lender.close();
    for (const id of this.#answering.keys()) {
      this.#abandon(id);
    }
    for (const pending of this.#asked.values()) {
      pending.fail("CONNECTION_RESET", "the other node's thread has ended");
    }
  }
}

/** Calls `callback` once the code that runs now, and all that follows the promises it settles, has returned to the event loop. */
function afterThisRun(callback: () => void): void {
  // Ticks run before the promises of the code that has just returned, and again when all of these are done.
  process.nextTick(() => queueMicrotask(() => process.nextTick(callback)));
}
