/**
 * What Linux's C library is told in each process of the chain, unless the user has told it otherwise: one place that
 * all threads take memory of, which is 1 MB less of each process (glibc's mallopt(3); other C libraries and systems
 * have no such variable).
 *
 *     name of a variable ─► its value
 */
const told: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };

/** The part of an environment, beside `given`. */
export function mallocEnvironment(given: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(told).filter(([name]) => given[name] === undefined));
}
