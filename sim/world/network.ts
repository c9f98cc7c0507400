/**
 * The simulated network. Requests and responses travel between named places; each message has its own latency and fate. The network knows
 * the structure of HTTP and nothing of the protocol. Fates are drawn by the message's name, or read from a list (fates.ts).
 */
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../../src/ports/network.ts";
import type { Leg } from "../../src/ports/fates.ts";
import type { Undo } from "./afflicted.ts";
import { calmFate, drawFate, type LegFate, type LinkConditions, listedFate, type MessageFate, tellFate } from "./fates.ts";
import { type NetworkCounters, noMessages } from "./counters.ts";
import { carriedBody, carriedHeaders, copied, plain, refusal } from "./http-rules.ts";
import type { Lending } from "./lending.ts";
import { Links } from "./links.ts";
import type { NamedDraws } from "./named-draws.ts";
import { type PlannedSchedule, Schedule, type ScheduledLeg } from "./schedule.ts";
import { type Incarnation, nanosPerMs, type World } from "./world.ts";

interface Host {
  readonly incarnation: Incarnation;
  handler: RequestHandler | undefined;
  /** Requests that this host is serving; a crash resets them. */
  readonly serving: Set<Exchange>;
  readonly rewrite: Rewrite | undefined;
}

/** One request in flight. */
interface Exchange {
  readonly id: number;
  readonly sender: Incarnation;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** Name that does not depend on other messages: `c>w1 task-update #3`. */
  readonly name: string;
  /** Title in the trace: `m17 c>w1 task-update`. */
  readonly title: string;
  readonly method: string;
  settled: boolean;
  settle(outcome: HttpResponse | NetworkError): void;
  /** Notify the server's side that the client has disconnected. */
  readonly abortCallbacks: (() => void)[];
  aborted: boolean;
}

/** Receives every response where it is produced, before the network applies a fate to it. */
export type AnswerObserver = (answer: {
  readonly from: string;
  readonly to: string;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly arrivedNanos: number;
  /** The process that has sent the request still runs; a copy may arrive after its end. */
  readonly isSenderAlive: boolean;
}) => void;

/** Receives every request when it is sent. The returned function receives the outcome as the sender sees it. */
export type RequestObserver = (request: {
  readonly incarnation: Incarnation;
  readonly from: string;
  readonly to: string;
  readonly label: string;
}) => (success: boolean) => void;

/** Wraps the handler of a place, so that tests can make a node misbehave. */
export type Sabotage = (handler: RequestHandler, place: string) => RequestHandler;

/** Changes a place's response after the observers have seen it, to emulate a node of another build. */
export type Rewrite = (request: HttpRequest, response: HttpResponse) => HttpResponse;

/** Responds in place of a node, before the node sees the request; undefined lets the request through. */
export type Gate = (request: HttpRequest) => HttpResponse | undefined;

/** The node executes the request and never sends the response. The client is notified when the node's incarnation ends. */
interface Withheld {
  readonly label: string;
  readonly onWithheld: () => void;
}

export type Conditions = (from: string, to: string) => LinkConditions;

/** What a plan says of single messages and of their order. */
export interface PlannedMessages {
  /** Fates by leg, instead of draws, schedule and delays. */
  readonly fates?: readonly MessageFate[];
  readonly schedule?: PlannedSchedule;
  readonly delays?: Readonly<Record<string, number>>;
  /** Whether the schedule and the delays have ended. */
  readonly isOver?: () => boolean;
}

