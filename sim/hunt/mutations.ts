/**
 * Changes of a plan for the hunt. Each takes a part of another plan, which is drawn or kept, or changes a time or an order. The result is
 * a plan that the draw could have made, within the same bounds, so the oracles hold it to the same rules.
 */
import { drawAnySchedule } from "../draw/schedule.ts";
import { patiently } from "../draw/behaviours.ts";
import type { Fault, PlannedStatement, PlannedUser, RunPlan } from "../plan.ts";
import type { Race } from "../trace/races.ts";
import type { Stream } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

export interface MutationContext {
  readonly stream: Stream;
  /** Another plan to take parts of. */
  readonly donor: RunPlan;
  /** Races of the plan's run, if they are known. */
  readonly races: readonly Race[];
}

/** Returns undefined if the plan has nothing to change in this way. */
export type Mutate = (plan: RunPlan, context: MutationContext) => RunPlan | undefined;

/** More users and statements than the draw has may take longer than its time for liveness. */
const usersMax = 4;
const statementsMax = 5;
const faultsMax = 12;
const delaysMax = 6;
/** Properties that belong to the measurement of a load, or to a silence. */
const tiedProperties: ReadonlySet<string> = new Set([
  "query.max-history",
  "query.min-expire-age",
  "query.max-concurrent-queries",
  "exchange.max-error-duration",
  "query.remote-task.max-error-duration",
]);

const isFree = ({ catalogStep, granting, restricted, sessionStep, shared, step, volatile }: PlannedStatement): boolean =>
  (step ?? sessionStep ?? catalogStep ?? shared ?? granting ?? restricted ?? volatile) === undefined;

/** Replaces one item; undefined if there is none that `holds`. */
function changeOne<T>(
  items: readonly T[],
  stream: Stream,
  change: (item: T) => T,
  holds: (item: T) => boolean = () => true,
): readonly T[] | undefined {
  const places = [...items.keys()].filter((place) => holds(items[place] as T));
  if (places.length === 0) {
    return undefined;
  }
  const chosen = stream.pick(places);
  return items.map((item, place) => (place === chosen ? change(item) : item));
}

function withUsers(plan: RunPlan, users: readonly PlannedUser[] | undefined): RunPlan | undefined {
  return users === undefined ? undefined : { ...plan, users };
}

function changeStatement(
  plan: RunPlan,
  stream: Stream,
  change: (statement: PlannedStatement) => PlannedStatement,
  holds: (statement: PlannedStatement) => boolean = () => true,
): RunPlan | undefined {
  const users = changeOne(
    plan.users,
    stream,
    (user) => ({ ...user, statements: changeOne(user.statements, stream, change, holds) ?? user.statements }),
    ({ statements }) => statements.some(holds),
  );
  return withUsers(plan, users);
}

/** Another pause: none, half, twice, or any. */
function otherNanos(nanos: number, mostNanos: number, stream: Stream): number {
  const choices = [
    0,
    Math.floor(nanos / 2),
    Math.min(mostNanos, nanos * 2),
    stream.between(0, mostNanos),
    stream.between(0, 200) * nanosPerMs,
  ];
  return stream.pick(choices, "nanos");
}

/** The faults' places become places of this plan. */
function atHome(fault: Fault, plan: RunPlan): Fault {
  const names = plan.workers.map(({ name }) => name);
  const home = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return [...new Set(value.map(home))];
    }
    const number = typeof value === "string" ? /^w(\d+)$/.exec(value)?.[1] : undefined;
    return number === undefined || names.includes(value as string) ? value : names[(Number(number) - 1) % names.length];
  };
  return Object.fromEntries(Object.entries(fault).map(([member, value]) => [member, home(value)])) as unknown as Fault;
}

/** Within the time of faults, as the draw has it. */
function within(fault: Fault, { healNanos }: RunPlan): Fault {
  const lasts = Math.max(1, fault.untilNanos - fault.atNanos);
  const atNanos = Math.min(fault.atNanos, Math.floor(healNanos * 0.8));
  return { ...fault, atNanos, untilNanos: Math.min(healNanos, atNanos + lasts) };
}

