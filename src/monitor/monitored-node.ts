/**
 * Heartbeat history of one node: its counters, its node document, and whether it is alive. It sends nothing; the failure detector reports
 * requests and answers to it.
 *
 * A node whose first heartbeat succeeds is alive at once, so a cluster starts without a warm-up. From then on, as in Presto, a node has
 * failed when the ratio of failed recent heartbeats exceeds the threshold. In a short history, at least three failures in a row are
 * required, but two refused connections suffice in any, because nothing listens at the address. A failed node is alive again after
 * heartbeats have succeeded for the whole warm-up, even while old failures still weigh on the ratio.
 */
import type { Clock, MonotonicNanos } from "../ports/clock.ts";
import type { NetworkError, NetworkErrorKind } from "../ports/network.ts";
import type { NodeState } from "../protocol/documents/info.ts";
import type { NodeDocument } from "../protocol/documents/node.ts";
import { formatTimestamp } from "../protocol/timestamp.ts";
import { formatDuration } from "../protocol/units.ts";
import { DecayCounter } from "./decay.ts";

/** ALIVE, or the reason why not. UNKNOWN before the first heartbeat and when the reason is unclear. */
export type LivenessState = "ALIVE" | "GONE" | "UNRESPONSIVE" | "UNKNOWN";

export interface FailureThreshold {
  readonly threshold: number;
  readonly warmupMs: number;
}

const failuresInARowMin = 3;
const refusalsInARowMin = 2;
/** In a history of this many recent heartbeats the ratio counts alone: a node that answers every other one never fails in a row. */
const longHistoryMin = 40;

export class MonitoredNode {
  readonly nodeId: string;
  readonly #clock: Clock;
  readonly #threshold: FailureThreshold;
  readonly #requests: DecayCounter;
  readonly #failures: DecayCounter;
  readonly #successes: DecayCounter;
  readonly #failuresByType = new Map<NetworkErrorKind, DecayCounter>();
  #uri: string;
  #incarnation: string;
  #sinceNanos: MonotonicNanos;
  #lastRequestMillis: number | undefined;
  #lastResponseMillis: number | undefined;
  #lastFailure: NetworkError | undefined;
  #verdict: "unknown" | "alive" | "failed" = "unknown";
  #failuresInARow = 0;
  /** Since its last answer, or since it is known. */
  #silentSinceNanos: MonotonicNanos;
  #unanswered = 0;
  #successSinceNanos: MonotonicNanos | undefined;
  #reportedState: NodeState = "ACTIVE";
  #reportedIncarnation: string | undefined;

  constructor(
    clock: Clock,
    threshold: FailureThreshold,
    node: { readonly nodeId: string; readonly uri: string; readonly incarnation: string },
  ) {
    this.nodeId = node.nodeId;
    this.#clock = clock;
    this.#threshold = threshold;
    this.#uri = node.uri;
    this.#incarnation = node.incarnation;
    this.#requests = new DecayCounter(clock);
    this.#failures = new DecayCounter(clock);
    this.#successes = new DecayCounter(clock);
    this.#sinceNanos = clock.monotonicNanos();
    this.#silentSinceNanos = this.#sinceNanos;
  }

  /** Heartbeats since its last answer. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Time since its last answer. */
  get silentNanos(): number {
    return this.#clock.monotonicNanos() - this.#silentSinceNanos;
  }

  get uri(): string {
    return this.#uri;
  }

  get incarnation(): string {
    return this.#incarnation;
  }

  /** ACTIVE or SHUTTING_DOWN, as reported in the node's last answer. */
  get reportedState(): NodeState {
    return this.#reportedState;
  }

  /** Its heartbeats have not failed by the rule, whatever incarnation they have found. */
  get isAlive(): boolean {
    return this.#verdict === "alive";
  }

  get state(): LivenessState {
    if (this.#verdict === "alive") {
      // Another incarnation responds at this address.
      return this.#reportedIncarnation === undefined || this.#reportedIncarnation === this.#incarnation ? "ALIVE" : "UNKNOWN";
    }
    if (this.#verdict === "unknown" || this.#failuresInARow === 0) {
      return "UNKNOWN";
    }
    const kind = this.#lastFailure?.kind;
    return kind === "CONNECTION_REFUSED" ? "GONE" : kind === "TIMEOUT" ? "UNRESPONSIVE" : "UNKNOWN";
  }

