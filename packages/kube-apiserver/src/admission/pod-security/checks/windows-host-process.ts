import { namesWhere } from '../check.ts';
import type { Check, CheckPod } from '../check.ts';
import { settersText } from '../wording.ts';

const check: CheckPod = (pod) => {
  const setters = settersText(
    pod.spec.securityContext?.windowsOptions?.hostProcess === true,
    namesWhere(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true),
  );
  return setters === ''
    ? undefined
    : { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
};

/** No processes of the Windows node itself. */
export const windowsHostProcess: Check = {
  id: 'windowsHostProcess',
  level: 'baseline',
  revisions: [{ since: 0, check }],
};
