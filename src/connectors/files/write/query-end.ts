/**
 * A commit is several steps. A query that ends in the midst of it, because it is canceled or exceeds a limit, takes its change back as long
 * as the step that makes it visible has not begun.
 */
import { QueryError } from "../../../protocol/errors.ts";
import type { ConnectorQuery } from "../../spi.ts";
import type { Staging } from "./staging.ts";

export interface QueryEnd {
  /** Throws USER_CANCELED once the query has ended; its failure is known by then. */
  requireRunning(): void;
}

class Ending implements QueryEnd {
  isOver = false;

  requireRunning(): void {
    if (this.isOver) {
      throw new QueryError("USER_CANCELED", "The query has ended before its change was visible");
    }
  }
}

/** Throws if the query has ended, and removes the file that was to become visible. */
export async function unlessOver(query: QueryEnd, staging: Staging, beside: string): Promise<void> {
  try {
    query.requireRunning();
  } catch (error) {
    await staging.remove(beside);
    throw error;
  }
}

/** Without a query: never ends. */
export function endOf(query: ConnectorQuery | undefined): QueryEnd {
  const ending = new Ending();
  query?.onEnd(() => {
    ending.isOver = true;
  });
  return ending;
}

/** Writes whose commits run, and those of them that are to be given up. */
export class Finishing {
  readonly #writes = new Map<string, Ending>();

  begin(write: string): QueryEnd {
    const ending = new Ending();
    this.#writes.set(write, ending);
    return ending;
  }

  giveUp(write: string): void {
    const ending = this.#writes.get(write);
    if (ending !== undefined) {
      ending.isOver = true;
    }
  }

  end(write: string): void {
    this.#writes.delete(write);
  }
}
