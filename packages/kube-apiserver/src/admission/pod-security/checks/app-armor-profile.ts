import { appArmorContainerAnnotationPrefix, goQuote } from '@kubechain/apimachinery';
import { containersOf, namesWhere } from '../check.ts';
import type { Check, CheckPod } from '../check.ts';
import { plural, quoted, settersText, sortedOnce } from '../wording.ts';
import { isUnconfined } from './profile-type.ts';

const check: CheckPod = (pod) => {
  const { metadata, spec } = pod;
  const podIsBad = isUnconfined(spec.securityContext?.appArmorProfile);
  const containers = namesWhere(pod, ({ securityContext }) => isUnconfined(securityContext?.appArmorProfile));
  const annotations = Object.entries(metadata?.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorContainerAnnotationPrefix) && !allowsAnnotation(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`);
  if (!podIsBad && containers.length === 0 && annotations.length === 0) return undefined;
  const types = [spec, ...containersOf(spec)]
    .map(({ securityContext }) => securityContext?.appArmorProfile)
    .filter(isUnconfined)
    .map((profile) => profile?.type ?? '');
  const values = [...sortedOnce(types), ...sortedOnce(annotations)];
  const setters = [
    settersText(podIsBad, containers),
    annotations.length > 0 ? plural(annotations.length, 'annotation') : '',
  ].filter((text) => text !== '');
  return {
    reason: plural(values.length, 'forbidden AppArmor profile'),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

function allowsAnnotation(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

/** The runtime's AppArmor profile, or one of the node, by field or by the older annotations. */
export const appArmorProfile: Check = { id: 'appArmorProfile', level: 'baseline', revisions: [{ since: 0, check }] };
