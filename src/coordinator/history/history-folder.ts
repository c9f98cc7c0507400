/** The directory of the history in a node's storage. */
export const historyFolder = "query-history";
