/** Types of the platform. A consumer without the types of Node and of the DOM compiles too: there they are `unknown`. */

export type FetchResponse = typeof globalThis extends { Response: { prototype: infer T } } ? T : unknown;
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer T } } ? T : unknown;
