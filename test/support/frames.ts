/** Bodies of results as workers send them. */

/** The body of a response: concatenated frames. */
export function joinFrames(frames: readonly Uint8Array[]): Uint8Array {
  if (frames.length === 1) {
    return frames[0] as Uint8Array;
  }
  const body = new Uint8Array(frames.reduce((sum, frame) => sum + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    body.set(frame, at);
    at += frame.length;
  }
  return body;
}
