import type { Client } from '../harness/client.ts';

/** A schema of an OpenAPI v3 document, as far as values are made by it. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly Readonly<Record<'group' | 'kind' | 'version', string>>[];
}

/** A resource whose objects can be made. */
export interface Resource {
  /** `apps/v1/Deployment`, `v1/Pod`. */
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** `/apis/apps/v1` */
  readonly root: string;
  readonly plural: string;
  /** `status`, `scale` */
  readonly subresources: readonly string[];
}

/** The schemas of all groups that a server tells of. */
export class Schemas {
  readonly #components: Readonly<Record<string, Schema>>;
  readonly #byKind = new Map<string, Schema>();

  private constructor(components: Readonly<Record<string, Schema>>) {
    this.#components = components;
    for (const schema of Object.values(components))
      for (const { group, kind, version } of schema['x-kubernetes-group-version-kind'] ?? [])
        this.#byKind.set(`${group === '' ? '' : `${group}/`}${version}/${kind}`, schema);
  }

  static async read(client: Client): Promise<Schemas> {
    // It is told as plain text.
    const { paths } = JSON.parse((await client.get('/openapi/v3')).text) as {
      readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
    };
    const components: Record<string, Schema> = {};
    for (const { serverRelativeURL } of Object.values(paths)) {
      const document = JSON.parse((await client.get(serverRelativeURL)).text) as {
        readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
      };
      Object.assign(components, document.components?.schemas);
    }
    return new Schemas(components);
  }

  of({ name }: Resource): Schema {
    return this.ofKind(name);
  }

  /** @param name `apps/v1/Deployment`, `v1/Pod` */
  ofKind(name: string): Schema {
    return this.#byKind.get(name) ?? {};
  }

  /** What a reference, alone or in `allOf`, stands for. */
  resolve(schema: Schema | undefined): Schema {
    let found = schema ?? {};
    for (let depth = 0; depth < 4; depth++) {
      const reference = found.$ref ?? (found.allOf?.length === 1 ? found.allOf[0]?.$ref : undefined);
      if (reference === undefined) break;
      found = this.#components[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
    }
    return found;
  }
}

/** The resources of a server that can be created. */
export async function readResources(client: Client): Promise<readonly Resource[]> {
  const groups = (await client.get('/apis')).body as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  const roots = [
    '/api/v1',
    ...groups.groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`)),
  ];
  const found: Resource[] = [];
  for (const root of roots) {
    // A version is listed without being served where a definition is in a group of the server's own.
    const { groupVersion, resources = [] } = (await client.get(root)).body as {
      readonly groupVersion: string;
      readonly resources?: readonly {
        readonly name: string;
        readonly kind: string;
        readonly namespaced: boolean;
        readonly verbs: readonly string[];
      }[];
    };
    for (const { kind, name, namespaced, verbs } of resources)
      if (!name.includes('/') && verbs.includes('create'))
        found.push({
          name: `${groupVersion}/${kind}`,
          apiVersion: groupVersion,
          kind,
          namespaced,
          root,
          plural: name,
          subresources: resources
            .filter((other) => other.name.startsWith(`${name}/`))
            .map((other) => other.name.slice(name.length + 1)),
        });
  }
  return found;
}