/** Faults of another plan, at places and times of this one. Those without end stay with their plan, which has a core without them. */
function taken(donor: RunPlan, plan: RunPlan): readonly Fault[] {
  const scaled = (nanos: number): number => Math.floor((nanos * (plan.healNanos / 1_000)) / (donor.healNanos / 1_000));
  return donor.faults
    .filter((fault) => fault.permanent !== true && isPossible(fault, donor, plan))
    .map((fault) => {
      const atNanos = scaled(fault.atNanos);
      return within(atHome({ ...fault, atNanos, untilNanos: atNanos + fault.untilNanos - fault.atNanos }, plan), plan);
    })
    .filter((fault) => !("from" in fault) || fault.from !== fault.to);
}

/** A fault of a directory that two coordinators share, or of another cluster, is of use only where there is one. */
function isPossible(fault: Fault, donor: RunPlan, plan: RunPlan): boolean {
  const far = donor.remote?.name;
  const isFar = far !== undefined && Object.values(fault).flat().includes(far);
  return (fault.kind !== "directory-cut" || plan.standby !== undefined) && (!isFar || plan.remote?.name === far);
}

function aimOf({ afterWorkNanos, afterWorkEvents, atMoment }: Fault): Partial<Fault> {
  return {
    ...(afterWorkNanos === undefined ? {} : { afterWorkNanos }),
    ...(afterWorkEvents === undefined ? {} : { afterWorkEvents }),
    ...(atMoment === undefined ? {} : { atMoment }),
  };
}

function withoutAim(fault: Fault): Fault {
  const { afterWorkNanos: _nanos, afterWorkEvents: _events, atMoment: _moment, ...rest } = fault;
  return rest as Fault;
}

/** One entry, or all, of a table of the plan: of its links, fault points, knobs. */
function spliceTable(plan: RunPlan, { stream, donor }: MutationContext, table: string): RunPlan | undefined {
  const [own, others] = [plan, donor].map(
    (one) => (one as unknown as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>)[table],
  );
  const names = [...new Set([...Object.keys(own ?? {}), ...Object.keys(others ?? {})])].sort();
  if (names.length === 0) {
    return undefined;
  }
  if (stream.chance(1, 3, "all")) {
    return { ...plan, [table]: others ?? {} };
  }
  const chosen = stream.pick(names);
  const kept = Object.entries(own ?? {}).filter(([name]) => name !== chosen);
  const spliced = Object.entries(others ?? {}).filter(([name]) => name === chosen);
  return { ...plan, [table]: Object.fromEntries([...kept, ...spliced]) };
}

function spliceLink(plan: RunPlan, { stream, donor }: MutationContext): RunPlan {
  const names = (Object.keys(plan.link) as (keyof RunPlan["link"])[]).filter((name) => !name.startsWith("latency"));
  const name = stream.pick(names);
  const latencies = { latencyNanosMin: donor.link.latencyNanosMin, latencyNanosMax: donor.link.latencyNanosMax };
  return { ...plan, link: { ...plan.link, ...(stream.chance(1, 4, "latency") ? latencies : { [name]: donor.link[name] }) } };
}

function spliceProperty(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  const isTied =
    plan.goodput !== undefined || plan.silenceNanos !== undefined || donor.goodput !== undefined || donor.silenceNanos !== undefined;
  const names = Object.keys(donor.properties).filter((name) => !isTied || !tiedProperties.has(name));
  const count = stream.chance(1, 4, "several") ? 5 : 1;
  const chosen = Array.from({ length: count }, () => stream.pick(names, "property"));
  return {
    ...plan,
    properties: { ...plan.properties, ...Object.fromEntries(chosen.map((name) => [name, donor.properties[name] as string])) },
  };
}

