/** Style sheets are bundled; their import has no value. */
declare module "*.css";
