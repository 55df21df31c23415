import { builtinScheme, createScheme, gvkOf, structuralSchema } from '@kubechain/apimachinery';
import type { Converter, GroupVersion, KindInfo, KubeObject, OpenAPIV3Schema, Scheme } from '@kubechain/apimachinery';
import { RegistryError } from '../registry/registry-error.ts';

/**
 * A further version that a resource is served in. It converts to and from the server's own version (the hub), never to
 * another one: two such versions meet in the hub.
 */
export interface ExtensionVersion {
  /** E.g. `v1beta1`. */
  readonly version: string;
  /** As the resource's own schema: what objects look like in this version, with its defaults. */
  readonly schema: OpenAPIV3Schema;
  /**
   * The object as the hub has it; may change its argument, and leaves metadata alone. What is missing then gets the
   * hub's defaults.
   */
  readonly toHub: (object: KubeObject) => KubeObject;
  /**
   * The way back. Whatever this version cannot say must come back from `toHub(fromHub(object))`, or an update in it
   * loses it.
   */
  readonly fromHub: (object: KubeObject) => KubeObject;
  /** Warning of every answer; default none. */
  readonly deprecationWarning?: string;
}

/** A kind of an extension server in all its versions. */
export interface ExtensionKind {
  readonly hub: GroupVersion;
  readonly kind: string;
  /** Of the hub. */
  readonly schema: OpenAPIV3Schema;
  readonly versions: readonly ExtensionVersion[];
}

/**
 * The scheme of one kind; options and the like are the built-in ones.
 * @throws RegistryError when a version is named twice
 */
export function extensionScheme({ hub, kind, schema, versions }: ExtensionKind): Scheme {
  const { group } = hub;
  const names = [hub.version, ...versions.map(({ version }) => version)];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new RegistryError(`${kind} is served in ${twice} twice`);
  const infoOf = (version: string, properties: OpenAPIV3Schema): KindInfo => ({
    gvk: { group, version, kind },
    schema: structuralSchema(properties),
    goType: `${version}.${kind}`,
    hubType: `${group.split('.', 1)[0] ?? ''}.${kind}`,
  });
  const own = createScheme({
    kinds: [infoOf(hub.version, schema), ...versions.map((spoke) => infoOf(spoke.version, spoke.schema))],
    converters: converters(hub, kind, versions, (object) => {
      own.applyDefaults(object);
    }),
  });
  return {
    kind: (gvk) => own.kind(gvk) ?? builtinScheme().kind(gvk),
    versions: (asked) => (asked === group ? own : builtinScheme()).versions(asked),
    kinds: () => own.kinds(),
    convert: (object, target) => own.convert(object, target),
    applyDefaults: (object) => {
      (own.kind(gvkOf(object)) === undefined ? builtinScheme() : own).applyDefaults(object);
    },
  };
}

/** Hub and spokes: one pair for each version that is not the hub, and the ways between these through it. */
function* converters(
  hub: GroupVersion,
  kind: string,
  versions: readonly ExtensionVersion[],
  applyDefaults: (object: KubeObject) => void,
): Generator<Converter> {
  const { group } = hub;
  const hubAPIVersion = `${group}/${hub.version}`;
  for (const { fromHub, toHub, version } of versions) {
    const inHub = (object: KubeObject): KubeObject => {
      const converted = toHub(object);
      converted.apiVersion = hubAPIVersion;
      applyDefaults(converted);
      return converted;
    };
    yield { from: { group, version, kind }, to: hub, convert: inHub };
    yield { from: { ...hub, kind }, to: { group, version }, convert: fromHub };
    for (const other of versions.filter((spoke) => spoke.version !== version))
      yield {
        from: { group, version, kind },
        to: { group, version: other.version },
        convert: (object) => other.fromHub(inHub(object)),
      };
  }
}
