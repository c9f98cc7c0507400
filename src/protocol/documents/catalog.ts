/**
 * Documents of the catalog resource. Properties are only ever received: they may hold secrets, so no resource shows them.
 */
import * as z from "zod";

const catalogName = z.string().regex(/^[a-z0-9_]{1,128}$/, "expected lower case letters, digits and '_'");
const properties = z.record(z.string().min(1).max(256), z.string().max(65_536)).refine((all) => Object.keys(all).length <= 256, {
  message: "expected at most 256 properties",
});

/** Body of POST /v1/catalog: what CREATE CATALOG says. */
export const newCatalogSchema = z.object({
  catalogName,
  connectorName: z.string().min(1).max(128),
  properties: properties.optional(),
});
export type NewCatalog = z.infer<typeof newCatalogSchema>;

/** Body of PUT /v1/catalog/{catalog}, from the coordinator to its workers. */
export const assignedCatalogSchema = z.object({
  /** Changes when a catalog is dropped and created anew. */
  version: z.string().regex(/^[\w.-]{1,64}$/),
  connectorName: z.string().min(1).max(128),
  properties,
});
export type AssignedCatalog = z.infer<typeof assignedCatalogSchema>;

/** GET /v1/catalog */
export const catalogListSchema = z.array(
  z.object({
    catalogName: z.string(),
    connectorName: z.string(),
    /** STATIC: from the configuration. DYNAMIC: created at run time. */
    management: z.enum(["STATIC", "DYNAMIC"]),
  }),
);
export type CatalogList = z.infer<typeof catalogListSchema>;

export const newCatalogExample: NewCatalog = {
  catalogName: "lake",
  connectorName: "files",
  properties: { "files.directory": "/srv/lake" },
};

export const assignedCatalogExample: AssignedCatalog = {
  version: "0123456789abcdef.1",
  connectorName: "files",
  properties: { "files.directory": "/srv/lake" },
};

export const catalogListExample: CatalogList = [
  { catalogName: "lake", connectorName: "files", management: "DYNAMIC" },
  { catalogName: "tpch", connectorName: "tpch", management: "STATIC" },
];
