/**
 * Answers against the OpenAPI document, by a validator that is not ours: the path and the status are in the document, and a JSON body fits
 * its schema.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { HttpMethod } from "../../src/ports/network.ts";
import { stringifyJson } from "../../src/protocol/json.ts";
import { openApiDocument } from "../../src/server/operations/openapi/openapi.ts";

interface Content {
  readonly schema: object;
  readonly example?: unknown;
}

export interface ApiAnswer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface ApiOperationObject {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, ApiAnswer>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** As a client reads it: without 64-bit integers beyond JavaScript's. */
export const apiDocument = JSON.parse(stringifyJson(openApiDocument(() => true))) as ApiDocument;

const root = "https://orrery/openapi";
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
ajv.addSchema({ ...apiDocument, $id: root });
const validators = new Map<string, ValidateFunction>();

/** What is wrong with a body of this place of the document; undefined if nothing. `pointer` leads to a schema. */
export function faultOf(pointer: readonly string[], body: unknown): string | undefined {
  const reference = `${root}#/${pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
  const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, validate);
  return validate(body) ? undefined : ajv.errorsText(validate.errors);
}

function patternOf(path: string): string | undefined {
  const parts = path.replace(/\?.*$/, "").split("/");
  const fits = (pattern: string): boolean => {
    const wanted = pattern.split("/");
    return wanted.length === parts.length && wanted.every((part, index) => part.startsWith("{") || part === parts[index]);
  };
  const literals = (pattern: string): number => pattern.split("/").filter((part) => !part.startsWith("{")).length;
  return Object.keys(apiDocument.paths)
    .filter(fits)
    .toSorted((a, b) => literals(b) - literals(a))[0];
}

/** Throws if the answer is not as the document says. Answers to unknown addresses are not its concern. */
export function checkAnswer(
  request: { readonly method: HttpMethod; readonly path: string },
  answer: { readonly status: number; readonly type: string | undefined; readonly text: string },
): void {
  const pattern = patternOf(request.path);
  const operations = pattern === undefined ? undefined : apiDocument.paths[pattern];
  const method = request.method.toLowerCase();
  // A HEAD request is answered like GET, without the body.
  const operation = operations?.[method] ?? (method === "head" ? operations?.["get"] : undefined);
  if (pattern === undefined || operation === undefined) {
    return;
  }
  const place = `${request.method} ${pattern}: ${answer.status}`;
  if (answer.status < 400 && operation.responses[answer.status] === undefined) {
    throw new Error(`${place} is not in the OpenAPI document`);
  }
  if (answer.status !== 200 || method === "head") {
    return;
  }
  const { content = {} } = operation.responses[200] ?? {};
  const type = answer.type?.split(";")[0] ?? "";
  if (answer.text !== "" && content[type] === undefined) {
    throw new Error(`${place} has the type '${type}', which is not in the OpenAPI document`);
  }
  if (type === "application/json") {
    const pointer = ["paths", pattern, method, "responses", "200", "content", type, "schema"];
    const fault = faultOf(pointer, JSON.parse(answer.text));
    if (fault !== undefined) {
      throw new Error(`${place} does not fit the OpenAPI document: ${fault}`);
    }
  }
}
