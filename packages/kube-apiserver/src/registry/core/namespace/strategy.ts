import { nameIsDNSLabel } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver/resources';
import { metadataNameLabel } from './defaults.ts';
import { copyField, specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateNamespace, validateNamespaceFinalize, validateNamespaceStatus } from './validation.ts';

/** Value of spec.finalizers that a namespace controller removes when the namespace is empty. */
const kubernetesFinalizer = 'kubernetes';

/** spec.finalizers of a namespace. */
export function specFinalizers(namespace: KubeObject): readonly string[] {
  return (namespace['spec'] as { finalizers?: string[] } | undefined)?.finalizers ?? [];
}

/**
 * Namespaces: active from the start, with the finalizer that keeps them until they are empty
 * (pkg/registry/core/namespace/strategy.go, 1.36).
 */
export const namespaceStrategy: Strategy = {
  ...specStrategy({
    status: true,
    validateName: nameIsDNSLabel,
    ...validated({ create: validateNamespace }),
    prepareForCreate(namespace) {
      namespace['status'] = { phase: 'Active' };
      const finalizers = specFinalizers(namespace);
      if (!finalizers.includes(kubernetesFinalizer))
        namespace['spec'] = {
          ...(namespace['spec'] as object | undefined),
          finalizers: [...finalizers, kubernetesFinalizer],
        };
    },
    prepareForUpdate(namespace, old) {
      copyField(old, namespace, 'spec');
    },
  }),
  canonicalize: setNameLabel,
};

function setNameLabel(namespace: KubeObject): void {
  if (namespace.metadata === undefined) return;
  namespace.metadata.labels = { ...namespace.metadata.labels, [metadataNameLabel]: namespace.metadata.name ?? '' };
}

/** Namespace's status endpoint. */
export const namespaceStatusStrategy = statusStrategy({
  hooks: { canonicalize: setNameLabel, ...validated({ update: validateNamespaceStatus }) },
});

/** The finalize endpoint: changes spec.finalizers and nothing else outside metadata. */
export const namespaceFinalizeStrategy: Strategy = {
  resetFields: ['status'],
  prepareForUpdate(namespace, old) {
    copyField(old, namespace, 'status');
  },
  ...validated({ update: validateNamespaceFinalize }),
  canonicalize: setNameLabel,
};
