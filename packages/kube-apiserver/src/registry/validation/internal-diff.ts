import { goJSON } from '@kubechain/apimachinery';
import { indentedJSON } from './indented-json.ts';
import { internalForm } from './internal-form.ts';
import type { InternalType, InternalTypes } from './internal-form.ts';
import { unifiedDiff } from './unified-diff.ts';

/**
 * What has changed between two values of an internal type, as error texts show it (diff.Diff of apimachinery, 1.36).
 */
export function internalDiff(
  type: InternalType,
  { after, before }: { readonly before: unknown; readonly after: unknown },
  types?: InternalTypes,
): string {
  return unifiedDiff(pretty(type, before, types), pretty(type, after, types));
}

function pretty(type: InternalType, value: unknown, types?: InternalTypes): string {
  return indentedJSON(goJSON(internalForm(type, value, types)));
}
