/**
 * All scalar functions, collected from the files of the function families.
 */
import { arrayLambdaDefinitions } from "../scalar/array/lambdas.ts";
import { arraySearchDefinitions } from "../scalar/array/searches.ts";
import { arraySummaryDefinitions } from "../scalar/array/summaries.ts";
import { arrayDefinitions } from "../scalar/array/arrays.ts";
import { collectionDefinitions } from "../aggregate/collections.ts";
import type { ScalarDefinition } from "./definition.ts";
import { mapSummaryDefinitions } from "../scalar/map/summaries.ts";
import { mapDefinitions } from "../scalar/map/maps.ts";
import { mathDefinitions } from "../scalar/math/math.ts";
import { nestedCastDefinitions } from "../cast/nested-casts.ts";
import { stringDefinitions } from "../scalar/string/strings.ts";
import { dateDefinitions } from "../scalar/datetime/date-functions.ts";
import { generalDefinitions } from "../scalar/general.ts";
import { regexpDefinitions } from "../scalar/regexp/functions.ts";
import { bitDefinitions } from "../scalar/math/bits.ts";
import { distributionDefinitions } from "../scalar/math/distributions.ts";
import { encodingDefinitions } from "../scalar/binary/encodings.ts";
import { hashDefinitions } from "../scalar/binary/hash-functions.ts";
import { sequenceDefinitions } from "../scalar/array/sequences.ts";
import { randomDefinitions } from "../scalar/math/random-functions.ts";
import { structureDefinitions } from "../operator/structures.ts";
import { colorDefinitions } from "../scalar/string/colors.ts";
import { moreDistributionDefinitions } from "../scalar/math/more-distributions.ts";
import { digestDefinitions } from "../sketch/digest-functions.ts";
import { hyperLogLogDefinitions } from "../sketch/hyperloglog-functions.ts";
import { geometryDefinitions } from "../scalar/geometry/geometry-functions.ts";
import { learningDefinitions } from "../learning/learning-functions.ts";
import { networkDefinitions } from "../scalar/network/network-functions.ts";
import { setDigestDefinitions } from "../sketch/set-digest-functions.ts";
import { formatDefinitions } from "../scalar/string/format/format.ts";
import { stemmingDefinitions } from "../scalar/string/stemming/stemming.ts";
import { textSearchDefinitions } from "../scalar/string/searches.ts";
import { textDefinitions } from "../scalar/string/rarer-functions.ts";
import { jsonDefinitions } from "../scalar/json/json-functions.ts";
import { urlDefinitions } from "../scalar/urls.ts";
import { vectorDefinitions } from "../scalar/math/vectors.ts";
import { zonedFieldDefinitions } from "../scalar/datetime/zoned-fields.ts";
import { teradataDefinitions } from "../scalar/datetime/teradata.ts";
import { zonedDefinitions } from "../scalar/datetime/zoned-functions.ts";

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
  ...zonedFieldDefinitions,
  ...zonedDefinitions,
  ...teradataDefinitions,
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
