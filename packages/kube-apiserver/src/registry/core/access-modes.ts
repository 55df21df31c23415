import { forbiddenValue, notSupported } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** How a volume may be mounted: in ways that are known, and ReadWriteOncePod alone (pkg/apis/core/validation, 1.36). */
export function validateAccessModes(modes: readonly string[] = [], path: FieldPath): FieldError[] {
  const mixed =
    modes.includes('ReadWriteOncePod') &&
    modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode));
  return [
    ...modes.filter((mode) => !accessModes.includes(mode)).map((mode) => notSupported(path, mode, accessModes)),
    ...(mixed ? [forbiddenValue(path, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}