/** A user under a free name, with tables, and batches of the shared table, of that name. */
function renamed(user: PlannedUser, others: readonly PlannedUser[]): PlannedUser {
  const names = Array.from({ length: Math.max(usersMax, others.length + 1) }, (_, index) => `u${index + 1}`);
  const name = names.find((one) => !others.some((other) => other.name === one)) ?? user.name;
  const text = JSON.stringify(user)
    .replaceAll(`.t_${user.name}`, `.t_${name}`)
    .replaceAll(`'${user.name}-`, `'${name}-`)
    .replaceAll(`"batch":"${user.name}-`, `"batch":"${name}-`);
  return { ...(JSON.parse(text) as PlannedUser), name };
}

function addUser(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  return plan.users.length >= usersMax ? undefined : { ...plan, users: [...plan.users, renamed(stream.pick(donor.users), plan.users)] };
}

function replaceUser(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  const place = stream.nextInt(plan.users.length);
  const others = plan.users.filter((_, index) => index !== place);
  return { ...plan, users: [...others, renamed(stream.pick(donor.users), others)] };
}

function addStatement(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  const spare = donor.users.flatMap(({ statements }) => statements.filter(isFree));
  if (spare.length === 0) {
    return undefined;
  }
  const added = stream.pick(spare);
  const users = changeOne(
    plan.users,
    stream,
    (user) => ({ ...user, statements: [...user.statements, added] }),
    ({ statements }) => statements.length < statementsMax && statements.every(isFree),
  );
  return withUsers(plan, users);
}

function replaceStatement(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  const spare = donor.users.flatMap(({ statements }) => statements.filter(isFree));
  return spare.length === 0 ? undefined : changeStatement(plan, stream, (one) => ({ ...one, sql: stream.pick(spare).sql }), isFree);
}

function removeStatement(plan: RunPlan, { stream }: MutationContext): RunPlan | undefined {
  const users = changeOne(
    plan.users,
    stream,
    (user) => {
      const place = stream.nextInt(user.statements.length);
      return { ...user, statements: user.statements.filter((_, index) => index !== place) };
    },
    ({ statements }) => statements.length > 1,
  );
  return withUsers(plan, users);
}

function changeBehaviour(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  const { behaviour } = stream.pick(donor.users.flatMap(({ statements }) => statements));
  return changeStatement(plan, stream, (one) => ({ ...one, behaviour: one.step === undefined ? behaviour : patiently(behaviour) }));
}

function changeUserTimes(plan: RunPlan, { stream }: MutationContext): RunPlan | undefined {
  const mostNanos = Math.floor(plan.healNanos / 4);
  if (stream.chance(1, 3, "start")) {
    const start = (user: PlannedUser): PlannedUser => ({ ...user, startNanos: otherNanos(user.startNanos, mostNanos, stream) });
    return withUsers(plan, changeOne(plan.users, stream, start));
  }
  return changeStatement(plan, stream, (one) => ({ ...one, thinkNanos: otherNanos(one.thinkNanos, mostNanos, stream) }));
}

function changeClient(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  const other = stream.pick(donor.users);
  return withUsers(
    plan,
    changeOne(plan.users, stream, ({ family: _family, queryDataEncodings: _encodings, targetResultSize: _size, session, ...user }) => ({
      ...user,
      ...(other.family === undefined ? {} : { family: other.family }),
      ...(other.queryDataEncodings === undefined ? {} : { queryDataEncodings: other.queryDataEncodings }),
      ...(other.targetResultSize === undefined ? {} : { targetResultSize: other.targetResultSize }),
      ...(session === undefined ? {} : { session }),
    })),
  );
}

function changeSession(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  const { session: other } = stream.pick(donor.users);
  return withUsers(
    plan,
    changeOne(plan.users, stream, ({ session: _session, ...user }) => ({ ...user, ...(other === undefined ? {} : { session: other }) })),
  );
}

function addFault(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  const spare = taken(donor, plan);
  return spare.length === 0 || plan.faults.length >= faultsMax ? undefined : { ...plan, faults: [...plan.faults, stream.pick(spare)] };
}