export class SimulatedNetwork {
  readonly counters: NetworkCounters = noMessages();
  readonly #world: World;
  readonly #conditions: Conditions;
  /** Requests in flight by the incarnation that sent them. When it ends, their servers are notified. */
  readonly #asking = new Map<Incarnation, Set<Exchange>>();
  readonly #draws: NamedDraws;
  /** Fates by leg, if the run replays a list. */
  readonly #listed: ReadonlyMap<string, readonly MessageFate[]> | undefined;
  readonly #schedule: Schedule | undefined;
  readonly #delays: ReadonlyMap<string, number> = new Map();
  /** Number of requests so far, by endpoints and label. */
  readonly #ordinals = new Map<string, number>();
  /** Fates of single messages in this run, in the format of a plan's list. */
  readonly fates: MessageFate[] = [];
  /** Maximum size of a request body, in bytes; the same for every place. */
  bodyBytesMax = 16 * 1024 * 1024;
  observer: AnswerObserver | undefined;
  /** What this incarnation sends and serves is not observed. */
  isIgnored: (incarnation: Incarnation) => boolean = () => false;
  requestObserver: RequestObserver | undefined;
  /** Base URI that a request of this sender names; undefined for the URI of the place. */
  baseUriFor: ((from: string, request: HttpRequest) => string | undefined) | undefined;
  sabotage: Sabotage | undefined;
  /** Nodes of one process lend each other the parts of answers; none do if it is absent. */
  lending: Lending | undefined;
  /** All places that ever existed. */
  readonly #names = new Set<string>();
  readonly #hosts = new Map<string, Host>();
  /** Incarnations that share the address of their place with others. */
  readonly #behind = new Map<Incarnation, Host>();
  readonly #links: Links;
  /** Number of faults that currently mute each place: its port accepts connections and never responds. */
  readonly #mutes = new Map<string, number>();
  /** Gates in front of each place's port. */
  readonly #gates = new Map<string, Set<Gate>>();
  readonly #withheld = new Map<string, Withheld>();

  constructor(world: World, conditions: Conditions, { fates, schedule, delays, isOver = () => false }: PlannedMessages = {}) {
    this.#world = world;
    this.#conditions = conditions;
    this.#draws = world.streams.named("net");
    this.#links = new Links(world, () => this.counters.reordered++);
    this.#listed = fates === undefined ? undefined : groupBy(fates, ({ message }) => message);
    if (fates === undefined) {
      this.#delays = new Map(Object.entries(delays ?? {}));
      this.#schedule = schedule === undefined ? undefined : new Schedule(schedule, { draws: world.streams.named("schedule"), isOver });
    }
  }

  /** Number of requests by label. */
  requestsByLabel(): Readonly<Record<string, number>> {
    const labels: Record<string, number> = {};
    for (const [kind, count] of this.#ordinals) {
      const label = kind.slice(kind.indexOf(" ") + 1);
      labels[label] = (labels[label] ?? 0) + count;
    }
    return labels;
  }

  /** Base URI of a place: `http://w1:8080`. */
  static uriOf(place: string): string {
    return `http://${place}:8080`;
  }

  cut(from: string, to: string): Undo {
    return this.#links.cut(from, to);
  }

  /** Holds back messages from `from` to `to` and delivers them in one burst at the end. */
  clog(from: string, to: string): Undo {
    return this.#links.clog(from, to);
  }

  /** The place accepts connections and never responds. */
  mute(place: string): Undo {
    this.#mutes.set(place, (this.#mutes.get(place) ?? 0) + 1);
    return () => this.#mutes.set(place, (this.#mutes.get(place) ?? 0) - 1);
  }

  gate(place: string, gate: Gate): Undo {
    const gates = this.#gates.get(place) ?? new Set();
    this.#gates.set(place, gates);
    gates.add(gate);
    return () => gates.delete(gate);
  }

  /**
   * Withholds the place's next response to a request with this label: it is produced and never sent. Each place has at most one such order.
   */
  withhold(place: string, label: string, onWithheld: () => void): Undo {
    const withheld = { label, onWithheld };
    this.#withheld.set(place, withheld);
    return () => {
      if (this.#withheld.get(place) === withheld) {
        this.#withheld.delete(place);
      }
    };
  }

