/**
 * Entry point of the thread that compares passwords with hashes: one comparison takes as long as a thousand requests.
 */
import { parentPort } from "node:worker_threads";
import { isPasswordOf } from "./password-hash.ts";
import type { FromPasswordThread, ToPasswordThread } from "./password-checker.ts";

parentPort?.on("message", ({ id, hash, password }: ToPasswordThread) => {
  const answer: FromPasswordThread = { id, matches: isPasswordOf(hash, password) };
  parentPort?.postMessage(answer);
});
