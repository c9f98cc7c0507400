/** The software bill of materials in CycloneDX 1.5: our package, and the packages whose code is bundled into it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Hashes are those of the lockfile, so they are of the archives of the registry. Without a time: the same sources give the same bytes. */
export function writeBillOfMaterials({ root, packages, file }) {
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const components = packages.map(({ folder, ...described }) => component(described, locked[folder]?.integrity));
  const main = component(own, undefined);
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { ...main, type: "application" } },
    components,
    dependencies: [{ ref: main["bom-ref"], dependsOn: components.map((each) => each["bom-ref"]) }],
  };
  writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
}

function component({ name, version, license }, integrity) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(typeof license === "string" && { licenses: [/ OR | AND /.test(license) ? { expression: license } : { license: { id: license } }] }),
    ...(integrity !== undefined && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex") }],
    }),
  };
}
