/**
 * Failures written by `npm run sim -- shrink`, which maintains this list. Once a bug is fixed, its file moves to bugs/ with a description.
 */
import type { Scenario } from "../scenario.ts";

export const found: readonly Scenario[] = [];
