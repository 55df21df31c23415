import type { ReleaseAge } from '@kubechain/apimachinery';

/** Whether an expression may use only what the release before knows. */
export type IsFormer = (expression: string) => boolean;

const never: IsFormer = () => false;

/**
 * Expressions that must be readable by the release before: those of 1.34, which brought the functions of lists, unless
 * they are among what is `stored` already (cel/environment/environment.go, 1.34).
 */
export function formerExpressions(release: ReleaseAge, stored: Iterable<string | undefined>): IsFormer {
  if (release.since('1.35')) return never;
  const known = new Set(stored);
  return (expression) => !known.has(expression);
}
