/**
 * All scalar functions, gathered from the files of their families.
 */
import { arrayLambdaDefinitions } from "./array-lambdas.ts";
import { arraySearchDefinitions } from "./array-searches.ts";
import { arraySummaryDefinitions } from "./array-summaries.ts";
import { arrayDefinitions } from "./arrays.ts";
import { collectionDefinitions } from "./collections.ts";
import type { ScalarDefinition } from "./definition.ts";
import { mapSummaryDefinitions } from "./map-summaries.ts";
import { mapDefinitions } from "./maps.ts";
import { mathDefinitions } from "./math.ts";
import { nestedCastDefinitions } from "./nested-casts.ts";
import { stringDefinitions } from "./strings.ts";
import { dateDefinitions } from "./date-functions.ts";
import { generalDefinitions } from "./general.ts";
import { regexpDefinitions } from "./regexp-functions.ts";
import { bitDefinitions } from "./bits.ts";
import { distributionDefinitions } from "./distributions.ts";
import { encodingDefinitions } from "./encodings.ts";
import { hashDefinitions } from "./hash-functions.ts";
import { sequenceDefinitions } from "./sequences.ts";
import { randomDefinitions } from "./random-functions.ts";
import { structureDefinitions } from "./structures.ts";
import { colorDefinitions } from "./colors.ts";
import { moreDistributionDefinitions } from "./more-distributions.ts";
import { digestDefinitions } from "./digest-functions.ts";
import { hyperLogLogDefinitions } from "./hyperloglog-functions.ts";
import { geometryDefinitions } from "./geometry/geometry-functions.ts";
import { learningDefinitions } from "./learning/learning-functions.ts";
import { networkDefinitions } from "./networks/network-functions.ts";
import { setDigestDefinitions } from "./set-digest/set-digest-functions.ts";
import { formatDefinitions } from "./format.ts";
import { stemmingDefinitions } from "./stemming/stemming.ts";
import { textSearchDefinitions } from "./text-searches.ts";
import { textDefinitions } from "./text-functions.ts";
import { jsonDefinitions } from "./json-functions.ts";
import { urlDefinitions } from "./urls.ts";
import { vectorDefinitions } from "./vectors.ts";
import { zoneNameDefinitions } from "./zone-names.ts";
import { zonedDefinitions } from "./zoned-functions.ts";

export const scalarDefinitions: readonly ScalarDefinition[] = Object.freeze([
  ...generalDefinitions,
  ...structureDefinitions,
  ...nestedCastDefinitions,
  ...arrayDefinitions,
  ...arrayLambdaDefinitions,
  ...arraySummaryDefinitions,
  ...arraySearchDefinitions,
  ...mapDefinitions,
  ...mapSummaryDefinitions,
  ...vectorDefinitions,
  ...sequenceDefinitions,
  ...mathDefinitions,
  ...stringDefinitions,
  ...dateDefinitions,
  ...zonedDefinitions,
  ...zoneNameDefinitions,
  ...jsonDefinitions,
  ...regexpDefinitions,
  ...urlDefinitions,
  ...textDefinitions,
  ...textSearchDefinitions,
  ...formatDefinitions,
  ...colorDefinitions,
  ...digestDefinitions,
  ...hyperLogLogDefinitions,
  ...setDigestDefinitions,
  ...networkDefinitions,
  ...geometryDefinitions,
  ...learningDefinitions,
  ...stemmingDefinitions,
  ...hashDefinitions,
  ...encodingDefinitions,
  ...distributionDefinitions,
  ...moreDistributionDefinitions,
  ...bitDefinitions,
  ...randomDefinitions,
  ...collectionDefinitions,
]);
