import { goQuote, isQualifiedName, isStandardFinalizer } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';

const field = 'metadata.finalizers';

/**
 * Warnings about finalizers that an object did not have before, sorted (pkg/registry/customresource/validator.go,
 * 1.36).
 */
export function finalizerWarnings(object: KubeObject, old?: KubeObject): string[] {
  const before = new Set(old?.metadata?.finalizers);
  const added = [...new Set(object.metadata?.finalizers)].filter((finalizer) => !before.has(finalizer)).toSorted();
  return added.flatMap((finalizer) => {
    const warnings = isQualifiedName(finalizer).map((message) => `${field}: ${goQuote(finalizer)}: ${message}`);
    if (!finalizer.includes('/') && !isStandardFinalizer(finalizer)) {
      warnings.push(
        `${field}: ${goQuote(finalizer)}: prefer a domain-qualified finalizer name ` +
          `${finalizer.includes('.') ? 'including a path (/) ' : ''}to avoid accidental conflicts with other ` +
          'finalizer writers',
      );
    }
    return warnings;
  });
}
