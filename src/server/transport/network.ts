/**
 * The Network port over HTTP: Fastify serves, undici requests. A request to the node's own address calls its handler directly; a request to
 * a node on another thread of this process uses a message port. Both libraries are loaded when they are needed.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import type { MessagePort } from "node:worker_threads";
import {
  type Headers,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  noBody,
  type RequestHandler,
  type RequestOptions,
} from "../../ports/network.ts";
import type { ChaosDoor, RequestEnding } from "../../chaos/door.ts";
import type { NodeRole } from "../../protocol/http/access.ts";
import { RequestSigner } from "../../protocol/http/internal-signature.ts";
import { isLoop } from "./addresses.ts";
import { Edge, type EdgeLimits, usualEdgeLimits } from "../edge/edge.ts";
import type { HttpClient } from "./http-client.ts";
import type { Framework } from "./framework.ts";
import type { RefusedRequest } from "../edge/intake.ts";
import { refusalOf } from "../edge/origin.ts";
import type { Authentication } from "../security/authentication.ts";
import { Gate } from "../security/gate.ts";
import type { Tls } from "../security/tls.ts";
import { baseUriOf } from "./base-uri.ts";
import { compressed } from "./compression.ts";
import { InProcessTransport } from "./in-process.ts";
import { closeServer, listen, plainServer, secureServer } from "./listeners.ts";
import { BrokenAnswer, handlerFailed, Peer, PendingRequest } from "./pending.ts";
import { identityUserHeader } from "../../protocol/http/identity.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import type { Refusal } from "../operations/events/audit-log.ts";
import { Login } from "../security/login.ts";
import type { ServerResources } from "../operations/resources.ts";
import type { WebPages } from "../web/pages.ts";

export interface RealNetworkOptions {
  readonly host: string;
  /** 0 lets the system choose a port. */
  readonly port: number;
  /** Host name in `selfUri` if the node listens on all interfaces. */
  readonly externalHost?: string;
  readonly bodyBytesMax: number;
  /** Above this event loop delay, requests get 503 with Retry-After. */
  readonly eventLoopDelayMsMax: number;
  readonly processForwarded: boolean;
  /** Limits of connections and requests that differ from the defaults. */
  readonly limits?: Partial<EdgeLimits>;
  /** Host names under which browsers may load the server's pages, in addition to `externalHost` and reserved names. */
  readonly allowedHosts?: readonly string[];
  /** Whether responses are compressed for clients that accept it; true if absent. */
  readonly compressesAnswers?: boolean;
  /** The web interface; none if absent. Its files bypass the node. */
  readonly pages?: WebPages;
  /** Resources of the server, which bypass the node; none if absent. */
  readonly resources?: ServerResources;
  /** The cluster that the node belongs to. If absent, requests are not signed and internal resources are open. */
  readonly internal?: InternalCommunication;
  /** Who users are; if absent, they are taken at their word. `nodes-only`: none may come. */
  readonly authentication?: Authentication | "nodes-only";
  /** Whether a user may read about nodes and tasks; all may if absent. */
  readonly readsSystemInformation?: (user: string) => boolean;
  /** Observes requests that were refused for who sent them. */
  readonly onRefused?: (refusal: Refusal) => void;
  /** HTTPS; none if absent. */
  readonly https?: HttpsOptions;
  /** Faults that clients ask for, of a server that was started with --chaos; none if absent. */
  readonly chaos?: ChaosDoor;
  /** The first request over HTTP loads what serves it; for nodes that are reached by message ports. False if absent. */
  readonly servesOnDemand?: boolean;
}

export interface HttpsOptions {
  readonly tls: Tls;
  readonly port: number;
  /** Whether plain HTTP is served too. */
  readonly servesHttp: boolean;
  /** Nodes use HTTPS between each other. */
  readonly isInternal: boolean;
}

/** Nodes that share the secret form a cluster. */
export interface InternalCommunication {
  readonly secret: string;
  readonly nodeId: string;
  readonly role: NodeRole;
}

export class RealNetwork implements Network {
  readonly lends = true;
  readonly #options: RealNetworkOptions;
  readonly #inProcess = new InProcessTransport();
  readonly #signer: RequestSigner | undefined;
  readonly #gate: Gate;
  readonly #login: Login | undefined;
  #framework: Promise<Framework> | undefined;
  #client: Promise<HttpClient> | undefined;
  #loadedClient: HttpClient | undefined;
  /** Plain HTTP, HTTPS, or both in this order. */
  #servers: readonly Server[] = [];
  #edge: Edge | undefined;
  #handler: RequestHandler | undefined;
  #selfUri = "";
  #isClosed = false;
  #httpUri: string | undefined;
  #httpsUri: string | undefined;

