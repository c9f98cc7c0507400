/**
 * Tells zod, which some pages load later, not to generate code: the content security policy forbids it, and browsers report the attempt.
 * zod reads this object when it is loaded.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
