/** The licenses of the bundled packages, which their texts ask to be kept with the code. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** A package without a license file is listed with what its package.json says. Packages with one text share it. */
export function writeLicenses({ root, packages, file }) {
  const namesOf = new Map();
  for (const { folder, name, version, license } of packages) {
    const text = licenseText(join(root, folder));
    if (license === undefined && text === undefined) {
      throw new Error(`${name} ${version} has no license`);
    }
    const names = namesOf.get(text ?? "") ?? [];
    names.push(`${name} ${version} (${license ?? "see below"})`);
    namesOf.set(text ?? "", names);
  }
  const texts = [...namesOf].map(([text, names]) => `${names.join("\n")}\n\n${text}`.trim());
  const head = "The package holds code of these packages, under their own licenses.";
  writeFileSync(file, `${[head, ...texts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
}

function licenseText(folder) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const parts = names.sort(byText).map((name) => readFileSync(join(folder, name), "utf8").trim());
  return parts.length === 0 ? undefined : parts.join("\n\n");
}
