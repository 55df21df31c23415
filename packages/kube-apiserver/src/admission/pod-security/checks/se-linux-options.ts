import type { SELinuxOptions } from '@kubechain/apimachinery/types/core/v1';
import { containersOf, namesWhere } from '../check.ts';
import type { Check, CheckPod } from '../check.ts';
import { plural, quoted, settersText, sortedOnce } from '../wording.ts';

const types1_0 = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const types1_31 = [...types1_0, 'container_engine_t'];

function onlyTypes(types: readonly string[]): CheckPod {
  const allowed: ReadonlySet<string> = new Set(types);
  const isBad = (options: SELinuxOptions | undefined): boolean =>
    options !== undefined && (!allowed.has(options.type ?? '') || isSet(options.user) || isSet(options.role));
  return (pod) => {
    const { spec } = pod;
    const setters = settersText(
      isBad(spec.securityContext?.seLinuxOptions),
      namesWhere(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions)),
    );
    if (setters === '') return undefined;
    const options = [spec.securityContext, ...containersOf(spec).map(({ securityContext }) => securityContext)].flatMap(
      (context) => context?.seLinuxOptions ?? [],
    );
    const badTypes = sortedOnce(options.map(({ type = '' }) => type).filter((type) => !allowed.has(type)));
    const details = [
      ...(badTypes.length > 0 ? [`${plural(badTypes.length, 'type')} ${quoted(badTypes)}`] : []),
      ...(options.some(({ user }) => isSet(user)) ? ['user may not be set'] : []),
      ...(options.some(({ role }) => isSet(role)) ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${setters} set forbidden securityContext.seLinuxOptions: ${details.join('; ')}`,
    };
  };
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}

/** SELinux types of containers only, and neither user nor role. */
export const seLinuxOptions: Check = {
  id: 'seLinuxOptions',
  level: 'baseline',
  revisions: [
    { since: 0, check: onlyTypes(types1_0) },
    { since: 31, check: onlyTypes(types1_31) },
  ],
};
