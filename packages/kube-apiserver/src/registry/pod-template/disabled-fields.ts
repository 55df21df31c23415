import type { Container, EphemeralContainer, PodSpec } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../capabilities.ts';
import { dropGatedFields } from '../gated-fields.ts';
import { gatedPodFields } from './gated-fields.ts';

/**
 * Takes out of a pod what features that are off would use, unless the old pod has it already (dropDisabledFields of
 * pkg/api/pod, 1.34 to 1.37).
 */
export function dropDisabledFields(
  spec: Partial<PodSpec> | undefined,
  { enabled }: Pick<Capabilities, 'enabled'>,
  old?: Partial<PodSpec>,
): void {
  if (spec === undefined) return;
  if (
    !enabled('ContainerStopSignals') &&
    !allContainers(old).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined)
  )
    for (const container of allContainers(spec)) dropStopSignal(container);
  if (!enabled('ContainerRestartRules') && !hasRestartRules(old)) dropRestartRules(spec);
  if (!enabled('ImageVolume') && !(old?.volumes ?? []).some(({ image }) => image !== undefined)) dropImageVolumes(spec);
  dropGatedFields(gatedPodFields, spec, { enabled, old });
}

/** Volumes that are images go, and where containers have them. */
function dropImageVolumes(spec: Partial<PodSpec>): void {
  const names = new Set((spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name }) => name));
  if (names.size === 0) return;
  spec.volumes = (spec.volumes ?? []).filter(({ name }) => !names.has(name));
  if (spec.volumes.length === 0) delete spec.volumes;
  for (const container of allContainers(spec)) {
    if (container.volumeMounts === undefined) continue;
    container.volumeMounts = container.volumeMounts.filter(({ name }) => !names.has(name));
    if (container.volumeMounts.length === 0) delete container.volumeMounts;
  }
}

function allContainers(spec: Partial<PodSpec> | undefined): (Container | EphemeralContainer)[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
}

function dropStopSignal(container: Pick<Container, 'lifecycle'>): void {
  if (container.lifecycle?.stopSignal === undefined) return;
  delete container.lifecycle.stopSignal;
  if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
}

/** Sidecars, which always start again, are another feature. */
const isSidecar = ({ restartPolicy }: Pick<Container, 'restartPolicy'>): boolean => restartPolicy === 'Always';

function hasRestartRules({ containers = [], initContainers = [] }: Partial<PodSpec> = {}): boolean {
  return (
    initContainers.some(
      (container) =>
        (container.restartPolicy !== undefined && !isSidecar(container)) ||
        (container.restartPolicyRules ?? []).length > 0,
    ) || containers.some(({ restartPolicy }) => restartPolicy !== undefined)
  );
}

function dropRestartRules(spec: Partial<PodSpec>): void {
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  for (const container of allContainers(spec)) {
    if (!sidecars.includes(container)) delete container.restartPolicy;
    delete container.restartPolicyRules;
  }
}
