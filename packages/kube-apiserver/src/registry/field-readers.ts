import type { KubeObject } from '@kubechain/apimachinery';
import type { FieldReader } from '@kubechain/apiserver/resources';

/** Reads the value at a dotted path as text; absent is ''. */
export function textField(path: string): FieldReader {
  const parts = path.split('.');
  return (object) => {
    const value = valueAt(object, parts);
    return value === undefined || value === null ? '' : String(value as string | number | boolean);
  };
}

/** The same for numbers and booleans, whose Go zero value prints as such. */
export function zeroedField(path: string, zero: string): FieldReader {
  const read = textField(path);
  return (object) => {
    const text = read(object);
    return text === '' ? zero : text;
  };
}

function valueAt(object: KubeObject, parts: readonly string[]): unknown {
  let value: unknown = object;
  for (const part of parts) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
