import { exceptWindows, namesWhere } from '../check.ts';
import type { Check, CheckPod } from '../check.ts';
import { containersText } from '../wording.ts';

const mustBeFalse: CheckPod = (pod) => {
  const bad = namesWhere(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  return bad.length === 0
    ? undefined
    : {
        reason: 'allowPrivilegeEscalation != false',
        detail: `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`,
      };
};

/** Containers must say that they gain no privileges; the field is as old as 1.8. */
export const allowPrivilegeEscalation: Check = {
  id: 'allowPrivilegeEscalation',
  level: 'restricted',
  revisions: [
    { since: 8, check: mustBeFalse },
    { since: 25, check: exceptWindows(mustBeFalse) },
  ],
};
