/**
 * Model of admission. Written from docs/configuration.md and docs/interface.md ("Limits of a query", "States"): in each resource group at
 * most its limit of queries run at the same time and others wait; at most as many wait as its queue may hold, and the next one fails with
 * QUERY_QUEUE_FULL; a query leaves the queue with a slot, or because it ended; an ended query has no slot. Queues are first in, first out,
 * in the order in which the submissions arrived, or by priority; weights and soft limits say which group is next. Whose a query is, is
 * known when its submission has been answered. A query that has a slot may wait for its turn to be planned (query/start-turns.ts), and is
 * QUEUED until then. So it may have had its slot since it may have waited for its turn; turns are in the order of the slots.
 */
import { numberProperty } from "../../properties.ts";
import { nanosPerMs } from "../../world/world.ts";
import { headerOf, type Observed } from "../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "./model.ts";
import { type Group, type Quota, type GroupsOfUser, groupsOfUser } from "./groups.ts";
import { TurnBook } from "./query/start-turns.ts";
import { familyOf, statementAnswer } from "./statement/answer.ts";

interface Query {
  readonly id: string;
  /** Arrival of the submission, and from the root to the leaf the groups of its user; known when it has been answered. */
  arrivedNanos: number | undefined;
  groups: readonly Group[];
  priority: number;
  /** Time at which the query was no longer QUEUED, and whether it got a slot. */
  leftNanos: number;
  isAdmitted: boolean;
  /** It cannot have got its slot earlier: the time at which it left, unless it may have waited for its turn. */
  slotNanos: number;
  /** Since when a turn was free when it began; undefined if that is not known to be all it waited for. */
  turnNanos: number | undefined;
  /** It went before others that may have waited for their turns: it had to wait for workers, or goes to another cluster. */
  hasNoTurn: boolean;
  hasEnded: boolean;
  endedNanos: number;
  /** CPU time of its tasks, once it has succeeded. */
  cpuNanos: number;
  /** What its scans have read, once it has succeeded. */
  scanBytes: number;
}

/** A slot that is free must be given to a waiting query in the same step; work of the coordinator may come first. */
const takenNanos = 1_000 * nanosPerMs;
/** The same for a turn, of which there are many in a second. */
const turnTakenNanos = 40 * nanosPerMs;
/** The first answer of a query that waits comes after a second at most. */
const answeredNanos = 2_000 * nanosPerMs;
/** A fault point holds a query back that has a slot; it is QUEUED for this long at most. */
const heldBackNanos = 500 * nanosPerMs;
/** A submission is in its queue when it has arrived, unless the coordinator first reads its journal or asks for its lease. */
const queuedNanos = { usually: nanosPerMs, afterReading: 100 * nanosPerMs };
/** Usage of groups is measured at most this often, by a clock that may be slower or faster. */
const measuredNanos = 300 * nanosPerMs;
const clockShare = 1.1;
/** Faults after which a coordinator acts late. */
const delays = /^(?:pause|slow-node) (\S+)/;

/** A query that was refused because the queue was full. */
interface Refused {
  readonly id: string;
  readonly arrivedNanos: number;
  /** Local time of the coordinator by which all submissions that it had then are answered. */
  readonly knownNanos: number;
}

