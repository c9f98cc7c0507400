/**
 * Membership, computed a second time from the announcements and heartbeats that crossed the network:
 * - An active node has announced itself recently. A node with a recent announcement is known, and one without is not, independent of wall
 *   clocks.
 * - A node is listed as failed exactly if its heartbeats failed by the detector's rule.
 * - A node that is known to shut down gets no new work, and one that is known to be gone gets no task requests.
 * - A node gets work only after a heartbeat of its current incarnation was answered.
 */
import { durationProperty, numberProperty } from "../../properties.ts";
import { readBody } from "../protocol/bodies.ts";
import { nanosPerMs, nanosPerSecond } from "../../world/world.ts";
import type { Properties } from "../../plan.ts";
import type { Facts } from "../facts.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";

const oracle = "membership";

/**
 * Margin around a bound within which nothing is checked: clocks drift, a paused coordinator cleans up when it continues, and announcements
 * are in flight.
 */
const slackNanos = 3 * nanosPerSecond;
const ratioSlack = 0.06;
/** A smaller margin, for facts that are received and checked at the same place. */
const tidyNanos = nanosPerSecond / 2;
const failuresInARowMin = 3;
/** A clock that a fault drives deviates by up to a fifth. */
const clockShare = 0.8;
/** A request about a task, sent by its coordinator. */
const taskQuestion = / task-(?:status|info) /;
/** Number of members checked, in turn, at each response of the coordinator. */
const membersAtOnce = 4;
/** Members of a cluster in which each announcement is held against the list of active workers. */
const listedMax = 32;

interface Member {
  announcedNanos: number;
  incarnation: string;
  /** Time at which this incarnation first announced that it shuts down. */
  leavingNanos: number | undefined;
  withdrawn: boolean;
  /** Completed heartbeats of this and older incarnations. */
  readonly beats: { readonly nanos: number; readonly failed: boolean; readonly kind: string }[];
  /** Time of the first announcement of this incarnation. The failure rule starts again then; the counters continue. */
  lifeNanos: number;
}

/** The coordinator's current view of the cluster. */
export interface MembershipView {
  /** Workers that the coordinator would schedule on. */
  activeWorkers(): readonly { readonly nodeId: string }[];
  /** Address of a node that counts as announced. */
  address(nodeId: string): string | undefined;
  /** Whether every incarnation that ran at the address is known to be gone. */
  isGone(uri: string): boolean;
}

export interface MembershipOptions {
  readonly coordinator: string;
  readonly properties: Properties;
  readonly facts: Facts;
  readonly uriOf: (place: string) => string;
  /** Returns undefined while the coordinator is down. */
  readonly view: () => MembershipView | undefined;
}

export class MembershipOracle {
  readonly #verdict: Verdict;
  readonly #options: MembershipOptions;
  readonly #coordinator: string;
  readonly #ageNanosMax: number;
  readonly #threshold: number;
  /** Without the failure detector every announced node counts. */
  readonly #hasHeartbeats: boolean;
  readonly #members = new Map<string, Member>();
  /** Times at which the tasks of a stage were placed: once, and again with each attempt to run the query again. */
  readonly #placed = new Map<string, readonly number[]>();
  /** Announcements so far. */
  #announcements = 0;
  /** The member that is looked at next, and those behind it. */
  #turn: Iterator<[string, Member]> = this.#members.entries();

