import { FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Namespace } from '@kubechain/apimachinery/types/core/v1';
import { validateFinalizerName } from '../../validation/finalizers.ts';

const finalizersPath = FieldPath.of('spec', 'finalizers');
const phasePath = FieldPath.of('status', 'Phase');

/** Rules of namespaces (ValidateNamespace of pkg/apis/core/validation, 1.36). */
export function validateNamespace(namespace: Namespace): FieldError[] {
  return (namespace.spec?.finalizers ?? []).flatMap((finalizer) => validateFinalizerName(finalizersPath, finalizer));
}

/** Rules of the finalize endpoint. */
export function validateNamespaceFinalize(namespace: Namespace): FieldError[] {
  return (namespace.spec?.finalizers ?? []).flatMap((finalizer, i) =>
    validateFinalizerName(finalizersPath.index(i), finalizer),
  );
}

/** The phase follows from the deletion timestamp. */
export function validateNamespaceStatus(namespace: Namespace): FieldError[] {
  const phase = namespace.status?.phase ?? '';
  const dying = Boolean(namespace.metadata?.deletionTimestamp);
  if (phase === (dying ? 'Terminating' : 'Active')) return [];
  return [
    invalidValue(
      phasePath,
      phase,
      dying
        ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
        : "may only be 'Active' if `deletionTimestamp` is empty",
    ),
  ];
}
