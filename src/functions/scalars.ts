/**
 * All scalar functions, gathered from the files of their families.
 */
import type { ScalarDefinition } from "./definition.ts";
import { mathDefinitions } from "./math.ts";
import { stringDefinitions } from "./strings.ts";
import { dateDefinitions } from "./date-functions.ts";
import { generalDefinitions } from "./general.ts";
import { regexpDefinitions } from "./regexp-functions.ts";
import { bitDefinitions } from "./bits.ts";
import { distributionDefinitions } from "./distributions.ts";
import { encodingDefinitions } from "./encodings.ts";
import { hashDefinitions } from "./hash-functions.ts";
import { textDefinitions } from "./text-functions.ts";
import { jsonDefinitions } from "./json-functions.ts";
import { urlDefinitions } from "./urls.ts";
import { zonedDefinitions } from "./zoned-functions.ts";

export const scalarDefinitions: readonly ScalarDefinition[] = Object.freeze([
  ...generalDefinitions,
  ...mathDefinitions,
  ...stringDefinitions,
  ...dateDefinitions,
  ...zonedDefinitions,
  ...jsonDefinitions,
  ...regexpDefinitions,
  ...urlDefinitions,
  ...textDefinitions,
  ...hashDefinitions,
  ...encodingDefinitions,
  ...distributionDefinitions,
  ...bitDefinitions,
]);
