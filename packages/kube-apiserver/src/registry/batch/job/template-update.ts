import { FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import type { Affinity, Container, PodSpec } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../capabilities.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';

const path = FieldPath.of('spec', 'template');

/**
 * What may change in a job's pods: where they go and what they ask for, and only while the job is suspended and has
 * none (validatePodTemplateUpdate, 1.36).
 */
export function validateTemplateUpdate({ spec }: Job, old: Job, { internalTypes }: Capabilities): FieldError[] {
  const template = spec?.template ?? {};
  const before = old.spec?.template ?? {};
  const suspended = old.spec?.suspend === true;
  if (!suspended || !isIdle(old))
    return semanticEqual(template, before)
      ? []
      : [immutableValue(path, internalForm('core.PodTemplateSpec', template, internalTypes))];
  const now = template.spec;
  const expected = withResources(placed(now, before.spec), now);
  return semanticEqual(now, expected)
    ? []
    : [immutableValue(path.child('spec'), internalForm('core.PodSpec', now, internalTypes))];
}

const immutableValue = (at: FieldPath, value: unknown): FieldError => invalidValue(at, value, 'field is immutable');

/** Nothing of it runs, nor will before it is resumed. */
function isIdle({ status }: Job): boolean {
  return (
    (status?.active ?? 0) === 0 &&
    (status?.startTime === undefined ||
      (status.conditions ?? []).some(({ type, status: value }) => type === 'Suspended' && value === 'True'))
  );
}

/** The old pods with the placement of the new ones. */
function placed(now: PodSpec | undefined, old: PodSpec | undefined): Partial<PodSpec> {
  const { nodeSelector, schedulingGates, tolerations } = now ?? ({} as Partial<PodSpec>);
  return {
    ...old,
    nodeSelector,
    schedulingGates,
    tolerations,
    affinity: affinityWithNodes(now?.affinity, old?.affinity),
  } as Partial<PodSpec>;
}

/** The old affinity with the new one's nodes; it may go as a whole if nodes were all that it was about. */
function affinityWithNodes(now: Affinity | undefined, old: Affinity | undefined): Affinity | undefined {
  const { nodeAffinity: _nodes, ...rest } = old ?? {};
  if (now === undefined) return Object.keys(rest).length === 0 ? undefined : rest;
  return now.nodeAffinity === undefined ? rest : { ...rest, nodeAffinity: now.nodeAffinity };
}

/** The old pods with the resources of the new ones, where the containers are the same. */
function withResources(old: Partial<PodSpec>, now: PodSpec | undefined): Partial<PodSpec> {
  const take = (before: readonly Container[] = [], after: readonly Container[] = []): readonly Container[] => {
    if (before.length !== after.length) return before;
    return before.map((container, i) => {
      const { resources: _resources, ...rest } = container;
      return after[i]?.name === container.name
        ? { ...rest, ...(after[i].resources === undefined ? {} : { resources: after[i].resources }) }
        : container;
    });
  };
  return {
    ...old,
    containers: take(old.containers, now?.containers) as Container[],
    initContainers: take(old.initContainers, now?.initContainers) as Container[],
  };
}
