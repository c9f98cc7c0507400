/** What the documents of a query show of its run on another cluster. */
import type { HeaderFamily } from "../../protocol/http/headers.ts";
import type { ColumnDocument, StatementStats } from "../../protocol/documents/statement.ts";

export interface Routed {
  /** Name of the cluster. */
  readonly cluster: string;
  /** The query there; undefined until it is known. */
  readonly remote: { readonly queryId: string; readonly infoUri: string } | undefined;
  /** As the cluster has told them last. */
  readonly stats: StatementStats | undefined;
  /** Largest memory that the cluster has told, also of runs that were lost. */
  readonly peakBytes: number;
  /** As the cluster spells them; undefined until they are known. */
  readonly columns: readonly ColumnDocument[] | undefined;
  /** Protocol in whose form the columns are. */
  readonly family: HeaderFamily;
  readonly updateCount: number | bigint | undefined;
  /** Rows that have arrived, and their bytes as JSON. */
  readonly rowCount: number;
  readonly byteCount: number;
  /** Number of the stage that can be ended early. */
  readonly cancelableStage: number | undefined;
  /** Ends it. */
  cancelStage(): void;
  /** Resolves when the cluster knows that the query has ended, or cannot be told. */
  readonly ended: Promise<void>;
  /** Sends nothing any more. */
  giveUp(): void;
}
