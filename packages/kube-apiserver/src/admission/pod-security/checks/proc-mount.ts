import { containersOf, exceptUserNamespaces, namesWhere } from '../check.ts';
import type { AnyContainer, Check, CheckPod } from '../check.ts';
import { containersText, quoted, sortedOnce } from '../wording.ts';

const badTypeOf = ({ securityContext }: AnyContainer): string | undefined =>
  securityContext?.procMount === 'Default' ? undefined : securityContext?.procMount;

const mustBeDefault: CheckPod = (pod) => {
  const bad = namesWhere(pod, (container) => badTypeOf(container) !== undefined);
  if (bad.length === 0) return undefined;
  const types = sortedOnce(containersOf(pod.spec).flatMap((container) => badTypeOf(container) ?? []));
  return {
    reason: 'procMount',
    detail: `${containersText(bad)} must not set securityContext.procMount to ${quoted(types)}`,
  };
};

/** The masks of /proc stay; since 1.35 pods in user namespaces may do without. */
export const procMountBaseline: Check = {
  id: 'procMount',
  level: 'baseline',
  revisions: [
    { since: 0, check: mustBeDefault },
    { since: 35, check: exceptUserNamespaces(mustBeDefault) },
  ],
};

/** The masks of /proc stay, in user namespaces as well. */
export const procMountRestricted: Check = {
  id: 'procMount_restricted',
  level: 'restricted',
  revisions: [{ since: 35, check: mustBeDefault, overrides: [procMountBaseline.id] }],
};
