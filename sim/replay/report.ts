/** What a tape holds and how its replay went, in lines for a person. */
import type { ReplayResult } from "./replay.ts";
import type { FailedQuery, Survey } from "./survey.ts";
import { replayableRun, type Tape } from "./tape.ts";

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function plural(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? "" : "s"}`;
}

export function describeSurvey(tape: Tape, surveyed: Survey): string[] {
  const inputs = surveyed.order.length;
  const start = Math.min(...surveyed.nodes.map((node) => node.firstMillis));
  const seconds = (millis: number): string => `${((millis - start) / 1000).toFixed(3)} s`;
  const statements = surveyed.clientRequests.filter(({ sql }) => sql !== undefined);
  const gone = surveyed.clientRequests.filter((request) => request.gone).length;
  return [
    `${plural(tape.nodes.length, "node")} (lives of ${new Set(tape.nodes.map(({ header }) => header.nodeId)).size}), ${plural(inputs, "input")}; ${count(surveyed.messagesMatched)} messages between them matched, ${count(surveyed.messagesUnmatched)} whose other side is not on the tape`,
    ...surveyed.nodes.map(
      (node) =>
        `  ${node.header.nodeId} (${node.role}) ${seconds(node.firstMillis)} to ${seconds(node.lastMillis)}: ${plural(node.inputs.length, "input")}${node.diskOperations === 0 ? "" : `, ${plural(node.diskOperations, "disk operation")} of up to ${node.diskMillisMax.toFixed(0)} ms`}${node.ended ? "" : ", no orderly end"}`,
    ),
    ...tape.nodes.flatMap((node) => describeGaps(node)),
    `clients: ${plural(surveyed.clientRequests.length, "request")}, ${plural(statements.length, "statement")} of ${new Set(statements.map(({ user }) => user)).size} users${gone === 0 ? "" : `; ${plural(gone, "request")} whose client went away`}`,
    surveyed.failed.length === 0 ? "no query failed" : `failed: ${surveyed.failed.map(describeFailed).join(", ")}`,
  ];
}

function describeGaps(node: Tape["nodes"][number]): string[] {
  const { runs, header } = node;
  if (replayableRun(node) === undefined) {
    return [`  ${header.nodeId}: its start was written over or lost; its statements count, it cannot be replayed`];
  }
  return runs.slice(1).map((run, index) => {
    const before = index === 0 ? "its start" : "what came before";
    return `  ${header.nodeId}: the ring wrote over what was between ${before} and entry ${count(run.entriesBefore)}; it is replayed up to there`;
  });
}

function describeFailed(failed: FailedQuery): string {
  return `${failed.queryId} ${failed.errorName === "" ? "(nobody asked why)" : failed.errorName}`;
}

export function describeReplay(result: ReplayResult, surveyed: Survey): string[] {
  const lines = [
    `replayed ${plural(result.nodes, "node")}, ${plural(result.inputs, "input")}; outputs matched ${count(result.matched)}/${count(result.outputs)}`,
    ...result.skipped.map((reason) => `not replayed: ${reason}`),
    ...[...result.scrubbedAt].map(
      ([nodeId, step]) =>
        `${nodeId} was replayed up to input ${count(step)}, whose content was scrubbed; what came after it is not compared`,
    ),
  ];
  const { difference } = result;
  if (difference !== undefined) {
    return [
      ...lines,
      `DIFFERS at ${difference.nodeId} (${difference.id}), input ${count(difference.step)}, entry ${difference.index}`,
      `  input: ${difference.input}`,
      `  recorded: ${difference.recorded}`,
      `  replayed: ${difference.replayed}`,
    ];
  }
  const told = new Map(result.failures.map((failure) => [failure.queryId, failure]));
  return [
    ...lines,
    ...surveyed.failed.map((failed) => {
      const again = told.get(failed.queryId);
      const how = again === undefined ? "" : `: ${again.message}`;
      if (failed.errorName === "") {
        return `reproduced: query ${failed.queryId} failed, and nobody asked why`;
      }
      return again?.errorName === failed.errorName
        ? `reproduced: query ${failed.queryId} failed with ${failed.errorName}${how}`
        : `NOT reproduced: query ${failed.queryId} failed with ${failed.errorName} when it was recorded`;
    }),
  ];
}
