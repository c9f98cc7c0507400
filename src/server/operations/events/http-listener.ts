/**
 * The event listener over HTTP: each query event is sent to an address as JSON, in Trino's form. An answer other than 2xx and a broken
 * connection are retried with growing delays, a bounded number of times. Events wait in a bounded queue.
 */
import type { Agent } from "undici";
import type { QueryEvent } from "../../../coordinator/context.ts";
import type { DeliveryCounts } from "../metrics/node-metrics.ts";
import type { HttpListenerConfiguration } from "./configuration.ts";
import { DeliveryQueue } from "./delivery-queue.ts";
import type { EventConsumer } from "./event-consumer.ts";
import { type ServerFacts, trinoEvent } from "./trino-events.ts";

const waitingEntriesMax = 10_000;
const waitingBytesMax = 64 * 1024 * 1024;
const concurrency = 8;
/** Time allowed for one attempt, in milliseconds. */
const attemptMsMax = 10_000;

export interface HttpListenerOptions {
  readonly configuration: HttpListenerConfiguration;
  readonly server: () => ServerFacts;
  readonly onError: (error: unknown) => void;
}

export class HttpListener implements EventConsumer {
  readonly #options: HttpListenerOptions;
  readonly #queue: DeliveryQueue;
  /** Undefined before the first event. */
  #agent: Agent | undefined;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#queue = new DeliveryQueue({
      consumer: "http",
      entriesMax: waitingEntriesMax,
      bytesMax: waitingBytesMax,
      batchMax: 1,
      concurrency,
      deliver: async ([body = ""], signal) => {
        await this.#send(body, signal);
        return 1;
      },
      onError: options.onError,
    });
  }

  get counts(): DeliveryCounts {
    return this.#queue.counts;
  }

  onQueryEvent(event: QueryEvent): void {
    const { logsCompleted, logsCreated } = this.#options.configuration;
    if (event.kind === "created" ? logsCreated : logsCompleted) {
      this.#queue.add(JSON.stringify(trinoEvent(event, this.#options.server())));
    }
  }

  async close(waitMs: number): Promise<void> {
    await this.#queue.close(waitMs);
    await this.#agent?.destroy();
  }

  async #send(body: string, signal: AbortSignal): Promise<void> {
    const { backoffBase, delayMsMax, retryCount, retryDelayMs } = this.#options.configuration;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(body, signal);
      } catch (error) {
        if (attempt >= retryCount || signal.aborted) {
          throw error;
        }
      }
      await delay(Math.min(delayMsMax, retryDelayMs * backoffBase ** attempt), signal);
    }
  }

  async #attempt(body: string, signal: AbortSignal): Promise<void> {
    const { headers, method, uri } = this.#options.configuration;
    const { Agent: HttpAgent, request } = await import("undici");
    this.#agent ??= new HttpAgent({ connections: concurrency, connectTimeout: attemptMsMax });
    const answer = await request(uri, {
      method,
      body,
      headers: { "content-type": "application/json; charset=utf-8", ...headers },
      dispatcher: this.#agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(attemptMsMax)]),
    });
    await answer.body.dump();
    if (answer.statusCode < 200 || answer.statusCode > 299) {
      throw new Error(`status ${answer.statusCode}`);
    }
  }
}

/** Ends early when the signal aborts. */
function delay(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    signal.addEventListener("abort", done);
    if (signal.aborted) {
      done();
    }
  });
}
