/** Configuration of low-memory-killer.ts, with the names of Trino. */
export const lowMemoryKillerPolicies = ["none", "total-reservation", "total-reservation-on-blocked-nodes"] as const;

export interface LowMemoryKillerConfig {
  readonly policy: (typeof lowMemoryKillerPolicies)[number];
  readonly delayMs: number;
}
