/** The incarnations of a coordinator within one process. A restart keeps the address, the storage and the channels to worker threads. */
import type { Ports } from "../../ports/ports.ts";
import { RealClock } from "../ports/clock.ts";
import type { RealPorts } from "../ports/ports.ts";
import type { StartedNode } from "../recording/recording.ts";
import { type IncarnationNetwork, SharedNetwork } from "./incarnation-network.ts";

interface Incarnation {
  readonly started: StartedNode;
  readonly clock: RealClock;
  readonly network: IncarnationNetwork;
}

export class CoordinatorLife {
  readonly #ports: RealPorts;
  readonly #network: SharedNetwork;
  readonly #startNode: (ports: Ports) => Promise<StartedNode>;
  #incarnation: Incarnation | undefined;
  #restarting: Promise<StartedNode> | undefined;

  constructor(ports: RealPorts, startNode: (ports: Ports) => Promise<StartedNode>) {
    this.#ports = ports;
    this.#network = new SharedNetwork(ports.network);
    this.#startNode = startNode;
  }

  async start(): Promise<StartedNode> {
    const clock = new RealClock();
    const network = this.#network.incarnation();
    const started = await this.#startNode({ ...this.#ports, clock, network });
    this.#incarnation = { started, clock, network };
    return started;
  }

  /** Ends the incarnation as a crash would and starts the next. Requests for a restart during one have the same result. */
  restart(): Promise<StartedNode> {
    this.#restarting ??= this.#restart().finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  async #restart(): Promise<StartedNode> {
    if (this.#incarnation !== undefined) {
      const { clock, network, started } = this.#incarnation;
      network.crash();
      await started.close();
      clock.close();
    }
    return this.start();
  }
}
