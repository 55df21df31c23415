import { exceptUserNamespaces, namesWhere } from '../check.ts';
import type { Check, CheckPod } from '../check.ts';
import { containersText, settersText } from '../wording.ts';

const notRoot: CheckPod = (pod) => {
  const reason = 'runAsNonRoot != true';
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const setters = settersText(
    ofPod === false,
    namesWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false),
  );
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  const silent =
    ofPod === true ? [] : namesWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  return silent.length === 0
    ? undefined
    : { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
};

const notUserZero: CheckPod = (pod) => {
  const setters = settersText(
    pod.spec.securityContext?.runAsUser === 0,
    namesWhere(pod, ({ securityContext }) => securityContext?.runAsUser === 0),
  );
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
};

/** Containers say, or their pod says for them, that they do not run as root. */
export const runAsNonRoot: Check = {
  id: 'runAsNonRoot',
  level: 'restricted',
  revisions: [
    { since: 0, check: notRoot },
    { since: 35, check: exceptUserNamespaces(notRoot) },
  ],
};

/** Nothing asks for user 0. */
export const runAsUser: Check = {
  id: 'runAsUser',
  level: 'restricted',
  revisions: [
    { since: 23, check: notUserZero },
    { since: 35, check: exceptUserNamespaces(notUserZero) },
  ],
};