  constructor(options: RealNetworkOptions) {
    this.#options = options;
    const { https, internal, authentication, processForwarded } = options;
    this.#signer = internal === undefined ? undefined : new RequestSigner({ ...internal, wallMillis: () => Date.now() });
    this.#gate = new Gate({
      signer: this.#signer,
      role: internal?.role ?? "coordinator",
      authentication,
      tls: https?.tls,
      internalHttps: https?.isInternal === true,
      processForwarded,
      readsSystemInformation: options.readsSystemInformation,
    });
    this.#login = typeof authentication === "object" ? new Login(authentication) : undefined;
  }

  get selfUri(): string {
    return this.#selfUri;
  }

  lendsTo(uri: string): boolean {
    return this.#inProcess.reaches(uri);
  }

  /** The address of HTTPS; undefined if there is none. */
  get httpsUri(): string | undefined {
    return this.#httpsUri;
  }

  /** The address of plain HTTP; undefined if there is none. */
  get httpUri(): string | undefined {
    return this.#httpUri;
  }

  /** 0 before the node serves. */
  get eventLoopDelayMs(): number {
    return this.#edge?.eventLoopDelayMs ?? 0;
  }

  async serve(handler: RequestHandler): Promise<void> {
    const limits = this.#limits();
    const route = this.#router();
    const { https } = this.#options;
    const plain = https?.servesHttp === false ? undefined : plainServer({ limits, handler: route });
    const secure = https === undefined ? undefined : secureServer(https.tls, { limits, handler: route });
    this.#servers = [plain, secure].filter((one) => one !== undefined);
    this.#edge = new Edge(this.#servers, limits, this.#options.eventLoopDelayMsMax);
    this.#handler = handler;
    await this.#listen(plain, secure);
    this.#inProcess.serve({ uri: this.#selfUri, handler, bodyBytesMax: this.#options.bodyBytesMax });
  }

  /** Requests wait until the framework is loaded. */
  #router(): RequestListener {
    let loaded: Framework | undefined;
    return (request, response) => {
      if (loaded !== undefined) {
        loaded.handle(request, response);
        return;
      }
      this.#loadFramework().then(
        (framework) => {
          loaded = framework;
          framework.handle(request, response);
        },
        () => response.destroy(),
      );
    };
  }

  #limits(): EdgeLimits {
    return { ...usualEdgeLimits, ...this.#options.limits, bodyBytesMax: this.#options.bodyBytesMax };
  }

  /** The node's first server, then others like it. */
  #nextServer(): (handler: RequestListener) => Server {
    const [first] = this.#servers as [Server];
    let isFirst = true;
    return (handler) => {
      if (isFirst) {
        isFirst = false;
        return first;
      }
      const { https } = this.#options;
      const options = { limits: this.#limits(), handler };
      return https?.servesHttp === false ? secureServer(https.tls, options) : plainServer(options);
    };
  }

  #loadFramework(): Promise<Framework> {
    this.#framework ??= import("./framework.ts").then(({ createFramework }) =>
      createFramework({
        bodyBytesMax: this.#options.bodyBytesMax,
        nextServer: this.#nextServer(),
        check: (raw, response) => this.#foreign(raw) ?? this.#edge?.admit(raw, response) ?? this.#stopped(raw),
        body: (raw) => (this.#edge as Edge).body(raw),
        pressure: { isHigh: () => this.#edge?.isUnderPressure === true, pathOf },
        onFailed: (raw, status, message) => this.#noteRefusal(raw, status, () => message),
        answer: (request, reply) => this.#answer(request, reply),
      }),
    );
    return this.#framework;
  }

  async #listen(plain: Server | undefined, secure: Server | undefined): Promise<void> {
    const { externalHost, host, https, port, servesOnDemand } = this.#options;
    const first = (plain ?? secure) as Server;
    const place = { host, port: https !== undefined && first === secure ? https.port : port };
    const firstPort = await (servesOnDemand === true ? listen(first, place) : (await this.#loadFramework()).listen(place));
    const name = externalHost ?? (host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host);
    const shown = name.includes(":") ? `[${name}]` : name;
    if (first === secure) {
      this.#httpsUri = `https://${shown}:${firstPort}`;
    } else {
      this.#httpUri = `http://${shown}:${firstPort}`;
    }
    if (https !== undefined && secure !== undefined && first !== secure) {
      secure.on("clientError", (error, socket) => void first.emit("clientError", error, socket));
      this.#httpsUri = `https://${shown}:${await listen(secure, { host, port: https.port })}`;
    }
    this.#selfUri = (https?.isInternal === true ? this.#httpsUri : this.#httpUri) ?? this.#httpsUri ?? "";
  }

  /** The other end of the channel is the network of a node on another thread of this process. */
  connect(port: MessagePort): void {
    this.#inProcess.connect(port);
  }

  async request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    if (this.#handler !== undefined && request.url.startsWith(`${this.#selfUri}/`)) {
      return this.#requestSelf(request, options, this.#handler);
    }
    const answered = this.#inProcess.request(request, options);
    if (answered !== undefined) {
      return answered;
    }
    if (!URL.canParse(request.url)) {
      throw new NetworkError("PROTOCOL_ERROR", `'${request.url}' is not an address`);
    }
    if (this.#isClosed) {
      throw new NetworkError("CONNECTION_RESET", `${new URL(request.url).origin}: the network is closed`);
    }
    return this.#loadedClient === undefined ? this.#requestLater(request, options) : this.#loadedClient.request(request, options);
  }

  /** The first requests load the client. They can be aborted meanwhile. */
  async #requestLater(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    let isAborted = false;
    let abort = (): void => {
      isAborted = true;
    };
    options.onAbortable?.(() => abort());
    this.#client ??= import("./http-client.ts").then(({ HttpClient: Client }) => {
      const { https } = this.#options;
      this.#loadedClient = new Client({ signer: this.#signer, tls: https?.isInternal === true ? https.tls : undefined });
      return this.#loadedClient;
    });
    const client = await this.#client;
    if (isAborted) {
      throw new NetworkError("ABORTED", "request aborted");
    }
    const onAbortable = (now: () => void): void => {
      abort = now;
    };
    return client.request(request, { ...options, onAbortable });
  }

  async close(): Promise<void> {
    const servers = this.#servers;
    this.#servers = [];
    this.#isClosed = true;
    const [framework, client] = await Promise.all([this.#framework, this.#client]);
    this.#handler = undefined;
    this.#inProcess.close();
    this.#edge?.close();
    this.#options.https?.tls.close();
    if (typeof this.#options.authentication === "object") {
      this.#options.authentication.close();
    }
    await Promise.all([...servers.map(closeServer), framework?.close()]);
    await client?.close();
  }

  #requestSelf(request: HttpRequest, options: RequestOptions, handler: RequestHandler): Promise<HttpResponse> {
    const peer = new Peer("127.0.0.1", this.#selfUri, options.takesLent === true);
    const pending = new PendingRequest(this.#selfUri, options, (wasAnswered) => {
      if (!wasAnswered) {
        peer.leave();
      }
    });
    handler({ ...request, url: request.url.slice(this.#selfUri.length) }, peer).then(
      (response) => pending.succeed(response),
      () => pending.succeed(handlerFailed),
    );
    return pending.answer;
  }

  /** Checks for requests from web pages of other sites. */
  #foreign(raw: IncomingMessage): RefusedRequest | undefined {
    const { allowedHosts = [], externalHost, host, processForwarded } = this.#options;
    return refusalOf(
      { method: raw.method ?? "", target: raw.url ?? "", headers: raw.headers },
      {
        listensOnLoop: isLoop(host),
        processForwarded,
        hosts: externalHost === undefined ? allowedHosts : [...allowedHosts, externalHost],
        baseUri: () => this.#baseUriOf(raw, presentHeaders(raw)),
      },
    );
  }

  #baseUriOf(raw: IncomingMessage, headers: Headers): string {
    const { processForwarded } = this.#options;
    return baseUriOf(headers, { processForwarded, selfUri: this.#selfUri, secure: raw.socket instanceof TLSSocket });
  }

  /** Checks for requests that need a signature or a user. */
  #stopped(raw: IncomingMessage): RefusedRequest | undefined | Promise<RefusedRequest | undefined> {
    const asked = { method: (raw.method ?? "") as HttpMethod, url: pathOf(raw.url ?? "/") };
    const { authentication, pages } = this.#options;
    const isPage = authentication !== undefined && pages?.answer({ ...asked, headers: presentHeaders(raw) }) !== undefined;
    return this.#gate.check(raw, { ...asked, isPage });
  }

  #noteRefusal(raw: IncomingMessage, status: number, reason: () => string): void {
    const { onRefused } = this.#options;
    if (onRefused !== undefined && (status === 401 || status === 403)) {
      onRefused({
        status,
        reason: reason(),
        method: raw.method ?? "",
        path: pathOf(raw.url ?? "/").split("?", 1)[0] ?? "",
        remoteAddress: raw.socket.remoteAddress ?? "",
        user: this.#gate.userOf(raw),
      });
    }
  }

  /** Carries a request past the rules of chaos to the server's resources or the node. */
  #endingOf(asked: HttpRequest, peer: Peer, handler: RequestHandler): Promise<RequestEnding> {
    const { chaos, resources } = this.#options;
    const forward = async (): Promise<RequestEnding> => {
      try {
        return { kind: "answered", response: await (resources?.answer(asked) ?? handler(asked, peer)) };
      } catch (error) {
        if (error instanceof BrokenAnswer) {
          return { kind: "reset", response: error.response };
        }
        throw error;
      }
    };
    return chaos === undefined ? forward() : chaos.answer(asked, forward);
  }

  async #answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const handler = this.#handler;
    if (handler === undefined) {
      reply.raw.destroy();
      return reply.hijack() as never;
    }
    const raw = request.raw;
    const body = request.body instanceof Uint8Array ? request.body : noBody;
    this.#gate.checkBody(raw, body);
    const headers = this.#gate.headers(raw, presentHeaders(raw));
    let finished = false;
    const baseUri = this.#baseUriOf(raw, headers);
    const peer = new Peer(raw.socket.remoteAddress ?? "", baseUri);
    // Listens on the response, because a kept-alive connection outlives thousands of requests and would collect a listener from each.
    reply.raw.once("close", () => {
      if (!finished) {
        peer.leave();
      }
    });
    const asked: HttpRequest = { method: request.method as HttpMethod, url: pathOf(raw.url ?? "/"), headers, body };
    const page =
      (await this.#login?.answer({ ...asked, headers: presentHeaders(raw) }, this.#gate.senderOf(raw))) ??
      this.#options.pages?.answer(asked);
    const ending: RequestEnding = page === undefined ? await this.#endingOf(asked, peer, handler) : { kind: "answered", response: page };
    // A client that leaves a connection which stays silent has nothing to abort.
    finished = true;
    if (ending.kind !== "answered") {
      endEarly(reply, ending);
      return reply.hijack() as never;
    }
    const answer = ending.response;
    this.#noteRefusal(raw, answer.status, () => decodeUtf8(answer.body));
    const response =
      page !== undefined || this.#options.compressesAnswers === false
        ? answer
        : await compressed(answer, raw.headersDistinct["accept-encoding"]?.join(","));
    void reply.code(response.status);
    const user = this.#gate.userOf(raw);
    if (user !== undefined) {
      // Tells the pages who has logged in.
      void reply.header(identityUserHeader, encodeURIComponent(user));
    }
    for (const [name, value] of Object.entries(response.headers)) {
      void reply.header(name, value);
    }
    if (response.body.length === 0) {
      await reply.send();
    } else {
      await reply.send(Buffer.from(response.body.buffer, response.body.byteOffset, response.body.byteLength));
    }
  }
}

