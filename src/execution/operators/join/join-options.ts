/** What the operators of a join are made of. */
import type { Type } from "../../../types/type.ts";
import type { JoinBridge } from "../../hash-table/join-table.ts";
import type { OperatorContext } from "../operator.ts";
import type { JoinFilterCode } from "./join-kernel.ts";

export type JoinType = "INNER" | "LEFT" | "RIGHT" | "FULL";

/** The part of the ON condition beyond the keys, evaluated inside the probe kernel. */
export interface JoinFilter extends JoinFilterCode {
  /** Identifies its shape; constants are not part of it. */
  readonly key: string;
  /** Further arguments of the kernel, passed to `open`. */
  readonly args: readonly number[];
  /** Called before a kernel with the filter is loaded. */
  ensureHosts(): void;
  /** Candidates that one call of the kernel judges, at most `most`. */
  candidates(most: number): number;
  begin(): void;
  /** Throws the error of a failed evaluation. */
  check(): void;
  /** Returns undefined if a function ran long: the caller repeats the call with the same state. */
  inSlices<T>(attempt: () => T): T | undefined;
  takeWorkSteps(): number;
  close(): void;
}

export interface JoinProbeOptions {
  readonly context: OperatorContext;
  readonly bridge: JoinBridge;
  readonly joinType: JoinType;
  readonly keys: readonly { readonly probeChannel: number; readonly buildChannel: number }[];
  readonly probeTypes: readonly Type[];
  readonly buildTypes: readonly Type[];
  /** Output column i: a column of the probe side or of the build side. */
  readonly outputs: readonly { readonly side: "probe" | "build"; readonly channel: number }[];
  readonly filter?: JoinFilter;
  /** A dynamic filter has already dropped the rows that the bitmap of the table could drop. */
  readonly isFiltered?: boolean;
}
