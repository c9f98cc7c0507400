/** Counters of the simulated network. */

/** Counters of the network; part of a run's report. */
export interface NetworkCounters {
  requests: number;
  answered: number;
  lost: number;
  reset: number;
  duplicated: number;
  refused: number;
  cut: number;
  timedOut: number;
  /** Messages that arrived before one that was sent earlier on the same link. */
  reordered: number;
  overtaken: number;
  neverAnswered: number;
  truncated: number;
  /** Responses to requests that the client had abandoned. */
  late: number;
  /** Requests that were rejected before they reached the node. */
  turnedAway: number;
  bytes: number;
}

export function noMessages(): NetworkCounters {
  return {
    requests: 0,
    answered: 0,
    lost: 0,
    reset: 0,
    duplicated: 0,
    refused: 0,
    cut: 0,
    timedOut: 0,
    reordered: 0,
    overtaken: 0,
    neverAnswered: 0,
    truncated: 0,
    late: 0,
    turnedAway: 0,
    bytes: 0,
  };
}
