import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import { goQuote } from '@kubechain/apimachinery';
import { semanticEqual } from '../registry/semantic-equal.ts';
import type { ObjectLookup } from './object-lookup.ts';

type PodSpec = NonNullable<Pod['spec']>;

/**
 * Features that an update may need of the node, in the order of their names (component-helpers/nodedeclaredfeatures).
 */
const features: readonly (readonly [name: string, needed: (old: PodSpec, now: PodSpec) => boolean])[] = [
  ['InPlacePodLevelResourcesVerticalScaling', (old, now) => !semanticEqual(old.resources, now.resources)],
  [
    'InPlacePodVerticalScalingInitContainers',
    (old, now) =>
      (old.initContainers ?? []).some(
        ({ resources, restartPolicy }, i) =>
          restartPolicy !== 'Always' && !semanticEqual(resources, now.initContainers?.[i]?.resources),
      ),
  ],
];

/**
 * Refuses updates of pods that their node does not declare to be able to follow
 * (plugin/pkg/admission/nodedeclaredfeatures, 1.36).
 */
export class NodeDeclaredFeatureValidator implements AdmissionPlugin {
  readonly name = 'NodeDeclaredFeatureValidator';
  readonly #enabled: boolean;
  readonly #nodes: ObjectLookup;

  /** `enabled`: the feature gate NodeDeclaredFeatures. */
  constructor({ enabled, nodes }: { readonly enabled: boolean; readonly nodes: ObjectLookup }) {
    this.#enabled = enabled;
    this.#nodes = nodes;
  }

  handles(operation: AdmissionOperation): boolean {
    return this.#enabled && operation === 'UPDATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, oldObject, resource, subresource } = attributes;
    if (resource.group !== '' || resource.resource !== 'pods' || !['', 'resize'].includes(subresource)) return;
    const pod = object as Pod;
    const old = oldObject as Pod;
    const nodeName = pod.spec?.nodeName ?? '';
    // The generation counts changes of the spec.
    if (nodeName === '' || old.metadata?.generation === pod.metadata?.generation) return;
    const needed = features
      .filter(([, isNeeded]) => isNeeded(old.spec ?? ({} as PodSpec), pod.spec ?? ({} as PodSpec)))
      .map(([name]) => name);
    if (needed.length === 0) return;
    const node = await this.#nodes.get(nodeName);
    if (node === undefined) throw admissionForbidden(attributes, `node ${goQuote(nodeName)} not found`);
    const { declaredFeatures = [] } = (node['status'] ?? {}) as { readonly declaredFeatures?: readonly string[] };
    const missing = needed.filter((name) => !declaredFeatures.includes(name));
    if (missing.length > 0)
      throw admissionForbidden(
        attributes,
        `pod update requires features ${missing.join(', ')} which are not available on node ${goQuote(nodeName)}`,
      );
  }
}
