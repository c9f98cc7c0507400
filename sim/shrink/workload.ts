/**
 * Simplifies users and statements: removes them together with their messages' fates, then removes pauses and late starts.
 */
import type { PlannedStatement, PlannedUser, RunPlan } from "../plan.ts";
import { withoutQueries } from "./facts.ts";
import { simplerTimes } from "./numbers.ts";
import { lazily, type Search } from "./search.ts";

/** A statement, identified by its user and its index among the user's statements. */
interface Place {
  readonly user: string;
  readonly index: number;
}

const textOf = ({ user, index }: Place): string => `${user} ${index}`;

function placesOf(plan: RunPlan): readonly Place[] {
  return plan.users.flatMap(({ name, statements }) => statements.map((_, index) => ({ user: name, index })));
}

/**
 * The plan with only these statements and the fates that can still occur. With `timed`, each statement is submitted at its original time,
 * not in its user's sequence.
 */
function keeping(search: Search, places: readonly Place[], timed: boolean): RunPlan {
  const plan = search.best;
  const { facts } = search.trial;
  const kept = new Set(places.map(textOf));
  const gone = new Set(facts.submitted.flatMap((one) => (one.queryId === undefined || kept.has(textOf(one)) ? [] : [one.queryId])));
  const users = plan.users.flatMap((user): PlannedUser[] => {
    const statements = user.statements.flatMap((statement, index) =>
      kept.has(textOf({ user: user.name, index })) ? [{ statement, index }] : [],
    );
    const first = statements[0];
    if (first === undefined) {
      return [];
    }
    const submitted = facts.submitted.find((one) => one.user === user.name && one.index === first.index);
    if (!timed || submitted === undefined || first.index === 0) {
      return [{ ...user, statements: statements.map(({ statement }) => statement) }];
    }
    return [
      {
        ...user,
        startNanos: submitted.atNanos,
        statements: statements.map(({ statement }, at) => (at === 0 ? { ...statement, thinkNanos: 0 } : statement)),
      },
    ];
  });
  return { ...plan, users, ...(plan.fates === undefined ? {} : { fates: withoutQueries(plan.fates, gone, facts) }) };
}

/** The statement that the violation's sentence names: `u1 got 3 of 5 rows, ...: SELECT ...`. */
function culpritOf(search: Search): Place | undefined {
  const sentence = search.trial.violation?.sentence ?? "";
  const user = search.best.users.find(({ name }) => sentence.startsWith(`${name} `) || sentence.startsWith(`${name}:`));
  const index = user?.statements.findIndex(({ sql }) => sentence.endsWith(sql)) ?? -1;
  if (user !== undefined && index >= 0) {
    return { user: user.name, index };
  }
  const queryId = search.trial.facts.submitted.find((one) => one.queryId !== undefined && sentence.includes(one.queryId));
  return queryId;
}

/** Tries the largest reductions first: most failures need one statement and none of its user's other ones. */
export async function leap(search: Search): Promise<void> {
  const culprit = culpritOf(search);
  const calm = (plan: RunPlan): RunPlan => ({ ...plan, fates: [] });
  const faultless = (plan: RunPlan): RunPlan => ({ ...plan, faults: [] });
  if (culprit !== undefined) {
    const alone = keeping(search, [culprit], true);
    const early = keeping(search, [culprit], false);
    const upTo = keeping(
      search,
      placesOf(search.best).filter(({ user, index }) => user === culprit.user && index <= culprit.index),
      false,
    );
    const found = await search.first([
      faultless(calm(alone)),
      calm(alone),
      faultless(alone),
      alone,
      calm(early),
      early,
      faultless(calm(upTo)),
      calm(upTo),
      upTo,
    ]);
    if (found !== undefined) {
      return;
    }
  }
  await search.first([faultless(calm(search.best)), calm(search.best), faultless(search.best)]);
}

export async function reduceUsers(search: Search): Promise<void> {
  await search.reduce(search.best.users, (best, users) => {
    const names = new Set(users.map(({ name }) => name));
    return keeping(
      search,
      placesOf(best).filter(({ user }) => names.has(user)),
      false,
    );
  });
}

/** Removes halves, quarters, down to single statements, from the last. One pass for each size, because the next round tries again. */
export async function reduceStatements(search: Search): Promise<void> {
  for (let size = Math.ceil(placesOf(search.best).length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let end: number | undefined = placesOf(search.best).length;
    while (end !== undefined && end > 0) {
      end = await leaveOut(search, { size, end });
    }
  }
}

/**
 * Removes the last `size` statements before `end`, or earlier ones. Returns where the next pass continues; undefined if nothing can be
 * removed.
 */
async function leaveOut(search: Search, { size, end }: { readonly size: number; readonly end: number }): Promise<number | undefined> {
  const places = placesOf(search.best);
  const candidates: { readonly start: number; readonly stop: number; readonly timed: boolean }[] = [];
  for (let stop = end; stop > 0; stop -= size) {
    const start = Math.max(0, stop - size);
    if (start > 0 || stop < places.length) {
      candidates.push({ start, stop, timed: false });
      if (size === 1 && places[start]?.index === 0) {
        candidates.push({ start, stop, timed: true });
      }
    }
  }
  const hit = await search.first(
    lazily(candidates, ({ start, stop, timed }) => keeping(search, [...places.slice(0, start), ...places.slice(stop)], timed)),
  );
  return hit === undefined ? undefined : candidates[hit]?.start;
}

export async function simplifyUsers(search: Search): Promise<void> {
  await search.exhaust(function* (best) {
    for (const [at, user] of best.users.entries()) {
      const { targetResultSize, ...plain } = user;
      const { session, ...usual } = user;
      const replaced = (changed: PlannedUser): RunPlan => ({
        ...best,
        users: best.users.map((one, index) => (index === at ? changed : one)),
      });
      if (targetResultSize !== undefined) {
        yield replaced(plain);
      }
      if (session !== undefined) {
        yield replaced(usual);
      }
      for (const startNanos of simplerTimes(user.startNanos).filter((nanos) => nanos < user.startNanos)) {
        yield replaced({ ...user, startNanos });
      }
      for (const [index, statement] of user.statements.entries()) {
        for (const simpler of simplerStatements(statement)) {
          yield replaced({ ...user, statements: user.statements.map((one, place) => (place === index ? simpler : one)) });
        }
      }
    }
  });
}

function* simplerStatements(statement: PlannedStatement): Generator<PlannedStatement> {
  const { behaviour } = statement;
  if (behaviour.kind !== "reads-all") {
    yield { ...statement, behaviour: { kind: "reads-all" } };
  }
  if (behaviour.kind === "slow") {
    for (const pauseNanos of simplerTimes(behaviour.pauseNanos).filter((nanos) => nanos < behaviour.pauseNanos)) {
      yield { ...statement, behaviour: { ...behaviour, pauseNanos } };
    }
  }
  for (const thinkNanos of simplerTimes(statement.thinkNanos).filter((nanos) => nanos < statement.thinkNanos)) {
    yield { ...statement, thinkNanos };
  }
}
