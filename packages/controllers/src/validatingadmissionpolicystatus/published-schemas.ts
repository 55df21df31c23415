import type { CelType } from '@kubechain/cel';
import type { Client } from '../client/client.ts';
import { gvkText, type GroupVersionKind } from './kinds-to-check.ts';
import { SchemaTypes, type OpenAPISchema } from './schema-type.ts';

interface Root {
  readonly paths?: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}
interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenAPISchema>> };
}

/** So many types are kept: a policy is checked for ten kinds at the most, and has one of params. */
const mostKept = 32;

/**
 * The types of kinds, from what the server publishes of their group versions. A document whose place names its hash is
 * read once for each kind in it, as long as it is among the last that were asked for: it is megabytes, and anybody who
 * may make policies makes as many as there may be.
 */
export class PublishedTypes {
  readonly #client: Pick<Client, 'json'>;
  /** By place and kind, the one that was asked for last at the end. */
  readonly #kept = new Map<string, Promise<CelType | undefined>>();

  constructor(client: Pick<Client, 'json'>) {
    this.#client = client;
  }

  /**
   * Those of some kinds as they are now; undefined where nothing is said of one.
   * @param awaited those of the kinds that are served, of which something should be said soon
   * @throws TypeError where the server could not tell of all documents: it leaves out those of who did not answer it;
   *   or where nothing is said of an awaited kind
   */
  async of(
    kinds: readonly GroupVersionKind[],
    awaited: readonly GroupVersionKind[] = [],
  ): Promise<readonly (CelType | undefined)[]> {
    if (kinds.length === 0) return [];
    const { paths = {} } = await this.#client.json<Root>({ method: 'GET', path: '/openapi/v3' });
    if (paths['api/v1'] === undefined) throw new TypeError('the list of OpenAPI documents is not whole');
    const types: (CelType | undefined)[] = [];
    for (const gvk of kinds) {
      const { group, version } = gvk;
      const place = paths[group === '' ? `api/${version}` : `apis/${group}/${version}`]?.serverRelativeURL;
      const type = place === undefined ? undefined : await this.#at(place, gvk);
      if (type === undefined && awaited.includes(gvk))
        throw new TypeError(`no OpenAPI document tells of ${gvkText(gvk)}, which is served`);
      types.push(type);
    }
    return types;
  }

  #at(place: string, gvk: GroupVersionKind): Promise<CelType | undefined> {
    if (!/[?&]hash=./.test(place)) return this.#read(place, gvk);
    const key = `${gvk.kind} ${place}`;
    const type = this.#kept.get(key) ?? this.#read(place, gvk);
    this.#kept.delete(key);
    this.#kept.set(key, type);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    type.catch(() => {
      if (this.#kept.get(key) === type) this.#kept.delete(key);
    });
    return type;
  }

  async #read(place: string, { group, kind, version }: GroupVersionKind): Promise<CelType | undefined> {
    const { components } = await this.#client.json<Document>({ method: 'GET', path: place });
    const schemas = components?.schemas ?? {};
    const name = Object.keys(schemas).find((each) =>
      schemas[each]?.['x-kubernetes-group-version-kind']?.some(
        (of) => of.group === group && of.version === version && of.kind === kind,
      ),
    );
    return name === undefined ? undefined : new SchemaTypes(schemas).typeOf(name, kind);
  }
}