  constructor(verdict: Verdict, options: MembershipOptions) {
    this.#verdict = verdict;
    this.#options = options;
    this.#coordinator = options.coordinator;
    this.#ageNanosMax = durationProperty(options.properties, "discovery.max-age") * nanosPerMs;
    this.#threshold = numberProperty(options.properties, "failure-detector.threshold");
    this.#hasHeartbeats = options.properties["failure-detector.enabled"] !== "false";
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string, nowNanos: number): void {
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "start") {
      this.#members.clear();
    } else if ((kind === "answer" || kind === "network-error") && detail.includes(" heartbeat")) {
      const match = /^m\d+ \S+>(\S+) heartbeat (\S+)/.exec(detail);
      const member = this.#members.get(match?.[1] ?? "");
      member?.beats.push({ nanos: nowNanos, failed: kind === "network-error", kind: match?.[2] ?? "" });
    } else if (kind === "request" && taskQuestion.test(detail)) {
      this.#checkAsked(detail);
    }
  }

  observeStage(stageId: string, to: string, nowNanos: number): void {
    if (to === "SCHEDULING") {
      this.#placed.set(stageId, [...(this.#placed.get(stageId) ?? []), nowNanos]);
    }
  }

  observe(answer: Observed): void {
    this.#take(answer);
    if (answer.to === this.#coordinator) {
      this.#checkKnown(answer.nowNanos);
    }
  }

  #take(answer: Observed): void {
    const { to, path, request, response, nowNanos, task } = answer;
    if (to === this.#coordinator && path.startsWith("/v1/announcement/")) {
      if (request.method === "PUT" && (response.status === 200 || response.status === 202)) {
        const nodeId = path.split("/")[3] ?? "";
        this.#announced(nodeId, readBody(request.body).text(), nowNanos);
        // The list costs in proportion to the cluster, and so does the number of announcements.
        if (this.#announcements++ % Math.ceil(this.#members.size / listedMax) === 0) {
          const active = this.#options.view()?.activeWorkers() ?? [];
          this.#checkAnswered(
            nodeId,
            active.some((worker) => worker.nodeId === nodeId),
          );
        }
      } else if (request.method === "DELETE" && response.status < 300) {
        const member = this.#members.get(path.split("/")[3] ?? "");
        if (member !== undefined) {
          member.withdrawn = true;
        }
      }
    } else if (to === this.#coordinator && path === "/v1/node/failed" && response.status === 200) {
      this.#checkFailed(answer.json() as readonly { readonly uri: string }[], nowNanos);
    } else if (task?.what === "task" && request.method === "POST" && response.status === 200) {
      this.#checkPlacement(to, task.taskId, readBody(request.body).text().includes('"partition":'));
    }
  }

  /** Checks the workers that the coordinator would schedule on. */
  checkActive(nowNanos: number): void {
    // The list is made once: a list for each worker would cost the square of their number.
    for (const { nodeId } of this.#options.view()?.activeWorkers() ?? []) {
      const member = this.#members.get(nodeId);
      const age = member === undefined ? Number.POSITIVE_INFINITY : nowNanos - member.announcedNanos;
      this.#check(
        age <= this.#ageNanosMax / clockShare + slackNanos,
        () => `${nodeId} counts as active although its last announcement is ${(age / nanosPerSecond).toFixed(1)} s old`,
      );
      const leaving = member?.leavingNanos;
      this.#check(
        leaving === undefined || nowNanos - leaving <= slackNanos,
        () => `${nodeId} counts as active although it said that it leaves`,
      );
      this.#checkAnswered(nodeId, true);
    }
  }

  /** An announcement shows only that a node can send. A response shows that it can be reached. */
  #checkAnswered(nodeId: string, counts: boolean): void {
    const member = this.#members.get(nodeId);
    this.#check(
      !counts || !this.#hasHeartbeats || member?.beats.some(({ nanos, failed }) => !failed && nanos >= member.lifeNanos) === true,
      () => `${nodeId} counts as active although no heartbeat of this life of it has been answered`,
    );
  }

  /** An announcement expires by its age only; a step of a wall clock neither ends nor prolongs it. */
  #checkKnown(nowNanos: number): void {
    const view = this.#options.view();
    const { facts } = this.#options;
    if (view === undefined || facts.hitSince(this.#coordinator, nowNanos - slackNanos)) {
      return;
    }
    for (let left = Math.min(this.#members.size, membersAtOnce); left > 0; left--) {
      const [nodeId, { announcedNanos, withdrawn }] = this.#nextMember();
      const age = nowNanos - announcedNanos;
      const isKnown = view.address(nodeId) !== undefined;
      const said = (): string => `the last announcement of ${nodeId} is ${(age / nanosPerSecond).toFixed(1)} s old`;
      if (!withdrawn && age < this.#ageNanosMax * clockShare - tidyNanos) {
        this.#check(isKnown, () => `${said()}, and it does not count as announced`);
      } else if (age > this.#ageNanosMax / clockShare + slackNanos) {
        this.#check(!isKnown, () => `${said()}, and it still counts as announced`);
      }
    }
  }

  /** Only if there are members. */
  #nextMember(): [string, Member] {
    let next = this.#turn.next();
    if (next.done === true) {
      this.#turn = this.#members.entries();
      next = this.#turn.next();
    }
    return next.value as [string, Member];
  }

  /** Tasks of a node that is known to be gone fail at once, so nothing may be requested about them. */
  #checkAsked(detail: string): void {
    const worker = /^m\d+ \S+>(\S+) /.exec(detail)?.[1] ?? "";
    this.#check(
      this.#options.view()?.isGone(this.#options.uriOf(worker)) !== true,
      () => `${worker} is known to be gone, and is asked for a task:${detail.slice(detail.indexOf(" task-"))}`,
    );
  }

  #announced(nodeId: string, body: string, nowNanos: number): void {
    const incarnation = /"life":"([^"]*)"/.exec(body)?.[1] ?? "";
    const leaves = body.includes('"state":"SHUTTING_DOWN"');
    const known = this.#members.get(nodeId);
    if (known === undefined) {
      this.#members.set(nodeId, {
        announcedNanos: nowNanos,
        incarnation,
        leavingNanos: leaves ? nowNanos : undefined,
        withdrawn: false,
        beats: [],
        lifeNanos: nowNanos,
      });
      return;
    }
    if (known.incarnation !== incarnation) {
      known.incarnation = incarnation;
      known.lifeNanos = nowNanos;
      known.leavingNanos = undefined;
    }
    known.announcedNanos = nowNanos;
    known.withdrawn = false;
    known.leavingNanos = leaves ? (known.leavingNanos ?? nowNanos) : undefined;
  }

  /** A task of a query that runs again tells its partition. */
  #checkPlacement(place: string, taskId: string, isAgain: boolean): void {
    const placed = this.#placed.get(taskId.split(".").slice(0, 2).join("."))?.[isAgain ? 1 : 0];
    const leaving = this.#members.get(place)?.leavingNanos;
    this.#check(
      placed === undefined || leaving === undefined || placed <= leaving,
      () =>
        `${taskId} was given to ${place} ${(((placed ?? 0) - (leaving ?? 0)) / nanosPerMs).toFixed(0)} ms after it had said that it leaves`,
    );
  }

  #checkFailed(listed: readonly { readonly uri: string }[], nowNanos: number): void {
    const names = new Set(listed.map(({ uri }) => /^http:\/\/([^:/]+)/.exec(uri)?.[1] ?? ""));
    for (const [nodeId, member] of this.#members) {
      const gone = member.withdrawn || nowNanos - member.announcedNanos > this.#ageNanosMax - slackNanos;
      const examined = this.#examine(member, nowNanos);
      if (gone || examined === "unclear") {
        continue;
      }
      this.#check(names.has(nodeId) === (examined === "failed"), () => {
        return names.has(nodeId)
          ? `${nodeId} is listed as failed although its heartbeats have not failed by the rule`
          : `${nodeId} is not listed as failed although its heartbeats have failed by the rule`;
      });
    }
  }

  /** Returns `failed` or `alive` only if no clock, rounding or message in flight could change the result. */
  #examine({ beats, lifeNanos }: Member, nowNanos: number): "failed" | "alive" | "unclear" {
    const own = beats.filter(({ nanos }) => nanos > lifeNanos);
    const [last] = own.slice(-1);
    if (last === undefined || nowNanos - last.nanos > slackNanos || nowNanos - lifeNanos < slackNanos) {
      return "unclear";
    }
    if (own.every(({ failed }) => !failed)) {
      return "alive";
    }
    const lastSuccess = own.findLastIndex(({ failed }) => !failed);
    const inARow = own.length - 1 - lastSuccess;
    const weight = ({ nanos }: { readonly nanos: number }): number => Math.exp((nanos - nowNanos) / (60 * nanosPerSecond));
    const failures = beats.filter(({ failed }) => failed).reduce((sum, beat) => sum + weight(beat), 0);
    const ratio = failures / beats.reduce((sum, beat) => sum + weight(beat), 0);
    if (inARow > failuresInARowMin && ratio > this.#threshold + ratioSlack) {
      return "failed";
    }
    // In a long history the ratio alone marks a node as failed.
    if (ratio > this.#threshold - ratioSlack && failures > failuresInARowMin) {
      return "unclear";
    }
    // Never three failures in a row and never a refusal: nothing could have marked the node as failed.
    let row = 0;
    let most = 0;
    for (const { failed } of own) {
      row = failed ? row + 1 : 0;
      most = Math.max(most, row);
    }
    return most < failuresInARowMin && own.every(({ kind }) => kind !== "CONNECTION_REFUSED") ? "alive" : "unclear";
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#verdict, "safety", oracle, holds, sentence);
  }
}
