import { internalForm } from './internal-form.ts';
import type { InternalType, InternalTypes } from './internal-form.ts';
import { unifiedDiff } from './unified-diff.ts';

const htmlEscapes = /[<>&\u2028\u2029]/g;

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
  return JSON.stringify(internalForm(type, value, types), null, ' ').replace(
    htmlEscapes,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
