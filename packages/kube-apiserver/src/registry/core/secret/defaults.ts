import type { Secret } from '@kubechain/apimachinery/types/core/v1';

/**
 * Folds `stringData` into `data`, where it wins, and makes the type Opaque unless it is given (conversion and defaults
 * of pkg/apis/core/v1, 1.36).
 */
export function defaultSecret(secret: Secret): void {
  const text = secret.stringData;
  if (text !== undefined) {
    delete secret.stringData;
    const data = (secret.data ??= {});
    for (const key in text) data[key] = Buffer.from(text[key] ?? '', 'utf8').toString('base64');
  }
  secret.type ||= 'Opaque';
}
