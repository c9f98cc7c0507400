#!/usr/bin/env bash
# Installs Azurite, Microsoft's emulator of Azure Storage, into a folder of caches beside the repository's own packages: tests need it, users
# do not. Its drivers for databases are replaced by an empty package, because the tests keep blobs in memory.
set -euo pipefail
version="3.31.0"
folder="${ORRERY_AZURITE:-${XDG_CACHE_HOME:-$HOME/.cache}/orrery/azurite-$version}"
[ -e "$folder/node_modules/azurite/dist/src/blob/main.js" ] && exit 0
mkdir -p "$folder.new/none"
cd "$folder.new"
echo '{ "name": "none", "version": "1.0.0", "main": "index.js" }' >none/package.json
echo 'module.exports = {};' >none/index.js
cat >package.json <<EOF
{
  "private": true,
  "dependencies": { "azurite": "$version", "none": "file:./none" },
  "overrides": { "azurite": { "tedious": "\$none", "mysql2": "\$none" } }
}
EOF
npm install --ignore-scripts --omit=optional --no-audit --no-fund --no-package-lock --no-progress --loglevel=error
rm -rf "$folder"
mv "$folder.new" "$folder"