function removeFault(plan: RunPlan, { stream }: MutationContext): RunPlan | undefined {
  const places = [...plan.faults.keys()].filter((place) => plan.faults[place]?.permanent !== true);
  if (places.length === 0) {
    return undefined;
  }
  const chosen = stream.pick(places);
  return { ...plan, faults: plan.faults.filter((_, place) => place !== chosen) };
}

function retimeFault(plan: RunPlan, { stream, donor }: MutationContext): RunPlan | undefined {
  const faults = changeOne(
    plan.faults,
    stream,
    (fault) => {
      const lasts = Math.max(1, fault.untilNanos - fault.atNanos);
      switch (stream.nextInt(3, "what")) {
        case 0: {
          const atNanos = stream.between(0, Math.floor(plan.healNanos * 0.8));
          return within({ ...fault, atNanos, untilNanos: atNanos + lasts }, plan);
        }
        case 1:
          return within(
            { ...fault, untilNanos: fault.atNanos + Math.max(1, stream.pick([lasts / 4, lasts / 2, lasts * 2].map(Math.floor))) },
            plan,
          );
        default:
          return donor.faults.length === 0 ? withoutAim(fault) : ({ ...withoutAim(fault), ...aimOf(stream.pick(donor.faults)) } as Fault);
      }
    },
    ({ permanent }) => permanent !== true,
  );
  return faults === undefined ? undefined : { ...plan, faults };
}

function replaceFaults(plan: RunPlan, { donor }: MutationContext): RunPlan {
  const own = plan.faults.filter(({ permanent }) => permanent === true);
  return { ...plan, faults: [...own, ...taken(donor, plan)].slice(0, faultsMax) };
}

function changeWork(plan: RunPlan, { stream, donor }: MutationContext): RunPlan {
  return stream.chance(1, 2) ? { ...plan, splitsPerNode: donor.splitsPerNode } : { ...plan, nanosPerWorkUnit: donor.nanosPerWorkUnit };
}

/** Redraws latencies, fates of messages and firings of points. */
function reseed(plan: RunPlan, { stream }: MutationContext): RunPlan {
  return { ...plan, seed: `${plan.seed.replace(/~.*$/, "")}~${stream.nextInt(2 ** 30)}` };
}

function reschedule(plan: RunPlan, { stream }: MutationContext): RunPlan {
  const { schedule: _schedule, ...rest } = plan;
  return plan.schedule !== undefined && stream.chance(1, 4, "none") ? rest : { ...rest, schedule: drawAnySchedule(stream) };
}

function swapRace(plan: RunPlan, { stream, races }: MutationContext): RunPlan | undefined {
  if (races.length === 0 || plan.fates !== undefined || Object.keys(plan.delays ?? {}).length >= delaysMax) {
    return undefined;
  }
  const { first, delayNanos } = stream.pick(races);
  return { ...plan, delays: { ...plan.delays, [first]: (plan.delays?.[first] ?? 0) + delayNanos } };
}

export const mutations = {
  reseed,
  reschedule,
  "swap race": swapRace,
  "add fault": addFault,
  "remove fault": removeFault,
  "retime fault": retimeFault,
  "replace faults": replaceFaults,
  "add user": addUser,
  "replace user": replaceUser,
  "add statement": addStatement,
  "replace statement": replaceStatement,
  "remove statement": removeStatement,
  behaviour: changeBehaviour,
  "user times": changeUserTimes,
  client: changeClient,
  session: changeSession,
  link: spliceLink,
  property: spliceProperty,
  points: (plan, context) => spliceTable(plan, context, "points"),
  knobs: (plan, context) => spliceTable(plan, context, "knobs"),
  work: changeWork,
} as const satisfies Readonly<Record<string, Mutate>>;

export type MutationName = keyof typeof mutations;

export const mutationNames: readonly MutationName[] = Object.keys(mutations) as MutationName[];

/** What a mutated plan does not measure: its load has no twin that was chosen for it. */
export function withoutLoad({ goodput: _goodput, ...plan }: RunPlan): RunPlan {
  return plan;
}
