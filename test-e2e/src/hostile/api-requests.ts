import type { OutgoingHttpHeaders } from 'node:http2';
import type { HostileRequest } from './target.ts';

/** What the ordinary user's namespace has. */
export const namespaced = (resource: string, group = ''): string =>
  `${group === '' ? '/api/v1' : `/apis/${group}`}/namespaces/hostile/${resource}`;
/** Where the ordinary user may write. */
export const configMaps = '/api/v1/namespaces/hostile/configmaps';
/** Where everybody may ask about themselves. */
export const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
/** Where the ordinary user may write, too. */
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** A ConfigMap that is whole but for what is given. */
export const configMap = (rest: object): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'h' }, ...rest });
/** Creates something. */
export const post = (path: string, body: string | Uint8Array, headers: OutgoingHttpHeaders = {}): HostileRequest => ({
  method: 'POST',
  path,
  body,
  headers,
});
/** Patches something, by the media type. */
export const patch = (type: string, body: string, path = `${configMaps}/kept`): HostileRequest => ({
  method: 'PATCH',
  path,
  body,
  headers: { 'content-type': type },
});
/** Media types of patches, and of a body. */
export const jsonPatch = 'application/json-patch+json';
export const mergePatch = 'application/merge-patch+json';
export const strategic = 'application/strategic-merge-patch+json';
export const apply = 'application/apply-patch+yaml';
/** Applies something as YAML or JSON. */
export const applied = (body: string, path = `${configMaps}/applied`): HostileRequest =>
  patch(apply, body, `${path}?fieldManager=m&force=true`);
export const yaml = { 'content-type': 'application/yaml' };
/** So many of one within the other. */
export const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

/** A CustomResourceDefinition of this schema. */
export function definition(name: string, schema: unknown): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.hostile.example` },
    spec: {
      group: 'hostile.example',
      scope: 'Namespaced',
      names: { plural: `${name}s`, singular: name, kind: name[0]!.toUpperCase() + name.slice(1) },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
}

/** A schema within a schema, so many times. */
export function schemaOf(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let schema: unknown = { type: 'object' };
  for (let i = 0; i < depth; i++) schema = wrap(schema);
  return { type: 'object', properties: { spec: schema } };
}

/** A Pod of one container. */
export function pod(container: object): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'h-' },
    spec: { containers: [{ name: 'c', image: 'i', ...container }] },
  });
}

/** Printer columns of strings at the paths, as JSON. */
export const columnsAt = (paths: readonly string[]): string =>
  JSON.stringify(paths.map((jsonPath, i) => ({ name: `c${i}`, type: 'string', jsonPath })));

/** A token for the next page as the server makes them, of whatever is in it. */
export const continueToken = (content: { readonly rv: number; readonly start: string }): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', ...content })).toString('base64url');