class Admission implements Model {
  readonly notes = ["start", "crash", "fault", "log-info", "point"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #groupsOf: GroupsOfUser;
  readonly #requiredWorkers: number;
  readonly #queuedNanos: number;
  readonly #turns: TurnBook;
  #queries = new Map<string, Query>();
  /** Those that have not ended. */
  #live = new Set<Query>();
  #refused: Refused[] = [];
  /** Local time of the coordinator since which there has been a slot and a query that waits. */
  #idleSinceNanos: number | undefined;
  #isDelayed = false;
  /** Since when the coordinator knows the queries of its former lives: a submission with an id of the client's waits for that. */
  #journalNanos = 0;
  /** Times at which the fault point held a query back. */
  #heldBackNanos: number[] = [];

  constructor(context: Judged) {
    const { coordinator, properties } = context.plan;
    this.#context = context;
    this.#coordinator = coordinator.name;
    this.#groupsOf = groupsOfUser(context.plan);
    this.#turns = new TurnBook(context.plan, () => context.localNanos(coordinator.name));
    this.#requiredWorkers = numberProperty(properties, "query-manager.required-workers");
    const reads = properties["query-recovery.enabled"] === "true" || context.plan.standby !== undefined;
    this.#queuedNanos = reads ? queuedNanos.afterReading : queuedNanos.usually;
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "point") {
      if (detail === "query-admitted-late") {
        this.#heldBackNanos.push(nowNanos);
      }
      return;
    }
    if (place === this.#coordinator && kind === "start") {
      this.#turns.forget();
      this.#queries = new Map();
      this.#live = new Set();
      this.#refused = [];
      this.#idleSinceNanos = undefined;
      this.#isDelayed = false;
      this.#journalNanos = 0;
    }
    if (place === this.#coordinator && kind === "log-info" && detail.startsWith("query-journal-loaded")) {
      this.#journalNanos = nowNanos;
    }
    // A coordinator that leaves admits nothing, nor does one that has crashed.
    const isLeaving = place === this.#coordinator && (kind === "crash" || (kind === "log-info" && detail.startsWith("shutdown-started")));
    this.#isDelayed ||= isLeaving || (kind === "fault" && delays.exec(detail)?.[1] === this.#coordinator);
  }

