/** The OpenAPI document: valid, complete and true. The conformance suites hold real answers to it (test/support/service.ts). */
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documents } from "../../src/protocol/documents/documents.ts";
import { stringifyJson } from "../../src/protocol/json.ts";
import { apiOperations } from "../../src/server/operations/openapi/operations.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { apiDocument, type ApiDocument, checkAnswer, faultOf } from "../support/openapi.ts";
import { Asker, clientOf } from "../support/service.ts";

function operationsOf(document: ApiDocument): readonly string[] {
  return Object.entries(document.paths)
    .flatMap(([pattern, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${pattern}`))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

describe("/v1/openapi.json", () => {
  let cluster: LoopbackCluster;

  beforeAll(async () => {
    cluster = await startLoopbackCluster({ workers: 1 });
  });

  afterAll(() => cluster.stop());

  it("is valid OpenAPI 3.1, on coordinators and workers", async () => {
    for (const uri of [cluster.uri, ...cluster.workerUris]) {
      const { text } = await new Asker(cluster).ask("GET", `${uri}/v1/openapi.json`);
      const validator = new Validator();
      const { errors, valid } = await validator.validate(JSON.parse(text) as Record<string, unknown>);
      expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
      expect(validator.version).toBe("3.1");
    }
  });

  it("has every route of the node, and nothing else", async () => {
    for (const [index, node] of cluster.nodes.entries()) {
      const { text } = await new Asker(cluster).ask("GET", `${node.selfUri}/v1/openapi.json`);
      const routes = node.routes.map(({ method, pattern }) => `${method} ${pattern}`);
      const own = cluster.operations[index]?.resources.paths.map((path) => `GET ${path}`) ?? [];
      expect(operationsOf(JSON.parse(text) as ApiDocument)).toEqual([...new Set([...routes, ...own])].toSorted((a, b) => (a < b ? -1 : 1)));
    }
    const everywhere = cluster.nodes.flatMap((node) => node.routes.map(({ method, pattern }) => `${method} ${pattern}`));
    expect(Object.keys(apiOperations).filter((operation) => !everywhere.includes(operation))).toEqual([
      "GET /metrics",
      "GET /v1/openapi.json",
      // Of a server that was started with --chaos (test/chaos).
      "GET /v1/chaos",
      "POST /v1/chaos",
      "DELETE /v1/chaos",
      "DELETE /v1/chaos/{id}",
      "POST /v1/chaos/advance",
    ]);
  });

  it("has every document of the interface, and each example fits its schema", () => {
    for (const { direction, example, method, pattern } of documents) {
      const body = direction === "request" ? ["requestBody"] : ["responses", "200"];
      const pointer = ["paths", pattern, method.toLowerCase(), ...body, "content", "application/json", "schema"];
      expect({ method, pattern, fault: faultOf(pointer, JSON.parse(stringifyJson(example))) }).toEqual({
        method,
        pattern,
        fault: undefined,
      });
    }
  });

  it("refuses what is not so: a wrong document, an unknown status, another type", async () => {
    const { text } = await clientOf(cluster, "trino").ask("GET", "/v1/info");
    const request = { method: "GET", path: "/v1/info?pretty" } as const;
    const answer = { status: 200, type: "application/json", text };
    expect(() => checkAnswer(request, answer)).not.toThrow();
    expect(() => checkAnswer(request, { ...answer, text: text.replace('"coordinator":true', '"coordinator":"yes"') })).toThrow(
      /coordinator/,
    );
    expect(() => checkAnswer(request, { ...answer, status: 201 })).toThrow(/201 is not in the OpenAPI document/);
    expect(() => checkAnswer(request, { ...answer, type: "text/html" })).toThrow(/has the type 'text\/html'/);
  });

  it("refers only to components that it has", () => {
    const references = [...JSON.stringify(apiDocument).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((name) => !Object.hasOwn(apiDocument.components.schemas, name ?? ""))).toEqual([]);
  });
});
