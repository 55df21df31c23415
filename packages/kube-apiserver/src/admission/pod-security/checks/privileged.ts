import { namesWhere } from '../check.ts';
import type { Check, CheckPod } from '../check.ts';
import { containersText } from '../wording.ts';

const check: CheckPod = (pod) => {
  const bad = namesWhere(pod, ({ securityContext }) => securityContext?.privileged === true);
  return bad.length === 0
    ? undefined
    : { reason: 'privileged', detail: `${containersText(bad)} must not set securityContext.privileged=true` };
};

/** No container is privileged. */
export const privileged: Check = { id: 'privileged', level: 'baseline', revisions: [{ since: 0, check }] };
