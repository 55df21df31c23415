import type { KubeObject } from '@kubechain/apimachinery';
import { Quantity } from '@kubechain/apimachinery';

type Resources = {
  readonly requests?: Record<string, string | number>;
  readonly limits?: Record<string, string | number>;
};
type PodSpec = {
  readonly containers?: readonly { readonly resources?: Resources }[];
  readonly initContainers?: readonly { readonly resources?: Resources }[];
  readonly resources?: Resources;
};

const computed = new Set(['cpu', 'memory']);

/**
 * status.qosClass of a pod: from the cpu and memory requests and limits of its containers (pkg/apis/core/helper/qos,
 * 1.36).
 */
export function qualityOfService(pod: KubeObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const spec = (pod['spec'] ?? {}) as PodSpec;
  const groups =
    spec.resources !== undefined
      ? [spec.resources]
      : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((container) => container.resources ?? {});
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let guaranteed = true;
  for (const resources of groups) {
    for (const [name, value] of positive(resources.requests))
      requests.set(name, requests.get(name)?.add(value) ?? value);
    const limited = positive(resources.limits);
    for (const [name, value] of limited) limits.set(name, limits.get(name)?.add(value) ?? value);
    if (!limited.has('cpu') || !limited.has('memory')) guaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  if (guaranteed) for (const [name, value] of requests) if (limits.get(name)?.compare(value) !== 0) guaranteed = false;
  return guaranteed && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

function positive(list: Record<string, string | number> | undefined): Map<string, Quantity> {
  const found = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(list ?? {})) {
    if (!computed.has(name)) continue;
    const value = Quantity.parse(String(text));
    if (value.sign > 0) found.set(name, value);
  }
  return found;
}
