import { goQuote, seccompContainerAnnotationPrefix, seccompPodAnnotation } from '@kubechain/apimachinery';
import { containersOf, exceptWindows, namesWhere } from '../check.ts';
import type { Check, CheckPod, Violation } from '../check.ts';
import { containersText, plural, quoted, settersText, sortedOnce } from '../wording.ts';
import { isUnconfined } from './profile-type.ts';

const reason = 'seccompProfile';

const annotationsAllowed: CheckPod = ({ metadata, spec }) => {
  const keys = [
    seccompPodAnnotation,
    ...containersOf(spec).map(({ name }) => `${seccompContainerAnnotationPrefix}${name}`),
  ];
  const bad = sortedOnce(
    keys.flatMap((key) => {
      const value = metadata?.annotations?.[key];
      return value === undefined ||
        value === 'runtime/default' ||
        value === 'docker/default' ||
        value.startsWith('localhost/')
        ? []
        : [`${key}=${goQuote(value)}`];
    }),
  );
  return bad.length === 0
    ? undefined
    : { reason, detail: `forbidden ${plural(bad.length, 'annotation')} ${bad.join(', ')}` };
};

const typesAllowed: CheckPod = (pod) => {
  const { spec } = pod;
  const setters = settersText(
    isUnconfined(spec.securityContext?.seccompProfile),
    namesWhere(pod, ({ securityContext }) => isUnconfined(securityContext?.seccompProfile)),
  );
  if (setters === '') return undefined;
  const types = [spec, ...containersOf(spec)]
    .map(({ securityContext }) => securityContext?.seccompProfile)
    .filter(isUnconfined)
    .map((profile) => profile?.type ?? '');
  return {
    reason,
    detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(sortedOnce(types))}`,
  };
};

const typesRequired: CheckPod = (pod): Violation | undefined => {
  const wrong = typesAllowed(pod);
  if (wrong !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return wrong;
  const silent = namesWhere(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  return silent.length === 0
    ? undefined
    : {
        reason,
        detail:
          `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or ` +
          '"Localhost"',
      };
};

/** The runtime's seccomp profile, or one of the node; by annotation before there was a field. */
export const seccompProfileBaseline: Check = {
  id: 'seccompProfile_baseline',
  level: 'baseline',
  revisions: [
    { since: 0, check: annotationsAllowed },
    { since: 19, check: typesAllowed },
  ],
};

const overrides = [seccompProfileBaseline.id];

/** The same, and it must be said. */
export const seccompProfileRestricted: Check = {
  id: 'seccompProfile_restricted',
  level: 'restricted',
  revisions: [
    { since: 19, check: typesRequired, overrides },
    { since: 25, check: exceptWindows(typesRequired), overrides },
  ],
};
