/**
 * The symbols of `using` and `await using`, where the platform lacks them: in the contexts that some test runners make, also on a Node that
 * has them. Compilers that lower the syntax look for the same registered symbols.
 */
for (const name of ["dispose", "asyncDispose"] as const) {
  if (!(name in Symbol)) {
    Object.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
  }
}
