/**
 * For any sequence of requests and row arrivals, each row is delivered once and in order, and every token behaves as specified.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { settle } from "../../support/manual-clock.ts";
import { FakeCoordinator, nextUri, type Reply, stateOf } from "./fakes.ts";

type Step =
  | { readonly kind: "next" | "again" | "old" | "future" | "twice" }
  | { readonly kind: "push"; readonly rows: number }
  | { readonly kind: "wait"; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "next" } as const) },
  fc.constantFrom<Step>({ kind: "again" }, { kind: "old" }, { kind: "future" }, { kind: "twice" }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("push" as const), rows: fc.integer({ min: 0, max: 5 }) }) },
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 1500 }) }),
);

class Client {
  readonly world = new FakeCoordinator();
  readonly delivered: unknown[] = [];
  readonly pushed: string[] = [];
  last: Reply | undefined;

  /** The address of a token, relative to the next token. */
  uri(offset: number): string {
    const uri = nextUri(this.last as Reply);
    const token = Number(/\/(\d+)\?/.exec(uri)?.[1]);
    return uri.replace(`/${token}?`, `/${token + offset}?`);
  }

  async poll(uri: string): Promise<Reply> {
    const reply = this.world.ask("GET", uri);
    await this.world.clock.advance(1000);
    return reply;
  }

  take(reply: Reply): void {
    expect(reply.status).toBe(200);
    if (reply.json["data"] !== undefined) {
      this.delivered.push(...(reply.json["data"] as unknown[][]).map((row) => row[0]));
      expect(this.delivered.length).toBeGreaterThan(0);
    }
    this.last = reply;
  }

  async step(step: Step): Promise<void> {
    const { world } = this;
    switch (step.kind) {
      case "next":
        this.take(await this.poll(this.uri(0)));
        return;
      case "again":
        expect((await this.poll(this.uri(-1))).body).toEqual(this.last?.body);
        return;
      case "old": {
        const status = (await this.poll(this.uri(-2))).status;
        expect(this.uri(-2).includes("/-1?") ? [404] : [410]).toContain(status);
        return;
      }
      case "future":
        expect((await this.poll(this.uri(1))).status).toBe(404);
        return;
      case "twice": {
        const one = world.ask("GET", this.uri(0));
        const two = world.ask("GET", this.uri(0));
        await world.clock.advance(1000);
        expect((await two).body).toEqual((await one).body);
        this.take(await one);
        return;
      }
      case "push": {
        const rows = Array.from({ length: step.rows }, (_, index) => `${this.pushed.length + index}`);
        this.pushed.push(...rows);
        world.root.push(world.frame(rows));
        await settle();
        return;
      }
      case "wait":
        await world.clock.advance(step.ms);
    }
  }
}

test("rows and tokens under every order of events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const client = new Client();
      client.last = await client.world.submit();
      await settle();
      for (const each of steps) {
        await client.step(each);
      }
      client.world.root.finishOutput();
      while (client.last.json["nextUri"] !== undefined) {
        client.take(await client.poll(client.uri(0)));
      }
      expect(stateOf(client.last)).toBe("FINISHED");
      expect(client.last.json["data"] !== undefined).toBe(client.pushed.length > 0);
      expect(client.delivered).toEqual(client.pushed);
      expect(client.world.queryMemory.reservedBytes).toBe(0);
      expect(client.world.clock.labels).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
