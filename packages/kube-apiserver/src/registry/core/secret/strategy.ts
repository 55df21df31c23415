import type { KubeObject } from '@kubechain/apimachinery';
import { specStrategy } from '../../spec-strategy.ts';

/** Secrets: `stringData` is folded into `data` when it arrives, and the type is Opaque unless it says otherwise. */
export const secretStrategy = specStrategy();

/** What decoding does with a secret beyond its schema (core/v1 conversion and defaults, 1.36). */
export function defaultSecret(secret: KubeObject): void {
  const text = secret['stringData'] as Record<string, string> | undefined;
  if (text !== undefined && text !== null) {
    const data = { ...(secret['data'] as Record<string, string> | undefined) };
    for (const [key, value] of Object.entries(text)) data[key] = Buffer.from(value, 'utf8').toString('base64');
    if (Object.keys(data).length > 0) secret['data'] = data;
  }
  delete secret['stringData'];
  if (secret['type'] === undefined || secret['type'] === '') secret['type'] = 'Opaque';
}
