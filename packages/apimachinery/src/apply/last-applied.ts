import { parseJSON } from '../serializer/json/parse-text.ts';
import { goJSON } from '../errors/go-format.ts';
import type { JSONValue, KubeObject } from '../object/object.ts';
import type { JSONObject } from '../object/json-object.ts';
import { isJSONObject } from '../object/json-object.ts';
import { byteLength, compareText } from '../errors/go-format.ts';
import { TOTAL_ANNOTATION_SIZE_LIMIT } from '../validation/object-meta.ts';

/** Where `kubectl apply` without `--server-side` keeps the configuration. */
const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
/** The manager of `kubectl apply --server-side`: the only one that takes over from client-side apply. */
export const KUBECTL = 'kubectl';

/** The annotation's text; `undefined` when there is none. */
export function lastApplied(object: KubeObject): string | undefined {
  const text: unknown = object.metadata?.annotations?.[LAST_APPLIED_ANNOTATION];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The configuration in the annotation, if it can be read and is of this version. */
export function lastAppliedObject(object: KubeObject, apiVersion: string): JSONObject | undefined {
  const text = lastApplied(object);
  if (text === undefined) return undefined;
  try {
    const parsed = parseJSON(text) as JSONValue;
    return isJSONObject(parsed) && parsed['apiVersion'] === apiVersion && typeof parsed['kind'] === 'string'
      ? parsed
      : undefined;
  } catch {
    return undefined;
  }
}

/** Brings the annotation of `object` up to the applied configuration; drops it when annotations get too large. */
export function setLastApplied(object: KubeObject, applied: KubeObject): void {
  const annotations: Record<string, string> = {
    ...object.metadata?.annotations,
    [LAST_APPLIED_ANNOTATION]: encode(applied),
  };
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) size += byteLength(key) + byteLength(value);
  if (size > TOTAL_ANNOTATION_SIZE_LIMIT) delete annotations[LAST_APPLIED_ANNOTATION];
  object.metadata = { ...object.metadata, annotations };
}

/** As Go encodes an unstructured object: keys sorted, a newline at the end; without the annotation itself. */
function encode(applied: KubeObject): string {
  const { metadata } = applied;
  let object: JSONValue = applied as JSONValue;
  if (metadata?.annotations !== undefined && metadata.annotations !== null) {
    const annotations = { ...metadata.annotations };
    delete annotations[LAST_APPLIED_ANNOTATION];
    const rest: Record<string, unknown> = { ...metadata, annotations };
    object = { ...applied, metadata: rest } as JSONValue;
  }
  return `${goJSON(sorted(object))}\n`;
}

function sorted(value: JSONValue): JSONValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJSONObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort(compareText)
      .map((key) => [key, sorted(value[key] as JSONValue)]),
  );
}
