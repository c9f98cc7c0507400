/**
 * Describes the content of a tape and the result of its replay.
 */
import type { ReplayResult } from "./replay.ts";
import type { FailedQuery, Survey } from "./survey.ts";
import { replayableRun, type Tape } from "./fixture.ts";

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
    `${plural(tape.nodes.length, "node")} (incarnations of ${new Set(tape.nodes.map(({ header }) => header.nodeId)).size}), ${plural(inputs, "input")}; ${count(surveyed.messagesMatched)} messages between them matched, ${count(surveyed.messagesUnmatched)} with only one side on the tape`,
    ...surveyed.nodes.map(
      (node) =>
        `  ${node.header.nodeId} (${node.role}) ${seconds(node.firstMillis)} to ${seconds(node.lastMillis)}: ${plural(node.inputs.length, "input")}${node.diskOperations === 0 ? "" : `, ${plural(node.diskOperations, "disk operation")} of up to ${node.diskMillisMax.toFixed(0)} ms`}${node.ended ? "" : ", no graceful end"}`,
    ),
    ...tape.nodes.flatMap((node) => describeGaps(node)),
    `clients: ${plural(surveyed.clientRequests.length, "request")}, ${plural(statements.length, "statement")} of ${new Set(statements.map(({ user }) => user)).size} users${gone === 0 ? "" : `; ${plural(gone, "request")} whose client disconnected`}`,
    surveyed.failed.length === 0 ? "no query failed" : `failed: ${surveyed.failed.map(describeFailed).join(", ")}`,
  ];
}

function describeGaps(node: Tape["nodes"][number]): string[] {
  const { runs, header } = node;
  if (replayableRun(node) === undefined) {
    return [`  ${header.nodeId}: its start was overwritten or lost, so it cannot be replayed; its statements are included`];
  }
  return runs.slice(1).map((run, index) => {
    const before = index === 0 ? "its start" : "the earlier part";
    return `  ${header.nodeId}: the ring overwrote the entries between ${before} and entry ${count(run.entriesBefore)}; the replay ends there`;
  });
}

function describeFailed(failed: FailedQuery): string {
  return `${failed.queryId} ${failed.errorName === "" ? "(error not recorded)" : failed.errorName}`;
}

export function describeReplay(result: ReplayResult, surveyed: Survey): string[] {
  const lines = [
    `replayed ${plural(result.nodes, "node")}, ${plural(result.inputs, "input")}; outputs matched ${count(result.matched)}/${count(result.outputs)}`,
    ...result.skipped.map((reason) => `not replayed: ${reason}`),
    ...[...result.scrubbedAt].map(
      ([nodeId, step]) => `${nodeId} was replayed up to input ${count(step)}, whose content was scrubbed; later entries are not compared`,
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
        return `reproduced: query ${failed.queryId} failed (error not recorded)`;
      }
      return again?.errorName === failed.errorName
        ? `reproduced: query ${failed.queryId} failed with ${failed.errorName}${how}`
        : `NOT reproduced: query ${failed.queryId} failed with ${failed.errorName} in the recording`;
    }),
  ];
}
