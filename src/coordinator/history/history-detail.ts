/**
 * The detail document of a query in the history: written without addresses, which depend on who asks, and given them when it is read. It
 * has no credentials and no slug, as the document that it is made of.
 */
import type { QueryInfo, StageInfoDocument } from "../../protocol/documents/query.ts";
import { stringifyJson } from "../../protocol/json.ts";
import type { Query } from "../query/query.ts";
import { queryInfo } from "../query/query-documents.ts";

/** Longer documents are kept without their tasks, in characters. */
const detailLengthMax = 1024 * 1024;

export function detailForHistory(query: Query): string {
  const info = queryInfo(query, { baseUri: "", wait: undefined });
  const text = stringifyJson(info);
  return text.length <= detailLengthMax ? text : stringifyJson(withoutTasks(info));
}

export function withAddresses(info: QueryInfo, baseUri: string): QueryInfo {
  const self = `${baseUri}/v1/query/${info.queryId}`;
  return {
    ...info,
    self,
    outputStage: eachStage(info.outputStage, (stage) => ({ ...stage, self: `${baseUri}/v1/stage/${stage.stageId}` })),
  };
}

function withoutTasks(info: QueryInfo): QueryInfo {
  return { ...info, completeInfo: false, outputStage: eachStage(info.outputStage, (stage) => ({ ...stage, tasks: [] })) };
}

function eachStage(stage: QueryInfo["outputStage"], change: (stage: StageInfoDocument) => StageInfoDocument): QueryInfo["outputStage"] {
  const walk = (one: StageInfoDocument): StageInfoDocument => change({ ...one, subStages: one.subStages.map(walk) });
  return isStage(stage) ? walk(stage) : stage;
}

function isStage(stage: QueryInfo["outputStage"]): stage is StageInfoDocument {
  return "stageId" in stage;
}
