/** Managed beans of a node: named groups of measured values, as Java's management extensions have them. */
import type { Json } from "../spi.ts";

export type AttributeType = "bigint" | "double" | "varchar";

export interface Bean {
  /** `trino.execution:name=querymanager`, in lower case. */
  readonly objectName: string;
  /** By name, in lower case. */
  readonly attributes: Readonly<Record<string, AttributeType>>;
}

/** Values of a bean's attributes. */
export type BeanValues = Readonly<Record<string, number | string>>;

export interface BeanProvider {
  /** The beans that nodes of the cluster may have. */
  readonly beans: readonly Bean[];
  /** The beans that this node has now, by object name. */
  readonly read: () => ReadonlyMap<string, BeanValues>;
}

/** A bean at a moment. */
export interface BeanSample {
  readonly objectName: string;
  /** Milliseconds since 1970-01-01. */
  readonly at: number;
  readonly values: BeanValues;
}

export function samplesOf(answer: Json): readonly BeanSample[] {
  return answer as unknown as readonly BeanSample[];
}
