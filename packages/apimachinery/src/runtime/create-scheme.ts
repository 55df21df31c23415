import { applySchemaDefaults } from '../schema/defaults.ts';
import type { Converter } from './converter.ts';
import type { Defaulter, DefaultingFunction } from './defaulter.ts';
import { formatGroupVersion, gvkOf } from './group-version.ts';
import type { GroupVersion, GroupVersionKind, KubeObject } from './object.ts';
import type { KindInfo, Scheme } from './scheme.ts';
import { compareVersions } from './version-order.ts';

export interface SchemeOptions {
  readonly kinds: Iterable<KindInfo>;
  readonly converters?: Iterable<Converter>;
  readonly defaulters?: Iterable<Defaulter>;
  /** Versions of each group, most preferred first; default: Kubernetes' version order. */
  readonly versions?: ReadonlyMap<string, readonly string[]>;
}

/** A Scheme to which defaulting functions can still be added while the process starts. */
export interface ExtensibleScheme extends Scheme {
  addDefaulter(defaulter: Defaulter): void;
}

/** A Scheme over the given kinds. Kinds may be thousands; nothing is compiled before it is used. */
export function createScheme(options: SchemeOptions): ExtensibleScheme {
  return new TableScheme(options);
}

const NO_VERSIONS: readonly string[] = [];

class TableScheme implements ExtensibleScheme {
  /** group → version → kind */
  readonly #groups = new Map<string, Map<string, Map<string, KindInfo>>>();
  readonly #versions = new Map<string, readonly string[]>();
  /** By `kind from-apiVersion to-apiVersion`. */
  readonly #converters = new Map<string, Converter>();
  readonly #defaulters = new Map<KindInfo, DefaultingFunction[]>();

  constructor(options: SchemeOptions) {
    for (const info of options.kinds) this.#add(info);
    for (const [group, versions] of this.#groups)
      this.#versions.set(group, options.versions?.get(group) ?? [...versions.keys()].toSorted(compareVersions));
    for (const converter of options.converters ?? [])
      this.#converters.set(converterKey(converter.from, converter.to), converter);
    for (const defaulter of options.defaulters ?? []) this.addDefaulter(defaulter);
  }

  #add(info: KindInfo): void {
    const { group, version, kind } = info.gvk;
    let versions = this.#groups.get(group);
    if (versions === undefined) this.#groups.set(group, (versions = new Map()));
    let kinds = versions.get(version);
    if (kinds === undefined) versions.set(version, (kinds = new Map()));
    kinds.set(kind, info);
  }

  kind(gvk: GroupVersionKind): KindInfo | undefined {
    return this.#groups.get(gvk.group)?.get(gvk.version)?.get(gvk.kind);
  }

  versions(group: string): readonly string[] {
    return this.#versions.get(group) ?? NO_VERSIONS;
  }

  *kinds(): Iterable<KindInfo> {
    for (const versions of this.#groups.values()) for (const kinds of versions.values()) yield* kinds.values();
  }

  convert(object: KubeObject, target: GroupVersion): KubeObject | Promise<KubeObject> {
    const from = gvkOf(object);
    if (from.group === target.group && from.version === target.version) return object;
    const converter = this.#converters.get(converterKey(from, target));
    if (converter === undefined) return withVersion(object, target);
    const converted = converter.convert(object);
    return converted instanceof Promise
      ? converted.then((result) => withVersion(result, target))
      : withVersion(converted, target);
  }

  applyDefaults(object: KubeObject): void {
    const info = this.kind(gvkOf(object));
    if (info === undefined) return;
    applySchemaDefaults(object, info.schema);
    const functions = this.#defaulters.get(info);
    if (functions !== undefined) for (const apply of functions) apply(object);
  }

  addDefaulter(defaulter: Defaulter): void {
    const info = this.kind(defaulter.gvk);
    if (info === undefined) throw new UnknownKindError(defaulter.gvk);
    const list = this.#defaulters.get(info);
    if (list === undefined) this.#defaulters.set(info, [defaulter.apply]);
    else list.push(defaulter.apply);
  }
}

function converterKey(from: GroupVersionKind, to: GroupVersion): string {
  return `${from.kind} ${from.group}/${from.version} ${to.group}/${to.version}`;
}

function withVersion(object: KubeObject, target: GroupVersion): KubeObject {
  object.apiVersion = formatGroupVersion(target);
  return object;
}

/** A kind was named at start-up that the scheme does not have: a programming error. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError';
  constructor(gvk: GroupVersionKind) {
    super(`scheme has no kind ${gvk.kind} in ${formatGroupVersion(gvk)}`);
  }
}