  /**
   * Returns the Network port of one incarnation of a node or user. `rewrite` changes its responses. One that shares the address of its
   * place gets requests from `present` on.
   */
  attach(incarnation: Incarnation, rewrite?: Rewrite, { sharesAddress = false }: { readonly sharesAddress?: boolean } = {}): Network {
    const host: Host = { incarnation, handler: undefined, serving: new Set(), rewrite };
    this.#names.add(incarnation.place);
    return {
      selfUri: SimulatedNetwork.uriOf(incarnation.place),
      lends: this.lending !== undefined,
      request: (request, options) => this.#request(incarnation, request, options),
      serve: (handler) => {
        host.handler = this.sabotage?.(handler, incarnation.place) ?? handler;
        if (sharesAddress) {
          this.#behind.set(incarnation, host);
        } else {
          this.#hosts.set(incarnation.place, host);
        }
        return Promise.resolve();
      },
      close: () => {
        this.#drop(host);
        return Promise.resolve();
      },
    };
  }

  /** From now on requests to the place reach this incarnation. Those that another one has begun to serve stay with it. */
  present(incarnation: Incarnation): void {
    const host = this.#behind.get(incarnation);
    if (host?.handler !== undefined) {
      this.#hosts.set(incarnation.place, host);
    }
  }

  /** Resets everything in flight to the incarnation of the place when it crashes. */
  crash(place: string, incarnation?: Incarnation): void {
    const behind = incarnation && this.#behind.get(incarnation);
    const host = behind ?? this.#hosts.get(place);
    if (host !== undefined && (behind !== undefined || host.incarnation === incarnation || incarnation === undefined)) {
      this.#drop(host);
    }
  }

