/** The licenses of the bundled packages, which their texts ask to be kept with the code. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** `inputs`: paths of all bundled files. A package without a license file is listed with what its package.json says. */
export function writeLicenses({ root, inputs, file }) {
  const folders = [...new Set(inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].sort(byText);
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    if (license === undefined && licenseText(join(root, folder)) === undefined) {
      throw new Error(`${name} ${version} has no license`);
    }
    return `${name} ${version} (${license ?? "see below"})\n\n${licenseText(join(root, folder)) ?? ""}`.trim();
  });
  const head = "The package holds code of these packages, under their own licenses.";
  writeFileSync(file, `${[head, ...texts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
}

function licenseText(folder) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const parts = names.sort(byText).map((name) => readFileSync(join(folder, name), "utf8").trim());
  return parts.length === 0 ? undefined : parts.join("\n\n");
}
