import { goQuote } from '@kubechain/apimachinery';
import type { FieldPath } from '@kubechain/apimachinery';
import type { Container, ContainerPort, PodAffinityTerm, PodSpec, PodTemplateSpec, WeightedPodAffinityTerm } from '@kubechain/apimachinery/types/core/v1';

const nullSelector = 'a null labelSelector results in matching no pod';

/**
 * What is allowed in a pod and yet probably not meant, as far as it is built: selectors that match nothing, variables
 * and ports that are defined twice (warningsForPodSpecAndMeta of pkg/api/pod/warnings.go, 1.36).
 * @param path that of the pod's or template's own fields, above `spec`
 */
export function podWarnings(spec: PodSpec | undefined, path: FieldPath): string[] {
  if (spec === undefined) return [];
  const specPath = path.child('spec');
  const warnings: string[] = [];
  (spec.topologySpreadConstraints ?? []).forEach((constraint, i) => {
    if (constraint.labelSelector === undefined) warnings.push(`${specPath.child('topologySpreadConstraints').index(i).child('labelSelector').toString()}: ${nullSelector}`);
  });
  const containers: readonly (readonly [Container, FieldPath])[] = (['initContainers', 'containers'] as const).flatMap((list) => (spec[list] ?? []).map((container, i) => [container, specPath.child(list).index(i)] as const));
  for (const [container, at] of containers) warnings.push(...repeatedVariables(container, at.child('env')));
  warnings.push(...repeatedPorts(containers));
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const affinity = spec.affinity?.[kind];
    const at = specPath.child('affinity', kind);
    warnings.push(
      ...requiredTerms(affinity?.requiredDuringSchedulingIgnoredDuringExecution, at.child('requiredDuringSchedulingIgnoredDuringExecution')),
      ...preferredTerms(affinity?.preferredDuringSchedulingIgnoredDuringExecution, at.child('preferredDuringSchedulingIgnoredDuringExecution')),
    );
  }
  return warnings;
}

/** The same for a template in a workload. */
export function templateWarnings(template: PodTemplateSpec | undefined, path: FieldPath): string[] {
  return podWarnings(template?.spec, path);
}

function requiredTerms(terms: readonly PodAffinityTerm[] | undefined, path: FieldPath): string[] {
  return (terms ?? []).flatMap((term, i) => (term.labelSelector === undefined ? [`${path.index(i).child('labelSelector').toString()}: ${nullSelector}`] : []));
}

function preferredTerms(terms: readonly WeightedPodAffinityTerm[] | undefined, path: FieldPath): string[] {
  return (terms ?? []).flatMap(({ podAffinityTerm }, i) => (podAffinityTerm?.labelSelector === undefined ? [`${path.index(i).child('podAffinityTerm', 'labelSelector').toString()}: ${nullSelector}`] : []));
}

/** A variable may be defined again in terms of itself, though not otherwise: patches keep one of them. */
function repeatedVariables(container: Container, path: FieldPath): string[] {
  const names = new Set<string>();
  return (container.env ?? []).flatMap((variable, i) => {
    const { name, value = '' } = variable;
    const own = `$(${name})`;
    const hides = names.has(name) && (variable.valueFrom !== undefined || value === own || !value.includes(own));
    names.add(name);
    return hides ? [`${path.index(i).toString()}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`] : [];
  });
}

function repeatedPorts(containers: readonly (readonly [Container, FieldPath])[]): string[] {
  const warnings: string[] = [];
  const seen = new Map<string, { readonly port: ContainerPort; readonly at: string }[]>();
  for (const [container, path] of containers) {
    (container.ports ?? []).forEach((port, i) => {
      const at = path.child('ports').index(i).toString();
      const key = `${port.containerPort}/${port.protocol ?? ''}`;
      const others = seen.get(key) ?? [];
      for (const other of others) {
        const sameHost = (port.hostIP ?? '') === (other.port.hostIP ?? '') && (port.hostPort ?? 0) === (other.port.hostPort ?? 0);
        if (sameHost) warnings.push(`${at}: duplicate port definition with ${other.at}`);
        else if (!port.hostPort || !other.port.hostPort) warnings.push(`${at}: overlapping port definition with ${other.at}`);
      }
      seen.set(key, [...others, { port, at }]);
    });
  }
  return warnings;
}
