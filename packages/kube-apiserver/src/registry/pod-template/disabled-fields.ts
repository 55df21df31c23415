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
  if (!allContainers(old).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined))
    for (const container of allContainers(spec)) dropStopSignal(container);
  if (!enabled('ContainerRestartRules') && !hasRestartRules(old)) dropRestartRules(spec);
  dropGatedFields(gatedPodFields, spec, { enabled, old });
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
