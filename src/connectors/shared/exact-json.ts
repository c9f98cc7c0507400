/** JSON whose integers are exact: those beyond 2^53 are bigints. */
export { parseJson as parseExactJson } from "../../protocol/json.ts";
