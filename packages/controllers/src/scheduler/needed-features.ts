import type { Container, Pod } from '@kubechain/apimachinery/types/core/v1';

/** What nodes must have declared so that a pod can run there (component-helpers/nodedeclaredfeatures, 1.36). */
export function neededFeatures({ spec }: Pod): readonly string[] {
  const restartsAll = ({ restartPolicyRules = [] }: Container): boolean =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers');
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return [
    ...(containers.some(restartsAll) ? ['RestartAllContainersOnContainerExits'] : []),
    ...(spec?.hostNetwork === true && spec.hostUsers === false ? ['UserNamespacesHostNetworkSupport'] : []),
  ];
}
