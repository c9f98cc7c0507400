/** The long lists of words. Server programs have one file of them between them (tools/programs/build.mjs). */
export { adverbText, prepositionText } from "./adverbs.ts";
export { cityText } from "./cities.ts";
export { countyText } from "./counties.ts";
export { firstNameText } from "./first-names.ts";
export { lastNameText } from "./last-names.ts";
export { adjectiveText, nounText, verbText } from "./words.ts";
