import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { Node } from '@kubechain/apimachinery/types/core/v1';
import type { ResourceSlice } from '@kubechain/apimachinery/types/resource/v1';
import { semanticEqual } from '../../registry/semantic-equal.ts';
import type { NodeWrite } from './node-write.ts';

/** Labels of Kubernetes' own that a kubelet sets (pkg/kubelet/apis/well_known_labels.go, 1.36). */
const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const kubeletLabelDomains: readonly string[] = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/** A node writes its own Node, and none of what steers pods to it. */
export function checkNode({ attributes, node }: NodeWrite): void {
  const who = JSON.stringify(node);
  const refuse = (reason: string): Error => admissionForbidden(attributes, reason);
  if (attributes.name !== node)
    throw refuse(`node ${who} is not allowed to modify node ${JSON.stringify(attributes.name)}`);
  if (attributes.operation === 'CREATE') {
    const { metadata, spec } = attributes.object as Node;
    if (spec?.configSource !== undefined)
      throw refuse(`node ${who} is not allowed to create pods with a non-nil configSource`);
    const labels = forbiddenLabels(metadata?.labels ?? {}, {});
    if (labels.length > 0) throw refuse(`node ${who} is not allowed to set the following labels: ${labels.join(', ')}`);
  }
  if (attributes.operation === 'UPDATE') {
    const { metadata, spec } = attributes.object as Node;
    const old = attributes.oldObject as Node;
    if (spec?.configSource !== undefined && !semanticEqual(spec.configSource, old.spec?.configSource))
      throw refuse(`node ${who} is not allowed to update configSource to a new non-nil configSource`);
    if (!semanticEqual(spec?.taints ?? [], old.spec?.taints ?? []))
      throw refuse(`node ${who} is not allowed to modify taints`);
    if (!semanticEqual(metadata?.ownerReferences ?? [], old.metadata?.ownerReferences ?? []))
      throw refuse(`node ${who} is not allowed to modify ownerReferences`);
    const labels = forbiddenLabels(metadata?.labels ?? {}, old.metadata?.labels ?? {});
    if (labels.length > 0) throw refuse(`is not allowed to modify labels: ${labels.join(', ')}`);
  }
}

/** A node's lease has its name, and is where such leases are. */
export function checkLease(write: NodeWrite): void {
  if (write.attributes.namespace !== 'kube-node-lease')
    throw admissionForbidden(write.attributes, 'can only access leases in the "kube-node-lease" system namespace');
  if (nameOf(write) !== write.node)
    throw admissionForbidden(write.attributes, 'can only access node lease with the same name as the requesting node');
}

export function checkCSINode(write: NodeWrite): void {
  if (nameOf(write) !== write.node)
    throw admissionForbidden(write.attributes, 'can only access CSINode with the same name as the requesting node');
}

/** The authorizer looks at updates; it knows neither the content of what is created nor what a collection has. */
export function checkResourceSlice({ attributes, node }: NodeWrite): void {
  if (attributes.operation !== 'CREATE' && attributes.operation !== 'DELETE') return;
  const [object, verb] =
    attributes.operation === 'CREATE' ? [attributes.object, 'create'] : [attributes.oldObject, 'delete'];
  if ((object as ResourceSlice | undefined)?.spec.nodeName !== node)
    throw admissionForbidden(
      attributes,
      `can only ${verb} ResourceSlice with the same NodeName as the requesting node`,
    );
}

function nameOf({ attributes }: NodeWrite): string {
  return attributes.operation === 'CREATE' ? (attributes.object?.metadata?.name ?? '') : attributes.name;
}

/** Labels that differ and are not a kubelet's to set, sorted. */
function forbiddenLabels(
  labels: Readonly<Record<string, string>>,
  old: Readonly<Record<string, string>>,
): readonly string[] {
  const changed = [...new Set([...Object.keys(labels), ...Object.keys(old)])].filter((key) => labels[key] !== old[key]);
  return changed
    .filter(
      (key) =>
        isIn(domainOf(key), 'node-restriction.kubernetes.io') || (isKubernetesLabel(key) && !isKubeletLabel(key)),
    )
    .toSorted();
}

function domainOf(label: string): string {
  const slash = label.indexOf('/');
  return slash < 0 ? '' : label.slice(0, slash);
}

function isIn(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

function isKubernetesLabel(label: string): boolean {
  return isIn(domainOf(label), 'kubernetes.io') || isIn(domainOf(label), 'k8s.io');
}

function isKubeletLabel(label: string): boolean {
  return kubeletLabels.has(label) || kubeletLabelDomains.some((domain) => isIn(domainOf(label), domain));
}
