/**
 * All scalar functions, gathered from the files of their families.
 */
import type { ScalarDefinition } from "./definition.ts";
import { mathDefinitions } from "./math.ts";
import { stringDefinitions } from "./strings.ts";
import { dateDefinitions } from "./date-functions.ts";
import { generalDefinitions } from "./general.ts";
import { regexpDefinitions } from "./regexp-functions.ts";

export const scalarDefinitions: readonly ScalarDefinition[] = Object.freeze([
  ...generalDefinitions,
  ...mathDefinitions,
  ...stringDefinitions,
  ...dateDefinitions,
  ...regexpDefinitions,
]);
