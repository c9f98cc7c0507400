/** Sizes of the responses to clients. */

/** Target size of the rendered rows that are buffered beyond the current response, in bytes. */
export const targetResultBytes: number = 1024 * 1024;
/** Upper bound of a client's targetResultSize, in bytes. */
export const targetResultBytesMax: number = 16 * 1024 * 1024;
