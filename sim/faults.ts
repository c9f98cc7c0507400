/** Acts the drawn faults out on a cluster: each begins at its time and heals at its time. Knows places and links, nothing of the protocol. */
import type { Fault, FaultKind } from "./draw.ts";
import type { SimulatedNetwork } from "./kernel/network.ts";
import type { World } from "./kernel/world.ts";

/** What a fault can do to a place. */
export interface FaultTarget {
  readonly names: readonly string[];
  /** A request was under way to or from it, or a task lived on it. */
  isWorking(name: string): boolean;
  crash(name: string): void;
  restart(name: string): void;
  pause(name: string, untilNanos: number): void;
  setSlowness(name: string, factor: number): void;
  setExtraLatency(from: string, to: string, nanos: number): void;
  /** PUT /v1/info/state "SHUTTING_DOWN", as an operator would. */
  drain(name: string): void;
}

export interface FaultReport {
  readonly kind: FaultKind;
  readonly text: string;
  /** Work was in flight where it struck. */
  readonly landed: boolean;
}

export function describeFault(fault: Fault): string {
  const at = (nanos: number): string => `${(nanos / 1e9).toFixed(3)}s`;
  const span = `${at(fault.atNanos)}..${at(fault.untilNanos)}`;
  switch (fault.kind) {
    case "crash":
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
  }
}

export function scheduleFaults(
  world: World,
  network: SimulatedNetwork,
  options: { readonly faults: readonly Fault[]; readonly target: FaultTarget; readonly onReport: (report: FaultReport) => void },
): void {
  const { target } = options;
  for (const fault of options.faults) {
    const text = describeFault(fault);
    world.at(fault.atNanos, `fault ${fault.kind}`, () => {
      world.note("world", "fault", text);
      options.onReport({ kind: fault.kind, text, landed: placesOf(fault).some((name) => target.isWorking(name)) });
      begin(fault, network, target);
    });
    world.at(fault.untilNanos, `heal ${fault.kind}`, () => {
      world.note("world", "heal", text);
      heal(fault, network, target);
    });
  }
}

function placesOf(fault: Fault): readonly string[] {
  switch (fault.kind) {
    case "crash":
    case "pause":
    case "shutdown":
    case "slow-node":
      return [fault.node];
    case "partition":
      return fault.nodes;
    case "one-way-partition":
    case "slow-link":
      return [fault.from, fault.to];
  }
}

function begin(fault: Fault, network: SimulatedNetwork, target: FaultTarget): void {
  switch (fault.kind) {
    case "crash":
      target.crash(fault.node);
      return;
    case "pause":
      target.pause(fault.node, fault.untilNanos);
      return;
    case "shutdown":
      target.drain(fault.node);
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
  }
}

function heal(fault: Fault, network: SimulatedNetwork, target: FaultTarget): void {
  switch (fault.kind) {
    case "crash":
    case "shutdown":
      target.restart(fault.node);
      return;
    case "pause":
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
