/**
 * The failure detector: sends `HEAD /v1/status` to each node at a fixed interval, the first one at once. Answers carry the node's state and
 * incarnation (headers `x-engine-node-state`, `x-engine-node-life`), so the next heartbeat reveals a shutdown or a restart. A heartbeat is
 * early when another one was refused, or when a request to the node has found nobody or a broken connection: a process that has ended is
 * found within a tenth of a second.
 */
import { knobOf } from "../ports/knobs.ts";
import { type HttpResponse, NetworkError } from "../ports/network.ts";
import type { Ports } from "../ports/ports.ts";
import type { Timer } from "../ports/clock.ts";
import { bareRequest, responseHeaderText } from "../protocol/http/http.ts";
import { nodeIncarnationHeader, type NodeState, nodeStateHeader } from "../protocol/documents/info.ts";
import { type LivenessState, MonitoredNode } from "./monitored-node.ts";

export interface FailureDetectorConfig {
  /** If false, every announced node counts as alive. */
  readonly enabled: boolean;
  /** Maximum ratio of failed recent heartbeats. */
  readonly threshold: number;
  readonly heartbeatIntervalMs: number;
  readonly heartbeatTimeoutMs: number;
  readonly warmupMs: number;
  /** How long a node that left stays listed, in milliseconds. */
  readonly expirationGraceMs: number;
  /** How long a node that has failed is silent until its tasks may run again elsewhere, in milliseconds; 0: for ever. */
  readonly unresponsiveMs: number;
}

export interface WatchedNode {
  readonly nodeId: string;
  readonly uri: string;
  readonly incarnation: string;
}

interface Watch {
  readonly node: MonitoredNode;
  timer: Timer | undefined;
  /** Time of the last heartbeat. */
  beatNanos: number;
  /** The last heartbeat came early because a connection had broken: only a refusal makes the next one early too. */
  wasBroken: boolean;
  /** Time at which its announcement ended; undefined while it is watched. */
  disabledNanos: number | undefined;
  /** It has failed, and was silent for so long that its tasks may run again elsewhere. */
  isUnresponsive: boolean;
}

export class FailureDetector {
  readonly #ports: Ports;
  readonly #config: FailureDetectorConfig;
  readonly #onChange: (nodeId: string) => void;
  readonly #watches = new Map<string, Watch>();
  readonly #byUri = new Map<string, Set<Watch>>();
  #expiryTimer: Timer | undefined;
  #closed = false;

  /** `onChange` is called after every change of a node's liveness or reported state. */
  constructor(ports: Ports, config: FailureDetectorConfig, onChange: (nodeId: string) => void) {
    this.#ports = ports;
    this.#config = config;
    this.#onChange = onChange;
  }

  /** The node is announced, or announces something else than before. */
  watch(node: WatchedNode): void {
    if (!this.#closed) {
      this.#enable(node);
    }
  }

  /** The node is announced no more: it gets no more heartbeats, but stays listed for a while. */
  unwatch(nodeId: string): void {
    const watch = this.#watches.get(nodeId);
    if (!this.#closed && watch !== undefined && watch.disabledNanos === undefined) {
      watch.disabledNanos = this.#ports.clock.monotonicNanos();
      watch.timer?.cancel();
      watch.timer = undefined;
      this.#scheduleExpiry();
    }
  }

  /** A request to a node at this address has failed: if its process may have ended, a heartbeat finds out. */
  requestFailed(uri: string, { kind }: NetworkError): void {
    if (!this.#config.enabled || this.#closed || (kind !== "CONNECTION_REFUSED" && kind !== "CONNECTION_RESET")) {
      return;
    }
    for (const watch of this.#byUri.get(uri) ?? []) {
      const isBroken = kind === "CONNECTION_RESET";
      if (watch.disabledNanos === undefined && watch.node.isAlive && !(isBroken && watch.wasBroken)) {
        this.#beatSoon(watch);
        watch.wasBroken ||= isBroken;
      }
    }
  }

