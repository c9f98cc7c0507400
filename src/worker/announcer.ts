/**
 * Announces a worker to its coordinator at a fixed interval, and sooner after a failure. Each answer lists the services of the cluster,
 * unless the cluster is large. Between two announcements a request waits at the coordinator for as long as the node is known there: when
 * the coordinator's process ends, its connection breaks, and the next process knows the node at once.
 */
import { knobOf } from "../ports/knobs.ts";
import type { Timer } from "../ports/clock.ts";
import { NetworkError } from "../ports/network.ts";
import type { Ports } from "../ports/ports.ts";
import { bareRequest, jsonRequest, responseDocument, responseText } from "../protocol/http/http.ts";
import { JsonSyntaxError } from "../protocol/json.ts";
import { type Announcement, type ServiceList, serviceListReader, serviceType } from "../protocol/documents/info.ts";

export interface AnnouncerConfig {
  readonly intervalMs: number;
  readonly requestTimeoutMs: number;
}

export interface AnnouncerOptions {
  readonly ports: Ports;
  readonly config: AnnouncerConfig;
  readonly coordinatorUri: string;
  /** Builds the current announcement; the node's state may have changed since the last one. */
  readonly announcement: () => Announcement;
  /** An announcement was accepted. Undefined in a large cluster, where the answer does not list the services. */
  readonly onAccepted: (services: ServiceList | undefined) => void;
}

const backoffMsMin = 20;
const withdrawTimeoutMs = 1000;

export class Announcer {
  readonly #options: AnnouncerOptions;
  #timer: Timer | undefined;
  #failures = 0;
  #closed = false;
  #isWatching = false;
  /** Number of the latest attempt; the results of older attempts are ignored. */
  #attempt = 0;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  get hasTimer(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    void this.announceNow();
  }

  /** Resolves to true if the coordinator accepted the announcement. */
  async announceNow(): Promise<boolean> {
    const accepted = await this.#announce();
    if (accepted) {
      void this.#watch();
    }
    return accepted;
  }

  async #announce(): Promise<boolean> {
    const { clock, network, log } = this.#options.ports;
    if (this.#closed) {
      return false;
    }
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#attempt += 1;
    const attempt = this.#attempt;
    if (this.#options.ports.points.fires("announcement-skipped")) {
      this.#timer = clock.timer("announcement", this.#options.config.intervalMs, () => void this.announceNow());
      return false;
    }
    const announcement = this.#options.announcement();
    const url = `${this.#options.coordinatorUri}/v1/announcement/${announcement.nodeId}`;
    let refusal = "";
    try {
      const options = { timeoutMs: this.#options.config.requestTimeoutMs, label: "announcement" };
      const response = await network.request(jsonRequest("PUT", url, announcement), options);
      if (response.status === 200) {
        this.#options.onAccepted(responseDocument(response, serviceListReader));
      } else if (response.status === 202) {
        this.#options.onAccepted(undefined);
      } else {
        refusal = `${response.status} ${responseText(response)}`;
      }
    } catch (error) {
      if (!(error instanceof NetworkError || error instanceof JsonSyntaxError)) {
        throw error;
      }
      refusal = error.message;
    }
    const accepted = refusal === "";
    if (this.#closed || attempt !== this.#attempt) {
      return accepted;
    }
    this.#failures = accepted ? 0 : this.#failures + 1;
    if (!accepted) {
      log.warn("announcement-failed", { coordinator: this.#options.coordinatorUri, reason: refusal });
    }
    const intervalMs = this.#options.ports.points.fires("announcement-repeated") ? 0 : this.#options.config.intervalMs;
    const delayMs = accepted
      ? intervalMs
      : Math.min(knobOf(this.#options.ports, "announce-backoff-ms"), backoffMsMin * 2 ** Math.min(10, this.#failures - 1));
    this.#timer = clock.timer("announcement", delayMs, () => void this.announceNow());
    return accepted;
  }

  /**
   * Waits at the coordinator until it knows this node no more. If it does not, or if it cannot be reached, the node announces itself. Such
   * an announcement begins no wait, so that a coordinator that answers at once is not asked without a pause.
   */
  async #watch(): Promise<void> {
    const { config, coordinatorUri, ports } = this.#options;
    if (this.#closed || this.#isWatching) {
      return;
    }
    this.#isWatching = true;
    const url = `${coordinatorUri}/v1/announcement/${this.#options.announcement().nodeId}`;
    const timeoutMs = config.intervalMs + config.requestTimeoutMs;
    let isKnown = false;
    try {
      const request = bareRequest("GET", url, { "x-engine-max-wait": `${config.intervalMs}ms` });
      const response = await ports.network.request(request, { timeoutMs, label: "announcement-watch" });
      isKnown = response.status === 200;
    } catch (error) {
      if (!(error instanceof NetworkError)) {
        throw error;
      }
    }
    this.#isWatching = false;
    if (!isKnown && this.#failures === 0 && this.hasTimer) {
      void this.#announce();
    }
  }

  /** Requests the list of services; undefined if the coordinator does not answer. */
  async services(): Promise<ServiceList | undefined> {
    const request = bareRequest("GET", `${this.#options.coordinatorUri}/v1/service/${serviceType}`);
    try {
      const options = { timeoutMs: this.#options.config.requestTimeoutMs, label: "services" };
      const response = await this.#options.ports.network.request(request, options);
      return response.status === 200 ? responseDocument(response, serviceListReader) : undefined;
    } catch (error) {
      if (!(error instanceof NetworkError || error instanceof JsonSyntaxError)) {
        throw error;
      }
      return undefined;
    }
  }

  /** Withdraws the announcement. Best effort. */
  async withdraw(): Promise<void> {
    this.close();
    const { nodeId } = this.#options.announcement();
    const request = bareRequest("DELETE", `${this.#options.coordinatorUri}/v1/announcement/${nodeId}`);
    try {
      await this.#options.ports.network.request(request, { timeoutMs: withdrawTimeoutMs, label: "withdrawal" });
    } catch (error) {
      if (!(error instanceof NetworkError)) {
        throw error;
      }
    }
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