  /** For /v1/node/failed. A node without any heartbeat has not failed. */
  get hasFailed(): boolean {
    return this.#verdict === "failed";
  }

  get lastFailureKind(): NetworkErrorKind | undefined {
    return this.#lastFailure?.kind;
  }

  /** The node restarted: its counters continue, but its liveness and age start anew. */
  restart(uri: string, incarnation: string): void {
    this.#uri = uri;
    this.#incarnation = incarnation;
    this.#sinceNanos = this.#clock.monotonicNanos();
    this.#silentSinceNanos = this.#sinceNanos;
    this.#unanswered = 0;
    this.#verdict = "unknown";
    this.#failuresInARow = 0;
    this.#successSinceNanos = undefined;
    this.#reportedState = "ACTIVE";
    this.#reportedIncarnation = undefined;
  }

  requested(): void {
    this.#requests.add(1);
    this.#unanswered += 1;
    this.#lastRequestMillis = this.#clock.wallMillis();
  }

  /** Any answer counts, whatever its status: a heartbeat checks whether the node can be reached. */
  answered(report: { readonly state: NodeState | undefined; readonly incarnation: string | undefined }): void {
    const now = this.#clock.monotonicNanos();
    this.#successes.add(1);
    this.#lastResponseMillis = this.#clock.wallMillis();
    this.#reportedState = report.state ?? "ACTIVE";
    this.#reportedIncarnation = report.incarnation;
    this.#failuresInARow = 0;
    this.#unanswered = 0;
    this.#silentSinceNanos = now;
    this.#successSinceNanos ??= now;
    const warm = now - this.#successSinceNanos >= this.#threshold.warmupMs * 1e6;
    if (this.#verdict === "unknown" || (this.#verdict === "failed" && warm)) {
      this.#verdict = "alive";
    }
  }

  failed(error: NetworkError): void {
    this.#failures.add(1);
    this.#countType(error.kind);
    this.#lastResponseMillis = this.#clock.wallMillis();
    this.#lastFailure = error;
    this.#failuresInARow += 1;
    this.#successSinceNanos = undefined;
    const refused = error.kind === "CONNECTION_REFUSED" && this.#failuresInARow >= refusalsInARowMin;
    const hasFailedOften = this.#failuresInARow >= failuresInARowMin || this.#requests.count >= longHistoryMin;
    const overThreshold = this.#failureRatio() > this.#threshold.threshold && hasFailedOften;
    if (refused || overThreshold) {
      this.#verdict = "failed";
    }
  }

  document(): NodeDocument {
    const recentFailuresByType: Record<string, number> = {};
    for (const [kind, counter] of this.#failuresByType) {
      recentFailuresByType[kind] = counter.count;
    }
    return {
      uri: this.#uri,
      recentRequests: this.#requests.count,
      recentFailures: this.#failures.count,
      recentSuccesses: this.#successes.count,
      ...(this.#lastRequestMillis === undefined ? {} : { lastRequestTime: formatTimestamp(this.#lastRequestMillis) }),
      ...(this.#lastResponseMillis === undefined ? {} : { lastResponseTime: formatTimestamp(this.#lastResponseMillis) }),
      age: formatDuration(this.#clock.monotonicNanos() - this.#sinceNanos),
      recentFailureRatio: this.#failureRatio(),
      recentFailuresByType,
      ...(this.#lastFailure === undefined
        ? {}
        : { lastFailureInfo: { type: this.#lastFailure.kind, message: this.#lastFailure.message, stack: [], suppressed: [] } }),
    };
  }

  #countType(kind: NetworkErrorKind): void {
    let counter = this.#failuresByType.get(kind);
    if (counter === undefined) {
      counter = new DecayCounter(this.#clock);
      this.#failuresByType.set(kind, counter);
    }
    counter.add(1);
  }

  /** 0 before the first request, where Presto has NaN. */
  #failureRatio(): number {
    const requests = this.#requests.count;
    return requests === 0 ? 0 : Math.min(1, this.#failures.count / requests);
  }
}
