import { mutate, type MutateOptions } from './mutate.ts';
import { patchOf } from './patches.ts';
import type { Resource, Schema } from './schemas.ts';
import { isMap, type Value } from './values.ts';

/** An object that both servers have, or a resource without one: then objects are made by its schema. */
export interface Base {
  readonly resource: Resource;
  readonly object: { [name: string]: Value } | undefined;
}

/** A request that changes nothing on any server. */
export interface TrialRequest {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
  /** The body as it is sent, where it is none that an encoder writes. */
  readonly base64?: string;
  /** More headers, or others than an encoding has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where the object is. */
export function pathOf({ object, resource }: Base, namespace: string): string {
  const { name = '' } = (object?.['metadata'] ?? {}) as { readonly name?: string };
  return `${collectionOf(resource, namespace)}/${encodeURIComponent(name)}`;
}

/** Where the objects of a resource are made. */
export function collectionOf({ namespaced, plural, root }: Resource, namespace: string): string {
  return `${root}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}`;
}

/** How requests are made. */
export interface TrialOptions extends MutateOptions {
  readonly namespace: string;
  readonly schema: Schema;
  /** `''`, or `/status`, `/scale`: what is updated and patched. */
  readonly subresource: string;
}

const validations = ['Strict', 'Warn', 'Ignore', undefined] as const;

/** A create, update or patch of an object that was changed in one to three places. */
export function trialOf(base: Base, options: TrialOptions): TrialRequest {
  const { object, resource } = base;
  const { namespace, schema, subresource, values } = options;
  const changed = object === undefined ? madeBySchema(resource, options) : structuredClone(object);
  for (let count = object === undefined ? values.below(2) : 1 + values.below(3); count > 0; count--)
    mutate(changed, schema, options);
  const validation = values.pick(validations);
  const query = `?dryRun=All${validation === undefined ? '' : `&fieldValidation=${validation}`}`;
  const collection = collectionOf(resource, namespace);
  const json = 'application/json';
  const path = `${pathOf(base, namespace)}${subresource}${query}`;
  const way = values.share();
  if (object === undefined || (subresource === '' && way < 0.45)) {
    renameIn(changed);
    return { method: 'POST', path: collection + query, contentType: json, body: JSON.stringify(changed) };
  }
  if (way < 0.7) return { method: 'PUT', path, contentType: json, body: JSON.stringify(changed) };
  if (way < 0.9) return { method: 'PATCH', path, ...patchOf(object, changed, values) };
  return {
    method: 'PATCH',
    path: `${path}&fieldManager=trial&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify(changed),
  };
}

function madeBySchema({ apiVersion, kind }: Resource, { schema, values }: TrialOptions): { [name: string]: Value } {
  const made = values.of(schema);
  const object = made !== null && typeof made === 'object' && !Array.isArray(made) ? made : {};
  delete object['status'];
  return { ...object, apiVersion, kind, metadata: { name: 'made' } };
}

/** Another name, so that it is not the one that is there. */
function renameIn(object: { [name: string]: Value }): void {
  const { metadata, spec } = object;
  // A definition's name begins with the plural of what it defines.
  const names = isMap(spec) ? spec['names'] : undefined;
  const plural = isMap(names) && typeof names['plural'] === 'string' ? names['plural'] : undefined;
  if (isMap(metadata)) {
    const name = typeof metadata['name'] === 'string' ? metadata['name'] : 'x';
    const defines = plural !== undefined && name.startsWith(plural);
    metadata['name'] = defines ? `${plural}n${name.slice(plural.length)}` : `${name}n`;
    if (defines && isMap(names)) names['plural'] = `${plural}n`;
  }
}
