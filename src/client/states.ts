/**
 * Clusters of other versions have states of queries and stages that this engine does not have. Each is read as the state of this engine
 * that says most of it.
 */
import { queryStates, stageStates } from "../protocol/documents/statement.ts";

/** Trino's and Presto's own. Others are read as RUNNING: an answer's end is known by its `nextUri` and `error`, not by its state. */
const translations: Readonly<Record<string, string>> = {
  DISPATCHING: "WAITING_FOR_RESOURCES",
  WAITING_FOR_PREREQUISITES: "QUEUED",
  SCHEDULING_SPLITS: "SCHEDULING",
  PENDING: "SCHEDULED",
};

type Document = Readonly<Record<string, unknown>>;

/** The results document with states that the engine has. */
export function withKnownStates(document: Document): Document {
  const { stats } = document;
  if (!isDocument(stats)) {
    return document;
  }
  const { rootStage } = stats;
  return {
    ...document,
    stats: {
      ...stats,
      state: known(stats["state"], queryStates),
      ...(isDocument(rootStage) && { rootStage: stageOf(rootStage) }),
    },
  };
}

function stageOf(stage: Document): Document {
  const { subStages } = stage;
  return {
    ...stage,
    state: known(stage["state"], stageStates),
    ...(Array.isArray(subStages) && { subStages: subStages.map((one: unknown) => (isDocument(one) ? stageOf(one) : one)) }),
  };
}

function known(state: unknown, states: readonly string[]): unknown {
  if (typeof state !== "string" || states.includes(state)) {
    return state;
  }
  const translated = translations[state] ?? "RUNNING";
  return states.includes(translated) ? translated : "RUNNING";
}

function isDocument(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
