/** Whether the coordinator answers. Every request reports here; what waits for the coordinator is told when it answers again. */
import { type ReadonlySignal, signal } from "@preact/signals";

export interface Connection {
  readonly state: "connecting" | "answering" | "silent";
  /** Milliseconds of `performance.now()` when the state began. */
  readonly sinceMs: number;
}

const current = signal<Connection>({ state: "connecting", sinceMs: performance.now() });
const waiting = new Set<() => void>();

export const connection: ReadonlySignal<Connection> = current;

export function reportAnswer(isAnswering: boolean): void {
  const state = isAnswering ? "answering" : "silent";
  const before = current.value.state;
  if (before !== state) {
    current.value = { state, sinceMs: performance.now() };
  }
  if (isAnswering && before === "silent") {
    retryNow();
  }
}

/** Calls `retry` as soon as the coordinator answers again or the user asks for it. Returns a function that ends that. */
export function onRecovery(retry: () => void): () => void {
  waiting.add(retry);
  return () => waiting.delete(retry);
}

export function retryNow(): void {
  for (const retry of waiting) {
    retry();
  }
}

addEventListener("online", retryNow);
