/**
 * Rights in a world with faults: users at the real statement client over links that lose, repeat and reset messages. Each statement ends as
 * the rules say, or with an error of the network.
 */
import { expect, it } from "vitest";
import { clientSession } from "../../src/client/session.ts";
import { ClientError } from "../../src/client/requester.ts";
import { StatementClient } from "../../src/client/statement-client.ts";
import { calmCluster } from "../../scenarios/scenario.ts";
import { Cluster } from "../../sim/cluster.ts";
import { SharedState } from "../../sim/shared.ts";
import { calmLink } from "../../sim/world/fates.ts";
import { SimulatedClock } from "../../sim/world/clock.ts";
import { SimulatedNetwork } from "../../sim/world/network.ts";
import { StreamTree } from "../../sim/world/streams.ts";
import { Incarnation, nanosPerSecond, World } from "../../sim/world/world.ts";
import { cases, rules, setup } from "./rules.ts";

const users = ["ann", "bob", "carl", "eve", "root", "__proto__"];
const statementsOfEach = 12;
const lossy = { ...calmLink, lossPer10k: 40, resetPer10k: 60, duplicatePer10k: 60, overtakenPer10k: 200, latencyNanosMax: 3_000_000 };
/** Reads only: the world is shared, and the answers must not depend on the order. */
const reads = cases.filter(({ answer, sql }) => /^(SELECT|TABLE|WITH|SHOW|EXPLAIN) /.test(sql) && answer !== "error: none");

function clockOf(world: World, incarnation: Incarnation): SimulatedClock {
  return new SimulatedClock(world, incarnation, { offsetMs: () => 0, driftPpm: () => 0, nanosPerWorkUnit: 0, slowness: () => 1 });
}

it.each(["one", "two", "three", "four"])("seed %s", async (seed) => {
  const world = new World({ streams: StreamTree.root(seed) });
  const cluster = new Cluster(world, {
    plan: calmCluster(seed, { link: lossy, access: rules }),
    shared: new SharedState(),
    hooks: {
      onTransition: () => undefined,
      onStartFailure: (place, error) => {
        throw new Error(`${place} does not start`, { cause: error });
      },
    },
  });
  cluster.faulty = false;
  for (const name of cluster.names) {
    cluster.start(name);
  }
  const server = SimulatedNetwork.uriOf("c");
  const clientOf = (user: string): StatementClient => {
    const incarnation = new Incarnation(`client-${user}`, 1);
    const network = cluster.network.attach(incarnation);
    return new StatementClient({ network, clock: clockOf(world, incarnation), server, session: clientSession(user), family: "trino" });
  };
  const answerOf = async (client: StatementClient, sql: string): Promise<unknown> => {
    const run = client.submit(sql);
    const rows: unknown[] = [];
    while (await run.advance()) {
      rows.push(...run.rows);
    }
    return run.error === undefined ? rows : `${run.error.errorName === "PERMISSION_DENIED" ? "" : "error: "}${run.error.message}`;
  };
  const finish = async <T>(work: Promise<T>): Promise<T> => {
    let settled = false;
    const done = work.finally(() => {
      settled = true;
    });
    done.catch(() => undefined);
    await world.run({ untilNanos: world.nowNanos + 900 * nanosPerSecond, eventsMax: Number.MAX_SAFE_INTEGER, done: () => settled });
    return done;
  };
  const root = clientOf("root");
  for (const sql of setup) {
    expect(JSON.stringify(await finish(answerOf(root, sql)))).not.toContain("error");
  }
  cluster.faulty = true;
  const stream = world.streams.stream("rights");
  const tally = { right: 0, lost: 0 };
  const play = async (user: string): Promise<void> => {
    const own = reads.filter((one) => one.user === user);
    const client = clientOf(user);
    for (let index = 0; index < statementsOfEach && own.length > 0; index++) {
      const { answer, sql } = own[stream.nextInt(own.length)] as (typeof own)[number];
      try {
        const got = await answerOf(client, sql);
        expect({ user, sql, got: typeof got === "string" ? got.replace(/line \d+:\d+: /, "") : got }).toEqual({ user, sql, got: answer });
        tally.right += 1;
      } catch (error) {
        if (!(error instanceof ClientError)) {
          throw error;
        }
        tally.lost += 1;
      }
    }
  };
  await finish(Promise.all(users.map(play)));
  cluster.close();
  expect(tally.right).toBeGreaterThan(tally.lost);
});
