/** Acts the drawn faults out on a cluster: each begins at its time and heals at its time. Knows places and links, nothing of the protocol. */
import type { Fault, FaultKind } from "../plan.ts";
import type { SimulatedNetwork } from "../kernel/network.ts";
import type { World } from "../kernel/world.ts";

/** What a fault can do to a place. */
export interface FaultTarget {
  readonly names: readonly string[];
  /** A query or task lives on it. */
  isWorking(name: string): boolean;
  crash(name: string): void;
  restart(name: string): void;
  pause(name: string, untilNanos: number): void;
  setSlowness(name: string, factor: number): void;
  setExtraLatency(from: string, to: string, nanos: number): void;
  /** An orderly end: finishes its work, at most until then. */
  drain(name: string, untilNanos: number): void;
  stepClock(name: string, byMs: number): void;
  setDiskBytesMax(name: string, bytesMax: number | undefined): void;
}

export interface FaultReport {
  readonly kind: FaultKind;
  readonly text: string;
  /** Work was in flight where it struck. */
  readonly landed: boolean;
}

export function describeFault(fault: Fault): string {
  const at = (nanos: number): string => `${(nanos / 1e9).toFixed(3)}s`;
  const aimed = fault.afterWorkNanos === undefined ? "" : ` aimed +${fault.afterWorkNanos / 1e6}ms`;
  const span = `${at(fault.atNanos)}..${at(fault.untilNanos)}${aimed}`;
  switch (fault.kind) {
    case "crash":
    case "coordinator-crash":
    case "pause":
    case "shutdown":
      return `${fault.kind} ${fault.node} ${span}`;
    case "slow-node":
      return `slow-node ${fault.node} x${fault.factor} ${span}`;
    case "partition":
      return `partition {${fault.nodes.join(",")}} ${span}`;
    case "one-way-partition":
      return `one-way-partition ${fault.from}->${fault.to} ${span}`;
    case "slow-link":
      return `slow-link ${fault.from}->${fault.to} +${(fault.extraNanos / 1e6).toFixed(0)}ms ${span}`;
    case "clock-step":
      return `clock-step ${fault.node} ${fault.byMs > 0 ? "+" : ""}${fault.byMs}ms ${span}`;
    case "full-disk":
      return `full-disk ${fault.node} at ${fault.bytesMax} bytes ${span}`;
  }
}

export interface FaultsOptions {
  readonly faults: readonly Fault[];
  /** Nothing lasts longer. */
  readonly healNanos: number;
  readonly target: FaultTarget;
  readonly onReport: (report: FaultReport) => void;
}

export class Faults {
  readonly #world: World;
  readonly #network: SimulatedNetwork;
  readonly #options: FaultsOptions;
  /** Aimed faults that wait for work. */
  readonly #armed = new Set<Fault>();

  constructor(world: World, network: SimulatedNetwork, options: FaultsOptions) {
    this.#world = world;
    this.#network = network;
    this.#options = options;
    for (const fault of options.faults) {
      world.at(fault.atNanos, `fault ${fault.kind}`, () => {
        if (fault.afterWorkNanos === undefined) {
          this.#strike(fault);
        } else {
          this.#armed.add(fault);
          this.poke();
        }
      });
    }
  }

  /** Called whenever work may have begun somewhere. */
  poke(): void {
    for (const fault of this.#armed) {
      if (this.#hitsWork(fault)) {
        this.#armed.delete(fault);
        this.#world.at(this.#world.nowNanos + (fault.afterWorkNanos ?? 0), `fault ${fault.kind}`, () => this.#strike(fault));
      }
    }
  }

  #hitsWork(fault: Fault): boolean {
    return placesOf(fault).every((name) => this.#options.target.isWorking(name));
  }

  #strike(fault: Fault): void {
    const { healNanos, target, onReport } = this.#options;
    const untilNanos = Math.min(healNanos, this.#world.nowNanos + fault.untilNanos - fault.atNanos);
    if (untilNanos <= this.#world.nowNanos) {
      return;
    }
    const text = describeFault(fault);
    this.#world.note("world", "fault", text);
    onReport({ kind: fault.kind, text, landed: this.#hitsWork(fault) });
    begin({ ...fault, untilNanos }, this.#network, target);
    this.#world.at(untilNanos, `heal ${fault.kind}`, () => {
      this.#world.note("world", "heal", text);
      heal(fault, this.#network, target);
    });
  }
}

function placesOf(fault: Fault): readonly string[] {
  switch (fault.kind) {
    case "partition":
      return fault.nodes;
    case "one-way-partition":
    case "slow-link":
      return [fault.from, fault.to];
    default:
      return [fault.node];
  }
}

function begin(fault: Fault, network: SimulatedNetwork, target: FaultTarget): void {
  switch (fault.kind) {
    case "crash":
    case "coordinator-crash":
      target.crash(fault.node);
      return;
    case "pause":
      target.pause(fault.node, fault.untilNanos);
      return;
    case "shutdown":
      target.drain(fault.node, fault.untilNanos);
      return;
    case "slow-node":
      target.setSlowness(fault.node, fault.factor);
      return;
    case "partition":
      eachCrossing(fault.nodes, target.names, (from, to) => network.cut(from, to));
      return;
    case "one-way-partition":
      network.cut(fault.from, fault.to);
      return;
    case "slow-link":
      target.setExtraLatency(fault.from, fault.to, fault.extraNanos);
      return;
    case "clock-step":
      target.stepClock(fault.node, fault.byMs);
      return;
    case "full-disk":
      target.setDiskBytesMax(fault.node, fault.bytesMax);
      return;
  }
}

function heal(fault: Fault, network: SimulatedNetwork, target: FaultTarget): void {
  switch (fault.kind) {
    case "crash":
    case "coordinator-crash":
    case "shutdown":
      target.restart(fault.node);
      return;
    case "pause":
    case "clock-step":
      return;
    case "slow-node":
      target.setSlowness(fault.node, 1);
      return;
    case "partition":
      eachCrossing(fault.nodes, target.names, (from, to) => network.heal(from, to));
      return;
    case "one-way-partition":
      network.heal(fault.from, fault.to);
      return;
    case "slow-link":
      target.setExtraLatency(fault.from, fault.to, 0);
      return;
    case "full-disk":
      target.setDiskBytesMax(fault.node, undefined);
      return;
  }
}

/** Every link between the inside and the outside, both ways. */
function eachCrossing(inside: readonly string[], names: readonly string[], act: (from: string, to: string) => void): void {
  for (const one of inside) {
    for (const other of names) {
      if (!inside.includes(other)) {
        act(one, other);
        act(other, one);
      }
    }
  }
}
