/**
 * The coordinator keeps the set of active workers up to date change by change. After any changes it is what all known nodes together give.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ClusterMonitor } from "../../../src/monitor/cluster-monitor.ts";
import { emptyResponse } from "../../../src/protocol/http/http.ts";
import { type Announcement, nodeIncarnationHeader, type NodeState, nodeStateHeader } from "../../../src/protocol/documents/info.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { Hosts, portsOf } from "../worker/fakes.ts";

const name = fc.constantFrom("a", "b", "c", "d");
const host = fc.constantFrom("a", "b", "c", "d", "e");
const state = fc.constantFrom<NodeState>("ACTIVE", "ACTIVE", "ACTIVE", "SHUTTING_DOWN", "INACTIVE");
const announce = fc.record({
  kind: fc.constant("announce" as const),
  name,
  host,
  state,
  incarnation: fc.constantFrom("1", "1", "2"),
  version: fc.constantFrom("1", "1", "1", "0.9"),
  coordinator: fc.constantFrom("false", "false", "false", "true"),
});
const step = fc.oneof(
  { weight: 4, arbitrary: announce },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("answers" as const), host, state, incarnation: fc.constantFrom("1", "2") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("refuses" as const), host }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("withdraw" as const), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(0, 600, 2_000, 8_000, 20_000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Said {
  readonly name: string;
  readonly host: string;
  readonly state: NodeState;
  readonly incarnation: string;
  readonly version: string;
  readonly coordinator: string;
}

function announcementOf(said: Said): Announcement {
  const { name: nodeId, version, coordinator, incarnation } = said;
  const properties = {
    http: `http://${said.host}:1`,
    node_version: version,
    coordinator,
    worker: "true",
    life: incarnation,
    state: said.state,
  };
  return { environment: "test", nodeId, pool: "general", location: "/", services: [{ id: nodeId, type: "orrery", properties }] };
}

function clusterOf(enabled: boolean, includeSelf: boolean) {
  const clock = new ManualClock();
  const hosts = new Hosts(clock);
  const own = announcementOf({
    name: "coordinator",
    host: "coordinator",
    state: "ACTIVE",
    incarnation: "1",
    version: "1",
    coordinator: "true",
  });
  const monitor = new ClusterMonitor({
    ports: portsOf(clock, hosts.network("http://coordinator:1")),
    nodeId: "coordinator",
    incarnation: "1",
    nodeVersion: "1",
    environment: "test",
    selfUri: () => "http://coordinator:1",
    includeSelf,
    selfState: () => "ACTIVE",
    selfAnnouncement: () => own,
    discovery: { ageMaxMs: 15_000 },
    failureDetector: {
      enabled,
      threshold: 0.1,
      heartbeatIntervalMs: 500,
      heartbeatTimeoutMs: 2_000,
      warmupMs: 5_000,
      unresponsiveMs: 5_000,
      expirationGraceMs: 10_000,
    },
  });
  const act = async (one: Step): Promise<void> => {
    switch (one.kind) {
      case "announce":
        try {
          monitor.announce(announcementOf(one));
        } catch {
          // Its name belongs to a living node at another address.
        }
        break;
      case "answers": {
        const headers = { [nodeStateHeader]: one.state, [nodeIncarnationHeader]: one.incarnation };
        hosts.handlers.set(`http://${one.host}:1`, () => Promise.resolve(emptyResponse(200, headers)));
        break;
      }
      case "refuses":
        hosts.handlers.delete(`http://${one.host}:1`);
        break;
      case "withdraw":
        monitor.withdraw(one.name);
        break;
      case "wait":
        break;
    }
    await clock.advance(one.kind === "wait" ? one.ms : 0);
  };
  return { monitor, act };
}

it("are those of the known nodes that are active and no coordinators, sorted and counted", async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.boolean(), fc.array(step, { maxLength: 40 }), async (enabled, includeSelf, steps) => {
      const { monitor, act } = clusterOf(enabled, includeSelf);
      for (const one of steps) {
        await act(one);
        const known = monitor.knownNodes().filter(({ coordinator, nodeId }) => !coordinator || (includeSelf && nodeId === "coordinator"));
        const expected = known.filter((node) => node.state === "active").map(({ nodeId, uri }) => ({ nodeId, uri }));
        expect(monitor.activeWorkers().map(({ nodeId, uri }) => ({ nodeId, uri }))).toEqual(expected);
        expect(monitor.activeCount).toBe(expected.length);
        // An address at which a node is announced that answers is not gone.
        expect(expected.filter(({ uri }) => monitor.isGone(uri))).toEqual([]);
        seen += expected.length;
      }
      monitor.close();
    }),
    { numRuns: 150 },
  );
  expect(seen).toBeGreaterThan(0);
});
