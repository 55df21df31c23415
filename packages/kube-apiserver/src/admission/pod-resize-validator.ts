import { Quantity, goQuote } from '@kubechain/apimachinery';
import { aggregateContainerResources } from '@kubechain/component-helpers';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Node, Pod, PodSpec } from '@kubechain/apimachinery/types/core/v1';
import type { ObjectLookup } from './object-lookup.ts';

const zero = Quantity.parse('0');

/** Refuses resizes that the node of a pod has no room for (plugin/pkg/admission/podresize, 1.36). */
export class PodResizeValidator implements AdmissionPlugin {
  readonly name = 'PodResizeValidator';
  readonly #nodes: ObjectLookup;

  constructor(nodes: ObjectLookup) {
    this.#nodes = nodes;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'UPDATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, oldObject, resource, subresource } = attributes;
    if (resource.group !== '' || resource.resource !== 'pods' || subresource !== 'resize') return;
    const { metadata, spec } = object as Pod;
    const name = spec?.nodeName ?? '';
    // The generation counts changes of the spec.
    if (spec === undefined || name === '' || oldObject?.metadata?.generation === metadata?.generation) return;
    const node = (await this.#nodes.get(name)) as Node | undefined;
    if (node === undefined) throw admissionForbidden(attributes, `node ${goQuote(name)} not found`);
    const system = node.metadata?.labels?.['kubernetes.io/os'] ?? 'linux';
    if (system !== 'linux')
      throw admissionForbidden(
        attributes,
        `pod resize is only supported on linux nodes, node ${goQuote(name)} is ${goQuote(system)}`,
        [{ reason: 'UnsupportedPlatform' }],
      );
    const lacking = lackOf(spec, node.status?.allocatable ?? {});
    if (lacking.length > 0)
      throw admissionForbidden(attributes, `node didn't have enough allocatable resources: ${lacking.join('; ')}`, [
        { reason: 'NodeCapacity' },
      ]);
  }
}

function lackOf(spec: PodSpec, allocatable: Readonly<Record<string, string>>): readonly string[] {
  const requested = requestsOf(spec);
  const lack = (resource: 'cpu' | 'memory', shown: (quantity: Quantity) => bigint): readonly string[] => {
    const wanted = requested(resource);
    const has = Quantity.parse(allocatable[resource] ?? '0');
    return wanted.compare(has) > 0 ? [`${resource}, requested: ${shown(wanted)}, allocatable: ${shown(has)}`] : [];
  };
  return [...lack('cpu', (quantity) => quantity.milliValue()), ...lack('memory', (quantity) => quantity.wholeValue())];
}

/** What the pod asks for: as a whole where it says so, and its overhead (PodRequests of component-helpers, 1.36). */
function requestsOf(spec: PodSpec): (resource: string) => Quantity {
  const containers = aggregateContainerResources(spec, 'requests');
  return (resource) => {
    const whole = spec.resources?.requests?.[resource];
    const requested = whole === undefined ? (containers.get(resource) ?? zero) : Quantity.parse(whole);
    const overhead = spec.overhead?.[resource];
    return overhead === undefined ? requested : requested.add(Quantity.parse(overhead));
  };
}