  observeTransition({ kind, id, from, to, nowNanos }: Transition): void {
    if (kind !== "query") {
      return;
    }
    const query = this.#query(id);
    const isEnd = to === "FINISHED" || to === "FAILED";
    if (from === "QUEUED") {
      query.leftNanos = nowNanos;
      query.isAdmitted = !isEnd;
      query.slotNanos = nowNanos - this.#turns.waitNanosMax;
      query.turnNanos = to === "PLANNING" && this.#isOnlyTurn(query) ? nowNanos - this.#turns.freeNanos : undefined;
      query.hasNoTurn = query.slotNanos < nowNanos && (to !== "PLANNING" || this.#context.plan.remote !== undefined);
      this.#checkOrder(query);
      this.#checkTurn(query);
      this.#checkQuota(query);
      this.#checkTaken(query);
    }
    this.#turns.became(id, to);
    query.hasEnded = isEnd;
    if (isEnd) {
      query.endedNanos = nowNanos;
      this.#live.delete(query);
    }
    this.#checkWorkers(id, to);
    this.#checkRunning(query, to);
    this.#checkIdle();
  }

  #checkRunning({ groups, id }: Query, to: string): void {
    for (const group of groups) {
      const running = this.#running(group);
      this.#context.check(
        running <= group.runningMax,
        () => `${running} queries of ${group.id} run after ${id} became ${to}, and at most ${group.runningMax} may`,
      );
    }
  }

  /** A query waits for workers exactly while there are fewer than it requires. */
  #checkWorkers(id: string, to: string): void {
    const active = this.#context.node(this.#coordinator)?.cluster?.activeWorkers().length;
    if (active === undefined || (to !== "WAITING_FOR_RESOURCES" && to !== "PLANNING")) {
      return;
    }
    // A statement that goes to another cluster needs no workers.
    const mayGo = this.#context.plan.remote !== undefined && to === "PLANNING";
    this.#context.check(
      mayGo || active < this.#requiredWorkers === (to === "WAITING_FOR_RESOURCES"),
      () => `${id} became ${to} with ${active} active workers, of ${this.#requiredWorkers} that it requires`,
    );
  }

  observe(answer: Observed): void {
    const said = answer.to === this.#coordinator ? statementAnswer(answer) : undefined;
    this.#checkIdle();
    if (said?.document === undefined) {
      return;
    }
    const query = this.#query(said.id);
    const { stats } = said.document;
    if (stats?.["state"] === "FINISHED") {
      query.cpuNanos = Number(stats["cpuTimeMillis"] ?? 0) * nanosPerMs;
      query.scanBytes = Number(stats["physicalInputBytes"] ?? 0);
    }
    if (said.isSubmission && query.arrivedNanos === undefined) {
      query.arrivedNanos = answer.request.method === "PUT" ? Math.max(answer.arrivedNanos, this.#journalNanos) : answer.arrivedNanos;
      query.groups = this.#groupsOf(userOf(answer));
      query.priority = priorityOf(answer);
      this.#checkOrder(query);
      this.#checkTaken(query);
      this.#checkRunning(query, "known");
      // A query that the fault point holds back has a slot, and is QUEUED.
      for (const { id, queuedMax, runningMax } of query.groups) {
        const live = countOf(this.#live, (one) => isIn(one, id));
        this.#context.check(
          live <= queuedMax + runningMax,
          () => `${live} queries of ${id} wait or run after ${said.id} was accepted, and at most ${queuedMax} and ${runningMax} may`,
        );
      }
    }
    if (said.document.error?.["errorName"] === "QUERY_QUEUE_FULL") {
      const nowNanos = this.#context.localNanos(this.#coordinator);
      this.#refused.push({ id: said.id, arrivedNanos: query.arrivedNanos ?? 0, knownNanos: nowNanos + answeredNanos });
    }
  }

  /** A query that waits is known when its submission has been answered, which is later than a refusal. */
  look(): void {
    const nowNanos = this.#context.localNanos(this.#coordinator);
    const ripe = this.#refused.filter(({ knownNanos }) => knownNanos <= nowNanos);
    if (ripe.length === 0 || this.#isDelayed) {
      return;
    }
    this.#refused = this.#refused.filter(({ knownNanos }) => knownNanos > nowNanos);
    if ([...this.#queries.values()].some(({ groups }) => groups.length === 0)) {
      // A query that a former incarnation accepted takes a place in a queue, and its submission was not seen.
      return;
    }
    for (const { id, arrivedNanos } of ripe) {
      const { groups } = this.#query(id);
      this.#context.check(
        groups.some((group) => group.queuedMax <= this.#waitingAt(arrivedNanos, id, group)),
        () => `${id} was refused although no queue of ${groups.at(-1)?.id ?? ""} was full`,
      );
    }
  }

  #query(id: string): Query {
    const known = this.#queries.get(id);
    const never = Number.POSITIVE_INFINITY;
    const query = known ?? {
      id,
      arrivedNanos: undefined,
      groups: [],
      priority: 1,
      leftNanos: never,
      isAdmitted: false,
      slotNanos: never,
      turnNanos: undefined,
      hasNoTurn: false,
      hasEnded: false,
      endedNanos: never,
      cpuNanos: 0,
      scanBytes: 0,
    };
    if (known === undefined) {
      this.#queries.set(id, query);
      this.#live.add(query);
    }
    return query;
  }

  #running({ id }: Group): number {
    return countOf(this.#live, (query) => query.isAdmitted && isIn(query, id));
  }

  /** Queries that waited at that time, as far as it is known by now. */
  #waitingAt(nanos: number, except: string, group: Group): number {
    return countOf(
      this.#queries.values(),
      (query) => query.id !== except && isIn(query, group.id) && (query.arrivedNanos ?? 0) <= nanos && query.leftNanos >= nanos,
    );
  }

  /** No query gets a slot before one of its group that goes before it and waited then. */
  #checkOrder(query: Query): void {
    for (const other of this.#queries.values()) {
      if (other !== query && isOfOneLeaf(query, other)) {
        this.#checkPair(query, other);
        this.#checkPair(other, query);
      }
    }
  }

  #checkPair(first: Query, second: Query): void {
    const { policy } = leafOf(first) as Group;
    const isOlder = (second.arrivedNanos ?? 0) < (first.arrivedNanos ?? 0);
    const isBefore = policy === "query_priority" && first.priority !== second.priority ? second.priority > first.priority : isOlder;
    // An older one that goes before it has had its slot earlier, and so its turn. A submission is queued some time after its arrival.
    const slotNanos = isOlder ? first.leftNanos : Math.max(first.slotNanos, first.arrivedNanos ?? 0) - this.#queuedNanos;
    const waited = (second.arrivedNanos ?? 0) < slotNanos && first.leftNanos < second.leftNanos;
    // One that was held back is behind the others in the queue for turns, too.
    const turnNanos = first.isAdmitted ? first.leftNanos - first.slotNanos : 0;
    this.#context.check(
      !first.isAdmitted ||
        first.hasNoTurn ||
        !isBefore ||
        !waited ||
        policy === "weighted" ||
        this.#wasHeldBack(first.leftNanos, turnNanos),
      () => `${first.id} got a slot before ${second.id}, which goes before it in ${leafOf(first)?.id ?? ""}`,
    );
  }

  /**
   * No query starts in a group whose queries have used more CPU time, or scanned more, than it may, without what has come back since the
   * first of them.
   */
  #checkQuota(query: Query): void {
    const isKnown = query.isAdmitted && !this.#isDelayed && !this.#wasHeldBack(query.leftNanos);
    for (const { cpu, id, scan } of isKnown ? query.groups : []) {
      this.#checkAccount(query, id, cpu, (one) => one.cpuNanos);
      this.#checkAccount(query, id, scan, (one) => one.scanBytes);
    }
  }

  #checkAccount(query: Query, group: string, quota: Quota | undefined, usedBy: (query: Query) => number): void {
    if (quota === undefined) {
      return;
    }
    const counted = [...this.#queries.values()]
      .filter((one) => usedBy(one) > 0 && one.endedNanos + measuredNanos < query.slotNanos && isIn(one, group))
      .sort((a, b) => b.leftNanos - a.leftNanos);
    let used = 0;
    for (const one of counted) {
      used += usedBy(one);
      const least = used - (query.leftNanos - one.leftNanos) * quota.perNano * clockShare;
      this.#context.check(
        least <= quota.hard,
        () => `${query.id} got a slot of ${group}, which had used ${least} of ${quota.hard} that had not come back`,
      );
    }
  }

  /** A group gets the slot whose turn it is among its peers that could start a query: below their soft limits first, and by the policy. */
  #checkTurn(query: Query): void {
    const isKnown = ({ groups, isAdmitted }: Query): boolean => !isAdmitted || groups.length > 0;
    const holdsBack = (this.#context.plan.points?.["query-admitted-late"] ?? 0) > 0;
    // Which queries have slots is known while none can wait for its turn.
    const mayHaveWaited = query.slotNanos < query.leftNanos;
    if (!query.isAdmitted || mayHaveWaited || holdsBack || this.#isDelayed || ![...this.#live].every(isKnown)) {
      return;
    }
    for (const [level, parent] of query.groups.slice(0, -1).entries()) {
      const own = query.groups[level + 1] as Group;
      const waits = [...this.#live].filter(
        (one) =>
          one !== query &&
          one.groups[level]?.id === parent.id &&
          (one.arrivedNanos ?? 0) + this.#queuedNanos < query.leftNanos &&
          isWaiting(one),
      );
      // The query itself runs already.
      const running = (group: Group): number => this.#running(group) - (group.id === own.id ? 1 : 0);
      for (const waiting of waits) {
        const peer = waiting.groups[level + 1] as Group;
        const room = waiting.groups.slice(level + 1).every((group) => !group.isMeasured && running(group) < group.runningMax);
        if (peer.id !== own.id && room) {
          this.#context.check(
            this.#goesFirst(
              {
                group: own,
                running: running(own),
                priority: query.priority,
                sinceNanos: Math.max(
                  this.#lastSlotOf(own, query, (one) => (this.#hasWaited(one) ? one.slotNanos : Number.NEGATIVE_INFINITY)),
                  this.#heldUntil(own, query),
                ),
              },
              {
                group: peer,
                running: running(peer),
                priority: waiting.priority,
                sinceNanos: Math.max(
                  waiting.arrivedNanos ?? 0,
                  this.#lastSlotOf(peer, query, ({ leftNanos }) => leftNanos),
                  ...waiting.groups.slice(level + 1).map((group) => this.#lastRoomOf(group, query, ({ slotNanos }) => slotNanos)),
                ),
              },
              parent,
            ),
            () => `${query.id} of ${own.id} got a slot of ${parent.id} although it was the turn of ${waiting.id} of ${peer.id}`,
          );
        }
      }
    }
  }

  /** Whether the query has had its slot since it came: there has never been one too few, and nothing else held it back. */
  #isOnlyTurn(query: Query): boolean {
    const { plan } = this.#context;
    const isPlain = plan.resourceGroups === undefined && plan.remote === undefined && plan.points?.["query-admitted-late"] === undefined;
    return isPlain && query.isAdmitted && !this.#isDelayed && this.#queries.size <= this.#groupsOf("")[0].runningMax;
  }

  /** A turn that is free is taken at once. */
  #checkTaken({ arrivedNanos, id, leftNanos, turnNanos }: Query): void {
    if (turnNanos === undefined || arrivedNanos === undefined) {
      return;
    }
    const lateNanos = leftNanos - Math.max(turnNanos, arrivedNanos + this.#queuedNanos);
    this.#context.check(
      lateNanos <= turnTakenNanos,
      () => `${id} had its turn ${(lateNanos / nanosPerMs).toFixed(0)} ms late: it had its slot, and a turn was free`,
    );
  }

  #goesFirst(own: Turn, peer: Turn, { policy }: Group): boolean {
    const [isModest, isPeerModest] = [own, peer].map(({ group, running }) => running < group.softMax);
    if (isModest !== isPeerModest) {
      return isModest === true;
    }
    switch (policy) {
      case "weighted_fair":
        return own.running / own.group.weight <= peer.running / peer.group.weight;
      case "query_priority":
        return own.priority >= peer.priority;
      case "fair":
        // In turn: a group that had one while its peer waited comes after it.
        return own.sinceNanos <= peer.sinceNanos + this.#queuedNanos;
      default:
        return true;
    }
  }

  /** When the group last got a slot, before that of the query. */
  #lastSlotOf(group: Group, query: Query, slotNanos: (one: Query) => number): number {
    const slots = [...this.#queries.values()].filter(
      (one) => one !== query && one.isAdmitted && isIn(one, group.id) && one.leftNanos <= query.leftNanos,
    );
    return Math.max(Number.NEGATIVE_INFINITY, ...slots.map(slotNanos));
  }

  /**
   * When a query of the group last ended, before the slot of the query, while the group had as many as it may. One counts from its `start`
   * on.
   */
  #lastRoomOf({ id, runningMax }: Group, query: Query, start: (one: Query) => number): number {
    const admitted = [...this.#queries.values()].filter((one) => one !== query && one.isAdmitted && isIn(one, id));
    const ends = admitted
      .map(({ endedNanos }) => endedNanos)
      .filter(
        (nanos) => nanos <= query.leftNanos && countOf(admitted, (one) => start(one) <= nanos && one.endedNanos >= nanos) >= runningMax,
      );
    return Math.max(Number.NEGATIVE_INFINITY, ...ends);
  }

  /** A group that was full while the query waited in it has had no turn before it had room. */
  #heldUntil(group: Group, query: Query): number {
    const roomNanos = this.#lastRoomOf(group, query, ({ leftNanos }) => leftNanos);
    const hasWaited = query.arrivedNanos !== undefined && query.arrivedNanos + this.#queuedNanos < roomNanos;
    return hasWaited ? roomNanos : Number.NEGATIVE_INFINITY;
  }

  /** One that did not wait for its slot takes no turn of its group. */
  #hasWaited({ arrivedNanos, slotNanos }: Query): boolean {
    return arrivedNanos !== undefined && arrivedNanos + this.#queuedNanos < slotNanos;
  }

  /** `waitNanos`: for how long a query may have waited for its turn behind others after that. */
  #wasHeldBack(nanos: number, waitNanos = 0): boolean {
    const always = this.#context.plan.points?.["query-admitted-late"] === 1_000;
    return always || this.#heldBackNanos.some((time) => time <= nanos && nanos - time <= heldBackNanos + waitNanos);
  }

  #heldBackNow(): number {
    const nowNanos = this.#context.nowNanos();
    const isAlways = this.#context.plan.points?.["query-admitted-late"] === 1_000;
    return isAlways ? Number.POSITIVE_INFINITY : this.#heldBackNanos.filter((time) => nowNanos - time <= heldBackNanos).length;
  }

  /**
   * Whether the group's CPU time has come back, however much its queries may have used on all nodes until each of them ended. How much they
   * may have scanned is not known.
   */
  #owesLittle({ cpu, id, scan }: Group): boolean {
    if (cpu === undefined || scan !== undefined) {
      return scan === undefined;
    }
    const ended = [...this.#queries.values()]
      .filter((one) => one.isAdmitted && one.hasEnded && isIn(one, id))
      .sort((a, b) => a.endedNanos - b.endedNanos);
    let [owedNanos, nanos] = [0, 0];
    const passTo = (until: number): void => {
      owedNanos = Math.max(0, owedNanos - ((until - nanos) * cpu.perNano) / clockShare);
      nanos = until;
    };
    for (const { endedNanos, leftNanos } of ended) {
      passTo(endedNanos);
      owedNanos += (endedNanos - leftNanos) * (this.#context.plan.workers.length + 1);
    }
    passTo(this.#context.nowNanos());
    return owedNanos < cpu.hard;
  }

  /** No slot is lost, and a free one does not wait for a query that waits for it. */
  #checkIdle(): void {
    // Queries of users that are not known yet may be of any group.
    const unknown = countOf(this.#live, ({ arrivedNanos, isAdmitted }) => arrivedNanos === undefined && isAdmitted);
    const hasRoom = (group: Group): boolean => {
      const running = this.#running(group) + unknown;
      // What the queries of a measured group hold is not known here, but for a group without any.
      return running < group.runningMax && (!group.isMeasured || (running === 0 && this.#owesLittle(group)));
    };
    // Those that the fault point holds back or that wait for a turn have slots, and are QUEUED.
    const mayWait = !this.#turns.hasFree;
    const isHeldBack = mayWait || this.#heldBackNow() >= countOf(this.#live, isWaiting);
    const waiting = this.#isDelayed || isHeldBack ? undefined : [...this.#live].find((one) => isWaiting(one) && one.groups.every(hasRoom));
    if (waiting === undefined) {
      this.#idleSinceNanos = undefined;
      return;
    }
    const nowNanos = this.#context.localNanos(this.#coordinator);
    this.#idleSinceNanos ??= nowNanos;
    const idleMs = (nowNanos - this.#idleSinceNanos) / nanosPerMs;
    this.#context.check(
      nowNanos - this.#idleSinceNanos <= takenNanos,
      () => `${waiting.id} waits although there has been a slot in ${leafOf(waiting)?.id ?? ""} for ${idleMs.toFixed(0)} ms`,
      "liveness",
    );
  }
}

/** A group with a query that could get the slot. */
interface Turn {
  readonly group: Group;
  readonly running: number;
  readonly priority: number;
  /** Its last turn, for a group that waits not before its query did. */
  readonly sinceNanos: number;
}

function countOf(queries: Iterable<Query>, holds: (query: Query) => boolean): number {
  let count = 0;
  for (const query of queries) {
    count += holds(query) ? 1 : 0;
  }
  return count;
}

function isIn({ groups }: Query, id: string): boolean {
  return groups.some((group) => group.id === id);
}

function leafOf({ groups }: Query): Group | undefined {
  return groups.at(-1);
}

function isOfOneLeaf(first: Query, second: Query): boolean {
  const id = leafOf(first)?.id;
  return id !== undefined && id === leafOf(second)?.id;
}

/** Known, and in the queue. */
function isWaiting({ arrivedNanos, hasEnded, leftNanos }: Query): boolean {
  return arrivedNanos !== undefined && !hasEnded && leftNanos === Number.POSITIVE_INFINITY;
}

function userOf({ request }: Observed): string {
  return headerOf(request.headers, `x-${familyOf(request) ?? ""}-user`) ?? "";
}

/** Session property query_priority. */
function priorityOf({ request }: Observed): number {
  const session = headerOf(request.headers, `x-${familyOf(request) ?? ""}-session`) ?? "";
  return Number(/(?:^|,)\s*query_priority=(\d+)/.exec(session)?.[1] ?? 1);
}

export const admission: ModelKind = {
  invariant: {
    name: "admission",
    sentence:
      "In each resource group no more queries run than may, and no more wait; a query is refused only if a queue is full; queries get their slots in the order of their queue, and groups by weight, priority and soft limit; and a slot that is free is used.",
    kind: "safety",
    checkedIn: "checkers/models/admission.ts",
  },
  create: (context) => new Admission(context),
};
