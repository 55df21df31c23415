import { builtinScheme, cloneJSON } from '@kubechain/apimachinery';
import type { GroupVersion, GroupVersionKind, JSONValue, KindInfo, KubeObject, Scheme } from '@kubechain/apimachinery';
import type { ObjectConverter } from '../conversion/object-converter.ts';
import { coerceMetadata } from '../values/embedded.ts';
import type { VersionSchema } from './version-schema.ts';

/**
 * The scheme of one CRD: its kind in every version, unstructured, converted as the CRD says. Its versions' schemas are
 * compiled when they are first asked for. Scale and the kinds of options are the built-in ones.
 */
export function customScheme(schemas: ReadonlyMap<string, VersionSchema>, converter: ObjectConverter): Scheme {
  return new CustomScheme(schemas, converter);
}

class CustomScheme implements Scheme {
  readonly #schemas: ReadonlyMap<string, VersionSchema>;
  readonly #converter: ObjectConverter;
  readonly #kinds = new Map<string, KindInfo>();

  constructor(schemas: ReadonlyMap<string, VersionSchema>, converter: ObjectConverter) {
    this.#schemas = schemas;
    this.#converter = converter;
  }

  kind(gvk: GroupVersionKind): KindInfo | undefined {
    const schema = this.#schemas.get(`${gvk.group}/${gvk.version}`);
    return schema === undefined || schema.gvk.kind !== gvk.kind ? builtinScheme().kind(gvk) : this.#kindOf(schema);
  }

  versions(group: string): readonly string[] {
    const versions: string[] = [];
    for (const { gvk } of this.#schemas.values()) if (gvk.group === group) versions.push(gvk.version);
    return versions;
  }

  *kinds(): Iterable<KindInfo> {
    for (const schema of this.#schemas.values()) yield this.#kindOf(schema);
  }

  convert(object: KubeObject, target: GroupVersion): KubeObject | Promise<KubeObject> {
    const converted = this.#converter.convert([object], `${target.group}/${target.version}`);
    return converted instanceof Promise ? converted.then(([first]) => first ?? object) : (converted[0] ?? object);
  }

  applyDefaults(object: KubeObject): void {
    const schema = this.#schemas.get(object.apiVersion ?? '');
    if (schema === undefined) builtinScheme().applyDefaults(object);
    else schema.applyDefaults(object);
  }

  #kindOf(schema: VersionSchema): KindInfo {
    let info = this.#kinds.get(schema.apiVersion);
    if (info === undefined) {
      info = {
        gvk: schema.gvk,
        get schema() {
          return schema.structural;
        },
        goType: 'unstructured.Unstructured',
        unstructured: true,
        coerce: (object, strict) =>
          schema.coerce(object, { trackUnknown: strict }).map((path) => `unknown field "${path}"`),
        repairMetadata: (object) => {
          coerceMetadata(object, { dropInvalid: true });
        },
        noteMerged: (object, { metadata }) => {
          // Whose fields they are is not the client's to say.
          const { managedFields: _managedFields, ...applied } = metadata ?? {};
          schema.noteMerged(object, coerceMetadata({ metadata: cloneJSON(applied as JSONValue) }));
        },
      };
      this.#kinds.set(schema.apiVersion, info);
    }
    return info;
  }
}
