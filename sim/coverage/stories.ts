/** What is known of a task and of a query while a run is watched. */
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
  /** Its user has ended a stage. */
  cut: boolean;
  tasks: number;
  lossSince: boolean;
  lostPage: boolean;
  endedNanos: number;
  /** Its user will not ask again. */
  left: boolean;
}

/** Nothing has been heard of it. */
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