  #tellAborted(exchange: Exchange): void {
    this.#after(this.#latency(exchange.from, exchange.to, `${exchange.name} abort`), "abort", () => {
      exchange.aborted = true;
      const host = this.#hosts.get(exchange.to);
      if (host?.incarnation.alive === true && !this.#links.isCut(exchange.from, exchange.to)) {
        for (const callback of exchange.abortCallbacks) {
          this.#world.on(host.incarnation, this.#world.nowNanos, "abort", callback);
        }
      }
    });
  }

  #drop(host: Host): void {
    for (const exchange of this.#asking.get(host.incarnation) ?? []) {
      exchange.settled = true;
      this.#tellAborted(exchange);
    }
    this.#asking.delete(host.incarnation);
    if (this.#hosts.get(host.incarnation.place) === host) {
      this.#hosts.delete(host.incarnation.place);
    }
    host.handler = undefined;
    for (const exchange of host.serving) {
      this.#after(this.#latency(exchange.to, exchange.from, `${exchange.name} drop`), "reset", () =>
        exchange.settle(new NetworkError("CONNECTION_RESET", `connection to ${exchange.to} reset`)),
      );
    }
    host.serving.clear();
  }

  #request(incarnation: Incarnation, request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    const address = splitUrl(request.url);
    if (address === undefined) {
      return Promise.reject(new NetworkError("PROTOCOL_ERROR", `'${request.url}' is not an address`));
    }
    const headers = carriedHeaders(request.headers, "request");
    if (headers === undefined) {
      return Promise.reject(new NetworkError("PROTOCOL_ERROR", `${request.url}: a header that HTTP cannot carry`));
    }
    const { to, path } = address;
    const from = incarnation.place;
    const id = ++this.counters.requests;
    const kind = `${from}>${to} ${options.label}`;
    const ordinal = (this.#ordinals.get(kind) ?? 0) + 1;
    this.#ordinals.set(kind, ordinal);
    const title = `m${id} ${kind}`;
    this.#world.note(from, "request", `${title} ${request.method} ${path}`);
    const tellEnd = this.requestObserver?.({ incarnation, from, to, label: options.label });
    return new Promise((resolve, reject) => {
      const exchange: Exchange = {
        id,
        sender: incarnation,
        from,
        to,
        label: options.label,
        name: `${kind} #${ordinal}`,
        title,
        method: request.method,
        settled: false,
        aborted: false,
        abortCallbacks: [],
        settle: (outcome) => {
          if (exchange.settled) {
            return;
          }
          exchange.settled = true;
          timeout.cancel();
          this.#asking.get(incarnation)?.delete(exchange);
          tellEnd?.(!(outcome instanceof NetworkError));
          if (!incarnation.alive) {
            return;
          }
          this.#world.on(incarnation, this.#world.nowNanos, "settle", () => {
            if (outcome instanceof NetworkError) {
              this.#world.note(from, "network-error", `${title} ${outcome.kind}`);
              reject(outcome);
            } else {
              this.counters.answered++;
              this.#world.note(from, "answer", `${title} ${outcome.status}`);
              this.#world.fingerprint.headers(outcome.headers);
              this.#world.fingerprint.bytes(outcome.body);
              resolve(options.takesLent === true ? (this.lending?.answer(incarnation, to, outcome) ?? outcome) : outcome);
            }
          });
        },
      };
      const asking = this.#asking.get(incarnation) ?? new Set();
      this.#asking.set(incarnation, asking);
      asking.add(exchange);
      const giveUp = (kind: NetworkErrorKind, message: string): void => {
        exchange.settle(new NetworkError(kind, message));
        this.#tellAborted(exchange);
      };
      const timeout = this.#world.on(incarnation, this.#world.nowNanos + Math.ceil(options.timeoutMs * nanosPerMs), "timeout", () => {
        this.counters.timedOut++;
        this.#world.note(from, "timed-out", title);
        giveUp("TIMEOUT", `no answer from ${to} within ${options.timeoutMs} ms`);
      });
      options.onAbortable?.(() => {
        if (!exchange.settled) {
          giveUp("ABORTED", "request aborted");
        }
      });
      this.#send(exchange, { method: request.method, url: path, headers, body: copied(request.body) });
    });
  }

  #send(exchange: Exchange, message: HttpRequest): void {
    const { from, to, title } = exchange;
    const fate = this.#fateOf(exchange, "request", from, to);
    this.counters.bytes += message.body.length;
    if (fate.lost) {
      this.counters.lost++;
      this.#world.note(from, "lost", title);
      return;
    }
    if (fate.reset) {
      this.counters.reset++;
      this.#world.note(from, "reset", title);
      this.#after(fate.latencyNanos, "reset", () => exchange.settle(new NetworkError("CONNECTION_RESET", `connection to ${to} reset`)));
      if (!fate.delivered) {
        return;
      }
    }
    const { overtaken, neverAnswered } = fate;
    this.#deliver(exchange, message, { overtaken, neverAnswered, afterNanos: fate.latencyNanos + fate.extraNanos });
    if (fate.duplicated) {
      this.counters.duplicated++;
      this.#world.note(from, "duplicated", title);
      const again = { ...message, body: copied(message.body) };
      this.#deliver(exchange, again, {
        overtaken: false,
        neverAnswered,
        afterNanos: fate.latencyNanos + fate.duplicateNanos,
      });
    }
  }

  #deliver(
    exchange: Exchange,
    message: HttpRequest,
    fate: { readonly afterNanos: number; readonly overtaken: boolean; readonly neverAnswered: boolean },
  ): void {
    const { from, to, title } = exchange;
    const number = this.#links.send(from, to);
    this.#overtake(fate, to, title);
    this.#travel({ name: `${exchange.name} request`, from, to, label: exchange.label }, fate.afterNanos, () =>
      this.#links.cross(from, to, {
        number,
        overtaken: fate.overtaken,
        arrive: () => this.#arrive(exchange, message, fate.neverAnswered),
        drop: () => {
          this.counters.cut++;
          this.#world.note(to, "cut", `${title} request`);
        },
      }),
    );
  }

  /** Handles a request that arrives at the place's port. */
  #arrive(exchange: Exchange, message: HttpRequest, neverAnswered: boolean): void {
    const { from, to, title } = exchange;
    if (!this.#names.has(to)) {
      exchange.settle(new NetworkError("HOST_UNREACHABLE", `no host is called ${to}`));
      return;
    }
    const host = this.#hosts.get(to);
    if (host?.handler === undefined || !host.incarnation.alive) {
      this.counters.refused++;
      this.#world.note(to, "refused", title);
      this.#after(this.#latency(to, from, `${exchange.name} refused`), "refused", () => {
        if (!this.#links.isCut(to, from)) {
          exchange.settle(new NetworkError("CONNECTION_REFUSED", `connection to ${to} refused`));
        }
      });
      return;
    }
    host.serving.add(exchange);
    if (neverAnswered || (this.#mutes.get(to) ?? 0) > 0) {
      this.counters.neverAnswered++;
      this.#world.note(to, "never-answered", title);
      return;
    }
    for (const gate of this.#gates.get(to) ?? []) {
      const response = gate(message);
      if (response !== undefined) {
        this.counters.turnedAway++;
        this.#world.note(to, "turned-away", `${title} ${response.status}`);
        this.#answer(host, exchange, response);
        return;
      }
    }
    const refused = refusal(message, this.bodyBytesMax);
    if (refused === undefined) {
      this.#serve(host, exchange, message, host.handler);
    } else {
      this.#answer(host, exchange, refused);
    }
  }

  #serve(host: Host, exchange: Exchange, message: HttpRequest, handler: RequestHandler): void {
    const { from, to, title } = exchange;
    // The event waits while the node is paused or computes.
    this.#world.on(host.incarnation, this.#world.nowNanos, "serve", () => {
      const arrivedNanos = this.#world.nowNanos;
      this.#world.note(to, "serve", `${title} ${message.method} ${message.url}`);
      this.#world.fingerprint.headers(message.headers);
      this.#world.fingerprint.bytes(message.body);
      handler(message, this.#context(exchange, message)).then(
        (response) => {
          if (!this.isIgnored(exchange.sender) && !this.isIgnored(host.incarnation)) {
            this.observer?.({ from, to, request: message, response, arrivedNanos, isSenderAlive: exchange.sender.alive });
          }
          const withheld = this.#withheld.get(to);
          if (withheld?.label === exchange.label && response.status < 300 && host.incarnation.alive) {
            this.#withheld.delete(to);
            this.#world.note(to, "withheld", title);
            withheld.onWithheld();
            return;
          }
          this.#answer(host, exchange, host.rewrite?.(message, response) ?? response);
        },
        (error: unknown) => {
          this.#world.note(to, "handler-failed", String(error));
          this.#world.failure ??= error instanceof Error ? error : new Error(String(error));
        },
      );
    });
  }

  #answer(host: Host, exchange: Exchange, response: HttpResponse): void {
    if (!host.incarnation.alive) {
      return;
    }
    host.serving.delete(exchange);
    const { from, to, title } = exchange;
    const headers = carriedHeaders(response.headers, "answer");
    const { status } = response;
    const message: HttpResponse =
      headers === undefined ? plain(500) : { status, headers, body: carriedBody(exchange.method, status, response.body) };
    this.counters.bytes += message.body.length;
    this.#world.note(to, "respond", `${title} ${message.status} ${message.body.length} bytes`);
    const fate = this.#fateOf(exchange, "answer", to, from);
    if (fate.lost) {
      this.counters.lost++;
      this.#world.note(to, "answer-lost", title);
      return;
    }
    if (fate.reset || fate.truncated) {
      // A truncated body looks like a reset to the client: undici reports UND_ERR_SOCKET or a length mismatch.
      this.counters[fate.reset ? "reset" : "truncated"]++;
      this.#world.note(to, fate.reset ? "answer-reset" : "truncated", title);
      const text = fate.reset ? `connection to ${to} reset` : `connection to ${to} ended in the middle of an answer`;
      this.#after(fate.latencyNanos, "reset", () => exchange.settle(new NetworkError("CONNECTION_RESET", text)));
      return;
    }
    const number = this.#links.send(to, from);
    this.#overtake(fate, from, title);
    const leg = { name: `${exchange.name} answer`, from: to, to: from, label: exchange.label };
    this.#travel(leg, fate.latencyNanos + fate.extraNanos, () =>
      this.#links.cross(to, from, {
        number,
        overtaken: fate.overtaken,
        arrive: () => {
          this.counters.late += exchange.settled ? 1 : 0;
          exchange.settle(message);
        },
        drop: () => {
          this.counters.cut++;
          this.#world.note(from, "cut", `${title} answer`);
        },
      }),
    );
  }

  #overtake({ overtaken }: { readonly overtaken: boolean }, at: string, title: string): void {
    if (overtaken) {
      this.counters.overtaken++;
      this.#world.note(at, "overtaken", title);
    }
  }

  #context(exchange: Exchange, message: HttpRequest): RequestContext {
    return {
      remoteAddress: exchange.from,
      baseUri: this.baseUriFor?.(exchange.from, message) ?? SimulatedNetwork.uriOf(exchange.to),
      isAborted: () => exchange.aborted,
      onAbort: (callback) => {
        exchange.abortCallbacks.push(callback);
      },
    };
  }

  #fateOf(exchange: Exchange, leg: Leg, from: string, to: string): LegFate {
    if (from === to) {
      // A node that sends a request to itself calls its own handler.
      return calmFate;
    }
    const message = `${exchange.name} ${leg}`;
    const drawn = drawFate(this.#draws, message, leg, this.#conditions(from, to));
    const fate =
      this.#listed === undefined
        ? this.#scheduled({ name: message, from, to, label: exchange.label }, drawn)
        : listedFate(this.#listed.get(message) ?? [], drawn);
    this.fates.push(...tellFate(message, fate));
    return fate;
  }

  #scheduled(leg: ScheduledLeg, drawn: LegFate): LegFate {
    const delayNanos = (this.#schedule?.delayOf(leg) ?? 0) + (this.#delays.get(leg.name) ?? 0);
    return delayNanos === 0 ? drawn : { ...drawn, extraNanos: drawn.extraNanos + delayNanos };
  }

  /** Lets a leg arrive after its latency, or later if the schedule holds it. */
  #travel(leg: ScheduledLeg, nanos: number, arrive: () => void): void {
    this.#schedule?.sent(leg, this.#world.nowNanos + nanos);
    this.#after(nanos, "arrive", () => {
      const heldNanos = this.#schedule?.hold(leg, this.#world.nowNanos) ?? 0;
      if (heldNanos === 0) {
        arrive();
        return;
      }
      const known = this.fates.findIndex(({ message, kind }) => message === leg.name && kind === "delayed");
      const [delayed] = known < 0 ? [] : this.fates.splice(known, 1);
      this.fates.push({ message: leg.name, kind: "delayed", extraNanos: (delayed?.extraNanos ?? 0) + heldNanos });
      this.#after(heldNanos, "arrive", arrive);
    });
  }

  /** Latency of an event that crosses the link but is no leg of a message. */
  #latency(from: string, to: string, name: string): number {
    const conditions = this.#conditions(from, to);
    return this.#draws.of(name).between(conditions.latencyNanosMin, conditions.latencyNanosMax);
  }

  #after(nanos: number, what: string, run: () => void): void {
    this.#world.at(this.#world.nowNanos + nanos, what, run);
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) {
      groups.set(keyOf(item), [item]);
    } else {
      group.push(item);
    }
  }
  return groups;
}

function splitUrl(url: string): { readonly to: string; readonly path: string } | undefined {
  const match = /^http:\/\/([^/:]+)(?::\d+)?(\/.*)?$/.exec(url);
  return match === null ? undefined : { to: match[1] ?? "", path: match[2] ?? "/" };
}