  /** The next heartbeat does not wait for the interval, only for the shortest pause after the one before. */
  #beatSoon(watch: Watch): void {
    const { clock } = this.#ports;
    const sinceMs = (clock.monotonicNanos() - watch.beatNanos) / 1e6;
    const restMs = Math.max(0, Math.ceil(Math.min(knobOf(this.#ports, "heartbeat-again-ms"), this.#config.heartbeatIntervalMs) - sinceMs));
    watch.timer?.cancel();
    if (restMs === 0) {
      this.#beat(watch);
    } else {
      watch.timer = clock.timer("heartbeat", restMs, () => this.#beat(watch));
    }
  }

  state(nodeId: string): LivenessState {
    const watch = this.#watches.get(nodeId);
    if (!this.#config.enabled) {
      return watch === undefined ? "UNKNOWN" : "ALIVE";
    }
    return watch?.node.state ?? "UNKNOWN";
  }

  reportedState(nodeId: string): NodeState {
    return this.#watches.get(nodeId)?.node.reportedState ?? "ACTIVE";
  }

  /** Every node at this address has failed, and has answered nothing for `unresponsiveMs`. False if there is none. */
  isUnresponsive(uri: string): boolean {
    const watches = [...(this.#byUri.get(uri) ?? [])];
    return watches.length > 0 && watches.every((watch) => watch.isUnresponsive);
  }

  /** All listed nodes, sorted by node id, including those that left. */
  nodes(): readonly { readonly node: MonitoredNode; readonly announced: boolean }[] {
    return [...this.#watches.values()]
      .map((watch) => ({ node: watch.node, announced: watch.disabledNanos === undefined }))
      .toSorted((a, b) => (a.node.nodeId < b.node.nodeId ? -1 : 1));
  }

  /** The nodes of `nodes` at this address, in no order. */
  nodesAt(uri: string): readonly { readonly node: MonitoredNode; readonly announced: boolean }[] {
    const found: { readonly node: MonitoredNode; readonly announced: boolean }[] = [];
    for (const { node, disabledNanos } of this.#byUri.get(uri) ?? []) {
      found.push({ node, announced: disabledNanos === undefined });
    }
    return found;
  }

  /** Number of running timers, for leak checks. */
  get timerCount(): number {
    return [...this.#watches.values()].filter((watch) => watch.timer !== undefined).length + (this.#expiryTimer === undefined ? 0 : 1);
  }

  close(): void {
    this.#closed = true;
    for (const watch of this.#watches.values()) {
      watch.timer?.cancel();
      watch.timer = undefined;
    }
    this.#expiryTimer?.cancel();
    this.#expiryTimer = undefined;
  }

  #enable(announced: WatchedNode): void {
    let watch = this.#watches.get(announced.nodeId);
    const isNew = watch === undefined || watch.node.incarnation !== announced.incarnation || watch.node.uri !== announced.uri;
    if (watch === undefined) {
      const node = new MonitoredNode(this.#ports.clock, this.#config, announced);
      watch = { node, timer: undefined, beatNanos: 0, wasBroken: false, disabledNanos: undefined, isUnresponsive: false };
      this.#watches.set(announced.nodeId, watch);
      this.#list(watch);
    } else if (isNew) {
      this.#unlist(watch);
      watch.node.restart(announced.uri, announced.incarnation);
      watch.isUnresponsive = false;
      this.#list(watch);
    }
    const wasDisabled = watch.disabledNanos !== undefined;
    watch.disabledNanos = undefined;
    if (this.#config.enabled && (isNew || wasDisabled)) {
      watch.timer?.cancel();
      this.#beat(watch);
    }
  }

  #list(watch: Watch): void {
    const { uri } = watch.node;
    const there = this.#byUri.get(uri) ?? new Set();
    this.#byUri.set(uri, there.add(watch));
  }

  #unlist(watch: Watch): void {
    const { uri } = watch.node;
    const there = this.#byUri.get(uri);
    there?.delete(watch);
    if (there?.size === 0) {
      this.#byUri.delete(uri);
    }
  }

  #beat(watch: Watch): void {
    watch.timer = this.#ports.clock.timer("heartbeat", this.#config.heartbeatIntervalMs, () => {
      watch.wasBroken = false;
      this.#beat(watch);
    });
    watch.beatNanos = this.#ports.clock.monotonicNanos();
    if (this.#ports.points.fires("heartbeat-skipped")) {
      return;
    }
    const { node } = watch;
    const { uri, incarnation } = node;
    const about = (change: () => void): void => {
      // An answer to a request to a former incarnation or address says nothing about the current one.
      if (!this.#closed && node.uri === uri && node.incarnation === incarnation) {
        this.#observe(watch, change);
      }
    };
    node.requested();
    this.#judgeSilence(watch);
    const request = bareRequest("HEAD", `${uri}/v1/status`);
    const timeoutMs = this.#ports.points.fires("heartbeat-impatient") ? 1 : this.#config.heartbeatTimeoutMs;
    this.#ports.network.request(request, { timeoutMs, label: "heartbeat" }).then(
      (response) => about(() => node.answered(reportOf(response))),
      (error: unknown) =>
        about(() => {
          const failure = asNetworkError(error);
          node.failed(failure);
          if (failure.kind === "CONNECTION_REFUSED" && node.isAlive && watch.disabledNanos === undefined) {
            this.#beatSoon(watch);
          }
        }),
    );
  }

  /** Heartbeats that were sent count beside the time: after a pause of this process it has not listened. */
  #judgeSilence(watch: Watch): void {
    const { heartbeatIntervalMs, unresponsiveMs } = this.#config;
    const { node } = watch;
    const isLong = node.silentNanos >= unresponsiveMs * 1e6 && node.unanswered * heartbeatIntervalMs >= unresponsiveMs;
    if (unresponsiveMs > 0 && node.hasFailed && isLong && !watch.isUnresponsive) {
      watch.isUnresponsive = true;
      this.#ports.log.info("node-unresponsive", { nodeId: node.nodeId, uri: node.uri });
      this.#onChange(node.nodeId);
    }
  }

  #observe(watch: Watch, change: () => void): void {
    const { node } = watch;
    const before = `${node.state} ${node.reportedState}`;
    change();
    watch.isUnresponsive &&= node.unanswered > 0;
    const after = `${node.state} ${node.reportedState}`;
    if (before !== after) {
      this.#ports.log.info("node-state", { nodeId: node.nodeId, uri: node.uri, from: before, to: after });
      // Also for a node whose announcement has expired meanwhile: it counts as gone because it does not respond either.
      this.#onChange(node.nodeId);
    }
  }

