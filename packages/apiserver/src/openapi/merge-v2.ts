import { isDeepStrictEqual } from 'node:util';
import { Stepwise, type Steps } from '../request/stepwise.ts';
import type { Turns } from '../request/turns.ts';
import type { DocumentV2 } from './document-v2.ts';
import { filterV2 } from './filter-v2.ts';
import { sorted, v2Prefix } from './open-api-schema.ts';
import type { OpenAPISchema } from './open-api-schema.ts';

const kindsKey = 'x-kubernetes-group-version-kind';

/**
 * Merges documents into one (kube-openapi's aggregator, 1.36): the first one's info and security stay, a path belongs
 * to the first that has it, a definition or parameter that means something else under a name that is taken gets a new
 * name.
 */
export function mergeV2(documents: readonly DocumentV2[]): DocumentV2 {
  return new Stepwise(mergeSteps(documents)).makeNow();
}

/** The same; others are served between two documents. */
export async function mergeV2InTurns(documents: readonly DocumentV2[], turns: Turns): Promise<DocumentV2> {
  return new Stepwise(mergeSteps(documents)).make(() => turns.next());
}

function* mergeSteps(documents: readonly DocumentV2[]): Steps<DocumentV2> {
  const [first, ...rest] = documents;
  if (first === undefined) return { swagger: '2.0', info: { title: 'Kubernetes', version: '' }, paths: {} };
  if (rest.length === 0) return first;
  const merged = {
    paths: new Map(Object.entries(first.paths)),
    definitions: new Map(Object.entries(first.definitions ?? {})),
    parameters: new Map(Object.entries(first.parameters ?? {})),
  };
  for (const document of rest) {
    mergeInto(merged, document);
    yield;
  }
  const { definitions: _definitions, info, parameters: _parameters, paths: _paths, swagger, ...others } = first;
  return {
    swagger,
    info,
    paths: sorted(merged.paths),
    definitions: sorted(merged.definitions),
    parameters: sorted(merged.parameters),
    ...others,
  };
}

interface Merged {
  readonly paths: Map<string, Readonly<Record<string, unknown>>>;
  readonly definitions: Map<string, OpenAPISchema>;
  readonly parameters: Map<string, object>;
}

function mergeInto(merged: Merged, document: DocumentV2): void {
  const filtered = filterV2(document, (path) => !merged.paths.has(path));
  const paths = Object.entries(filtered.paths);
  if (paths.length === 0) return;
  const definitions = Object.entries(filtered.definitions ?? {});
  const renames = new Map<string, string>();
  for (const [name, schema] of definitions) {
    const renamed = freeName(name, (candidate) => {
      const existing = merged.definitions.get(candidate);
      return existing === undefined || isDeepStrictEqual(withoutKinds(existing), withoutKinds(schema));
    });
    if (renamed !== name) renames.set(v2Prefix + name, v2Prefix + renamed);
  }
  for (const [name, parameter] of Object.entries(document.parameters ?? {})) {
    const renamed = freeName(name, (candidate) => {
      const existing = merged.parameters.get(candidate);
      return existing === undefined || isDeepStrictEqual(existing, parameter);
    });
    if (renamed !== name) renames.set(`#/parameters/${name}`, `#/parameters/${renamed}`);
  }
  for (const [name, schema] of definitions) {
    const target = renames.get(v2Prefix + name)?.slice(v2Prefix.length) ?? name;
    const existing = merged.definitions.get(target);
    merged.definitions.set(
      target,
      existing === undefined ? renamed(schema, renames) : withKindsOfBoth(existing, schema),
    );
  }
  for (const [name, parameter] of Object.entries(document.parameters ?? {})) {
    const reference = renames.get(`#/parameters/${name}`) ?? `#/parameters/${name}`;
    merged.parameters.set(reference.slice('#/parameters/'.length), renamed(parameter, renames));
  }
  for (const [path, item] of paths) merged.paths.set(path, renamed(item, renames));
}

/** The name, or the first of `name_v2`, `name_v3`, … that fits. */
function freeName(name: string, fits: (candidate: string) => boolean): string {
  if (fits(name)) return name;
  for (let i = 2; ; i++) if (fits(`${name}_v${i}`)) return `${name}_v${i}`;
}

function withoutKinds(schema: OpenAPISchema): OpenAPISchema {
  const { [kindsKey]: _kinds, ...rest } = schema;
  return rest;
}

function withKindsOfBoth(a: OpenAPISchema, b: OpenAPISchema): OpenAPISchema {
  const ofA = a[kindsKey] as readonly object[] | undefined;
  const ofB = b[kindsKey] as readonly object[] | undefined;
  if (ofB === undefined) return a;
  const added = ofB.filter((kind) => ofA?.some((other) => isDeepStrictEqual(kind, other)) !== true);
  return added.length === 0 ? a : { ...a, [kindsKey]: [...(ofA ?? []), ...added] };
}

/** A copy with references renamed; the value itself when there is nothing to rename. */
function renamed<T>(value: T, renames: ReadonlyMap<string, string>): T {
  if (renames.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => renamed(item, renames)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      key === '$ref' && typeof member === 'string' ? (renames.get(member) ?? member) : renamed(member, renames),
    ]),
  ) as T;
}
