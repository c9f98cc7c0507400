/** Failures that `npm run sim -- shrink` wrote down, which keeps this list. Once the bug is fixed the file moves to bugs/, with what it was. */
import type { Scenario } from "../scenario.ts";

export const found: readonly Scenario[] = [];