  /** Sets one timer, for the node that left first. */
  #scheduleExpiry(): void {
    if (this.#expiryTimer !== undefined) {
      return;
    }
    const disabled = [...this.#watches.values()].flatMap((watch) => (watch.disabledNanos === undefined ? [] : [watch.disabledNanos]));
    if (disabled.length === 0) {
      return;
    }
    const graceMs = this.#config.expirationGraceMs;
    const ageMs = (this.#ports.clock.monotonicNanos() - Math.min(...disabled)) / 1e6;
    this.#expiryTimer = this.#ports.clock.timer("node-expiry", Math.max(1, Math.ceil(graceMs - ageMs)), () => {
      this.#expiryTimer = undefined;
      const now = this.#ports.clock.monotonicNanos();
      for (const [nodeId, watch] of this.#watches) {
        if (watch.disabledNanos !== undefined && now - watch.disabledNanos >= graceMs * 1e6) {
          this.#watches.delete(nodeId);
          this.#unlist(watch);
        }
      }
      this.#scheduleExpiry();
    });
  }
}

function reportOf(response: HttpResponse): { readonly state: NodeState | undefined; readonly incarnation: string | undefined } {
  const state = responseHeaderText(response, nodeStateHeader);
  return {
    state: state === "ACTIVE" || state === "INACTIVE" || state === "SHUTTING_DOWN" ? state : undefined,
    incarnation: responseHeaderText(response, nodeIncarnationHeader),
  };
}

function asNetworkError(error: unknown): NetworkError {
  return error instanceof NetworkError
    ? error
    : new NetworkError("PROTOCOL_ERROR", error instanceof Error ? error.message : "unknown failure");
}
