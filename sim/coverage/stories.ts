/**
 * The observed history of a task and of a query.
 */
export interface TaskStory {
  readonly taskId: string;
  readonly place: string;
  readonly operators: ReadonlySet<string>;
  pages: number;
  readOut: boolean;
  spilled: boolean;
  deleted: boolean;
}

export interface QueryStory {
  state: string;
  rows: boolean;
  /** The user cancelled a stage. */
  cut: boolean;
  tasks: number;
  lossSince: boolean;
  lostPage: boolean;
  endedNanos: number;
  /** The user will not poll again. */
  left: boolean;
}

/** History of a query without any observation. */
export function unheardQuery(): QueryStory {
  return {
    state: "",
    rows: false,
    cut: false,
    tasks: 0,
    lossSince: false,
    lostPage: false,
    endedNanos: Number.NEGATIVE_INFINITY,
    left: false,
  };
}