/** Anything else than one whole answer. */
function endEarly({ raw }: FastifyReply, ending: Exclude<RequestEnding, { readonly kind: "answered" }>): void {
  switch (ending.kind) {
    case "answered-twice": {
      const message = messageBytes(ending.response);
      raw.socket?.end(Buffer.concat([message, message]));
      break;
    }
    case "reset":
      reset(raw, ending.response);
      break;
    case "silent":
      break;
  }
}

/** A response with its head, as it is sent when the framework must not send it. */
function messageBytes({ body, headers, status }: HttpResponse): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} \r\n${lines.join("")}content-length: ${body.length}\r\n\r\n`, "latin1"), body]);
}

/** Resets the connection, after half of the body if there is a response. */
function reset(raw: ServerResponse, response: HttpResponse | undefined): void {
  const { socket } = raw;
  const { status = 0, headers = {}, body = noBody } = response ?? {};
  if (body.length < 2) {
    socket?.resetAndDestroy();
    return;
  }
  for (const [name, value] of Object.entries(headers)) {
    raw.setHeader(name, typeof value === "string" ? value : [...value]);
  }
  raw.writeHead(status, { "content-length": body.length });
  raw.write(body.subarray(0, body.length >> 1), () => socket?.destroy());
}

function presentHeaders(raw: IncomingMessage): Headers {
  return Object.fromEntries(
    Object.entries(raw.headersDistinct).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.length === 1 ? (value[0] as string) : value]],
    ),
  );
}

/** Some clients send an absolute URI in the request line. */
function pathOf(url: string): string {
  const absolute = /^https?:\/\/[^/?#]+/.exec(url);
  if (absolute === null) {
    return url;
  }
  const rest = url.slice(absolute[0].length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}
