/**
 * Two places and one link of the simulated world: `a` sends requests, `b` responds.
 */
import type { HttpMethod, HttpResponse, Network } from "../../src/ports/network.ts";
import { calmLink, type MessageFate } from "../world/fates.ts";
import { SimulatedNetwork } from "../world/network.ts";
import { StreamTree } from "../world/streams.ts";
import { Incarnation, nanosPerMs, nanosPerSecond, World } from "../world/world.ts";
import { type AskOptions, askOver, bodyBytesMax, type ObservedHandler, placeOfB } from "./observation.ts";

export class SimulatedSide {
  readonly world: World;
  readonly network: SimulatedNetwork;
  readonly sender: Incarnation = new Incarnation("a", 1);
  readonly receiver: Incarnation = new Incarnation("b", 1);
  readonly a: Network;
  readonly b: Network;

  constructor(fates: readonly MessageFate[] = []) {
    this.world = new World({ streams: StreamTree.root("gap") });
    this.network = new SimulatedNetwork(this.world, () => calmLink, { fates });
    this.network.bodyBytesMax = bodyBytesMax;
    this.a = this.network.attach(this.sender);
    this.b = this.network.attach(this.receiver);
  }

  /** Resolves once `b` accepts requests. */
  serve(handler: ObservedHandler): Promise<void> {
    return this.b.serve(handler.handle);
  }

  /** The default time-out is short, because simulated time does not depend on the machine. */
  ask(method: HttpMethod, options: AskOptions = {}): Promise<HttpResponse> {
    return askOver(this.a, placeOfB, method, { timeoutMs: 1_000, ...options });
  }

  after(ms: number, run: () => void): void {
    this.world.at(this.world.nowNanos + ms * nanosPerMs, "gap", run);
  }

  /** Runs the world until there is an outcome, and slightly longer for later notifications of the other side. */
  async settle(outcome: Promise<string>): Promise<string> {
    let told: string | undefined;
    void outcome.then((text) => {
      told = text;
    });
    const eventsMax = 100_000;
    await this.world.run({ untilNanos: 60 * nanosPerSecond, eventsMax, done: () => told !== undefined });
    await this.world.run({ untilNanos: this.world.nowNanos + 10 * nanosPerSecond, eventsMax, done: () => false });
    return told ?? "no outcome";
  }
}
