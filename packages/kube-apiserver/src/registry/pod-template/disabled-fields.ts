import type {
  Container,
  EphemeralContainer,
  PodSpec,
  PodTemplateSpec,
  VolumeProjection,
} from '@kubechain/apimachinery/types/core/v1';
import { dropNewerFields } from './newer-fields.ts';

/**
 * Takes out of a pod what features that are off would use, unless the old pod has it already (dropDisabledFields of
 * pkg/api/pod, with the gates of 1.36 as they are by default).
 */
export function dropDisabledFields(spec: Partial<PodSpec> | undefined, old?: Partial<PodSpec>): void {
  if (spec === undefined) return;
  if (!projections(old).some(({ clusterTrustBundle }) => clusterTrustBundle !== undefined))
    for (const source of projections(spec)) delete source.clusterTrustBundle;
  if (!projections(old).some(({ podCertificate }) => podCertificate !== undefined))
    for (const source of projections(spec)) delete source.podCertificate;
  if (old?.schedulingGroup === undefined) delete spec.schedulingGroup;
  if (!allContainers(old).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined))
    for (const container of allContainers(spec)) dropStopSignal(container);
  dropNewerFields(spec, old);
}

/** The same for the template of a controller's pods. */
export function dropDisabledTemplateFields(template: PodTemplateSpec | undefined, old?: PodTemplateSpec): void {
  dropDisabledFields(template?.spec, old?.spec);
}

function allContainers(spec: Partial<PodSpec> | undefined): (Container | EphemeralContainer)[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
}

function projections(spec: Partial<PodSpec> | undefined): VolumeProjection[] {
  return (spec?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
}

function dropStopSignal(container: Pick<Container, 'lifecycle'>): void {
  if (container.lifecycle?.stopSignal === undefined) return;
  delete container.lifecycle.stopSignal;
  if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
}
