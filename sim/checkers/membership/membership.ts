/**
 * Membership: who counts as active has announced itself lately; who has announced itself lately is known, and who has not is known no more, whatever wall clocks
 * do; who is listed as failed has failed its heartbeats by the detector's rule, and the other way round; who is known to leave is given no new work; who is
 * known to be gone is asked for nothing of a task's; and nobody is relied on before a heartbeat of its present life has come back. Computed a second time from the announcements and heartbeats that truly crossed the network.
 */
import { durationProperty, numberProperty } from "../../properties.ts";
import { readBody } from "../protocol/bodies.ts";
import { nanosPerMs, nanosPerSecond } from "../../world/world.ts";
import type { Properties } from "../../plan.ts";
import type { Facts } from "../facts.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";

const oracle = "membership";

/** Clocks drift, a paused coordinator tidies up when it goes on, and announcements are on their way: what is so near a bound is not judged. */
const slackNanos = 3 * nanosPerSecond;
const ratioSlack = 0.06;
/** What is taken in and judged at one place needs no time for its way. */
const tidyNanos = nanosPerSecond / 2;
const failuresInARowMin = 3;
/** A clock that a fault drives counts a fifth more or less. */
const clockShare = 0.8;
/** Of a task, by its coordinator. */
const taskQuestion = / task-(?:status|info) /;
/** At each of its answers the coordinator is asked about so many members, one after the other. */
const membersAtOnce = 4;

interface Member {
  announcedNanos: number;
  incarnation: string;
  /** When it first said in this life that it leaves. */
  leavingNanos: number | undefined;
  withdrawn: boolean;
  /** Heartbeats that ended, this life's and older ones: `[nanos, failed]`. */
  readonly beats: { readonly nanos: number; readonly failed: boolean; readonly kind: string }[];
  /** When this life was first heard of: the judgement begins anew then, the counters go on. */
  lifeNanos: number;
}

/** What the coordinator believes now. */
export interface MembershipView {
  /** Workers that it would give tasks to. */
  activeWorkers(): readonly { readonly nodeId: string }[];
  /** Of a node that counts as announced. */
  address(nodeId: string): string | undefined;
  /** Nothing that ran at the address is there any more. */
  isGone(uri: string): boolean;
}

export interface MembershipOptions {
  readonly coordinator: string;
  readonly properties: Properties;
  readonly facts: Facts;
  readonly uriOf: (place: string) => string;
  /** undefined while the coordinator does not live. */
  readonly view: () => MembershipView | undefined;
}

export class MembershipOracle {
  readonly #verdict: Verdict;
  readonly #options: MembershipOptions;
  readonly #coordinator: string;
  readonly #ageNanosMax: number;
  readonly #threshold: number;
  readonly #members = new Map<string, Member>();
  /** When the tasks of a stage were placed. */
  readonly #placed = new Map<string, number>();

  #looked = 0;

  constructor(verdict: Verdict, options: MembershipOptions) {
    this.#verdict = verdict;
    this.#options = options;
    this.#coordinator = options.coordinator;
    this.#ageNanosMax = durationProperty(options.properties, "discovery.max-age") * nanosPerMs;
    this.#threshold = numberProperty(options.properties, "failure-detector.threshold");
  }

  /** Every note of the world. */
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
      this.#placed.set(stageId, nowNanos);
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
        this.#checkAnswered(nodeId);
      } else if (request.method === "DELETE" && response.status < 300) {
        const member = this.#members.get(path.split("/")[3] ?? "");
        if (member !== undefined) {
          member.withdrawn = true;
        }
      }
    } else if (to === this.#coordinator && path === "/v1/node/failed" && response.status === 200) {
      this.#checkFailed(answer.json() as readonly { readonly uri: string }[], nowNanos);
    } else if (task?.what === "task" && request.method === "POST" && response.status === 200) {
      this.#checkPlacement(to, task.taskId);
    }
  }

  /** The workers that the coordinator would give tasks to. */
  checkActive(nowNanos: number): void {
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
      this.#checkAnswered(nodeId);
    }
  }

  /** To announce oneself shows that one can send; only an answer shows that one can be reached. */
  #checkAnswered(nodeId: string): void {
    const member = this.#members.get(nodeId);
    const counts =
      this.#options
        .view()
        ?.activeWorkers()
        .some((worker) => worker.nodeId === nodeId) === true;
    this.#check(
      !counts || member?.beats.some(({ nanos, failed }) => !failed && nanos >= member.lifeNanos) === true,
      () => `${nodeId} counts as active although no heartbeat of this life of it has been answered`,
    );
  }

  /** An announcement runs out by its age, and by nothing else: a step of a wall clock ends none and prolongs none. */
  #checkKnown(nowNanos: number): void {
    const view = this.#options.view();
    const { facts } = this.#options;
    if (view === undefined || facts.hitSince(this.#coordinator, nowNanos - slackNanos)) {
      return;
    }
    const members = [...this.#members];
    for (let left = Math.min(members.length, membersAtOnce); left > 0; left--) {
      const [nodeId, { announcedNanos, withdrawn }] = members[this.#looked++ % members.length] as [string, Member];
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

  /** Whoever is known to be gone has no tasks that run: they have failed with it, at once. */
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

  #checkPlacement(place: string, taskId: string): void {
    const placed = this.#placed.get(taskId.split(".").slice(0, 2).join("."));
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

  /** `failed` or `alive` only where no clock, no rounding and no message under way can make it the other. */
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
    // Never three in a row, never refused: nothing could have failed it.
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
