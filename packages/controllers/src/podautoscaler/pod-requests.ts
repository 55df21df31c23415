import { Quantity } from '@kubechain/apimachinery';
import type { Container, Pod } from '@kubechain/apimachinery/types/core/v1';

/**
 * What each pod requests of a resource, in thousandths: of the pod itself where it says so, else of all its containers,
 * or of one (calculateRequests, 1.36).
 * @throws Error that names what is missing
 */
export function podRequests(
  pods: readonly Pod[],
  { container = '', resource }: { readonly resource: string; readonly container?: string },
): ReadonlyMap<string, number> {
  return new Map(
    pods.map((pod) => {
      const own = container === '' ? pod.spec?.resources?.requests : undefined;
      const milli =
        own === undefined || Object.keys(own).length === 0
          ? ofContainers(pod, resource, container)
          : (milliOf(own[resource]) ?? ofContainers(pod, resource, container));
      return [pod.metadata?.name ?? '', milli];
    }),
  );
}

function ofContainers({ metadata, spec }: Pod, resource: string, container: string): number {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const all: readonly Container[] = [...(spec?.containers ?? []), ...sidecars];
  const counted = container === '' ? all : all.filter(({ name }) => name === container);
  const pod = metadata?.name ?? '';
  if (container !== '' && counted.length === 0) throw new Error(`container ${container} not found in Pod ${pod}`);
  return counted.reduce((sum, { name, resources }) => {
    const milli = milliOf(resources?.requests?.[resource]);
    if (milli === undefined) throw new Error(`missing request for ${resource} in container ${name} of Pod ${pod}`);
    return sum + milli;
  }, 0);
}

function milliOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(Quantity.parse(text).milliValue());
}
