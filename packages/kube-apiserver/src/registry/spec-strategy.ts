import { hasEmptied, wasEmptied } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from './capabilities.ts';
import { dropDisabledFields } from './pod-template/disabled-fields.ts';
import { semanticEqual } from './semantic-equal.ts';

/** What is usual about the main endpoint of a built-in resource. */
export interface SpecStrategyOptions extends Strategy {
  /**
   * metadata.generation starts at 1 and grows when this field changes; `spec+annotations`: also when annotations do;
   * `object`: when anything outside metadata and status changes, `object+labels`: or labels; `creation`: never. Absent:
   * the resource has no generation.
   */
  readonly generation?: 'spec' | 'spec+annotations' | 'template' | 'webhooks' | 'object' | 'object+labels' | 'creation';
  /**
   * An update that gives lists or maps without entries counts as a change: the reference compares with
   * reflect.DeepEqual.
   */
  readonly exactGeneration?: boolean;
  /** The template of the pods that objects of the kind make, and what the server lets pods ask for. */
  readonly pods?: {
    readonly template: (object: KubeObject) => PodTemplateSpec | undefined;
    readonly capabilities: Capabilities;
  };
  /** The resource has a status that only its status endpoint changes; `created`: but who creates it may set it. */
  readonly status?: boolean | 'created';
}

/**
 * A Strategy that keeps status and generation as most of upstream's strategies do (pkg/registry/*\/strategy.go, 1.36),
 * then runs the hooks given in `options`.
 */
export function specStrategy(options: SpecStrategyOptions = {}): Strategy {
  const { exactGeneration = false, generation, pods, status = false, ...hooks } = options;
  return {
    ...(status !== false ? { resetFields: ['status'] } : {}),
    ...hooks,
    prepareForCreate(object, context) {
      if (status === true) delete object['status'];
      if (pods !== undefined) dropDisabledFields(pods.template(object)?.spec, pods.capabilities);
      if (generation !== undefined && object.metadata !== undefined) object.metadata.generation = 1;
      return hooks.prepareForCreate?.(object, context);
    },
    prepareForUpdate(object, old, context) {
      if (status !== false) copyField(old, object, 'status');
      if (pods !== undefined)
        dropDisabledFields(pods.template(object)?.spec, pods.capabilities, pods.template(old)?.spec);
      const result = hooks.prepareForUpdate?.(object, old, context);
      if (generation !== undefined && generation !== 'creation' && object.metadata !== undefined) {
        const changed =
          hasChanged(generation, object, old) ||
          (exactGeneration && (wasEmptied(object, generation) || hasEmptied(object[generation])));
        object.metadata.generation = (old.metadata?.generation ?? 0) + (changed ? 1 : 0);
      }
      return result;
    },
  };
}

export interface StatusStrategyOptions {
  /** Labels are the main endpoint's alone. */
  readonly keepLabels?: boolean;
  /**
   * Metadata is the main endpoint's: what metav1.ResetObjectMetaForStatus resets, or (`whole`) all but managedFields.
   */
  readonly resetMetadata?: boolean | 'whole';
  /** Fields besides `spec` that stay as they are. */
  readonly keep?: readonly string[];
  readonly hooks?: Strategy;
}

/** The Strategy of a status endpoint: everything but status stays as it is. */
export function statusStrategy(options: StatusStrategyOptions = {}): Strategy {
  const kept = ['spec', ...(options.keep ?? [])];
  const { resetMetadata = false } = options;
  const metadata = resetMetadata !== false ? ['metadata'] : options.keepLabels === true ? ['metadata.labels'] : [];
  return {
    allowUnconditionalUpdate: true,
    ...options.hooks,
    resetFields: [...kept, ...metadata],
    prepareForUpdate(object, old, context) {
      for (const field of kept) copyField(old, object, field);
      if (resetMetadata === 'whole') resetWholeMetadata(object, old);
      else if (resetMetadata) resetMetadataForStatus(object, old);
      else if (options.keepLabels === true) copyMetadata(old, object, 'labels');
      return options.hooks?.prepareForUpdate?.(object, old, context);
    },
  };
}

/** Whether an update changes what the generation counts. */
export function hasChanged(
  generation: 'spec' | 'spec+annotations' | 'template' | 'webhooks' | 'object' | 'object+labels',
  object: KubeObject,
  old: KubeObject,
): boolean {
  switch (generation) {
    case 'object':
      return !semanticEqual(payload(object), payload(old));
    case 'object+labels':
      return (
        !semanticEqual(payload(object), payload(old)) || !semanticEqual(object.metadata?.labels, old.metadata?.labels)
      );
    case 'spec+annotations':
      return (
        !semanticEqual(object['spec'], old['spec']) ||
        !semanticEqual(object.metadata?.annotations, old.metadata?.annotations)
      );
    default:
      return !semanticEqual(object[generation], old[generation]);
  }
}

function payload(object: KubeObject): KubeObject {
  const { metadata: _metadata, status: _status, ...rest } = object;
  return rest;
}

/** Makes a top-level field of `to` what it is in `from`, absent included. */
export function copyField(from: KubeObject, to: KubeObject, field: string): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = from[field];
}

const statusMetadata = [
  'deletionTimestamp',
  'generation',
  'selfLink',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const;

/** Metadata that is not a status's becomes what it was (metav1.ResetObjectMetaForStatus). */
export function resetMetadataForStatus(object: KubeObject, old: KubeObject): void {
  for (const field of statusMetadata) copyMetadata(old, object, field);
}

/** All metadata but managedFields becomes what it was, names and versions included. */
function resetWholeMetadata(object: KubeObject, old: KubeObject): void {
  const metadata = (object.metadata ??= {}) as Record<string, unknown>;
  for (const field of Object.keys(metadata)) if (field !== 'managedFields') delete metadata[field];
  const { managedFields: _managed, ...rest } = old.metadata ?? {};
  Object.assign(metadata, rest);
}

function copyMetadata(from: KubeObject, to: KubeObject, field: (typeof statusMetadata)[number]): void {
  if (to.metadata === undefined) return;
  const value = from.metadata?.[field];
  if (value === undefined) delete to.metadata[field];
  else Object.assign(to.metadata, { [field]: value });
}
