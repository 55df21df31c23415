import { applySchemaDefaults } from '../schema/defaults.ts';
import type { Converter } from './converter.ts';
import type { Defaulter, DefaultingFunction } from './defaulter.ts';
import { formatGroupVersion, gvkOf } from './group-version.ts';
import type { GroupVersion, GroupVersionKind, KubeObject } from '../object/object.ts';
import type { KindInfo, Scheme } from './scheme.ts';
import { compareVersions } from './version-order.ts';

export interface SchemeOptions {
  readonly kinds: Iterable<KindInfo>;
  readonly converters?: Iterable<Converter>;
  readonly defaulters?: Iterable<Defaulter>;
  /** Versions of each group, most preferred first; default: Kubernetes' version order. */
  readonly versions?: ReadonlyMap<string, readonly string[]>;
}

/** A Scheme of which others can be made that differ in their defaults alone. */
export interface DefaultableScheme extends Scheme {
  /**
   * A scheme of the same kinds and conversions with these defaulting functions after its own, which stay as they are.
   * @throws UnknownKindError
   */
  withDefaulters(defaulters: Iterable<Defaulter>): DefaultableScheme;
}

/**
 * A Scheme over the given kinds. Kinds may be thousands; nothing is compiled before it is used.
 * @throws UnknownKindError for a defaulter of a kind that is not among them
 */
export function createScheme({ kinds, converters = [], defaulters = [], versions }: SchemeOptions): DefaultableScheme {
  const groups: KindTable = new Map();
  for (const info of kinds) addKind(groups, info);
  const preferred = new Map<string, readonly string[]>();
  for (const [group, known] of groups)
    preferred.set(group, versions?.get(group) ?? [...known.keys()].toSorted(compareVersions));
  const conversions = new Map<string, Converter>();
  for (const converter of converters) conversions.set(converterKey(converter.from, converter.to), converter);
  return new TableScheme({ groups, versions: preferred, converters: conversions }, new Map()).withDefaulters(
    defaulters,
  );
}

const NO_VERSIONS: readonly string[] = [];

/** group → version → kind */
type KindTable = Map<string, Map<string, Map<string, KindInfo>>>;

/** What schemes share that differ in their defaults; never changed once it is made. */
interface SchemeTables {
  readonly groups: KindTable;
  readonly versions: ReadonlyMap<string, readonly string[]>;
  /** By `kind from-apiVersion to-apiVersion`. */
  readonly converters: ReadonlyMap<string, Converter>;
}

function addKind(groups: KindTable, info: KindInfo): void {
  const { group, version, kind } = info.gvk;
  let versions = groups.get(group);
  if (versions === undefined) groups.set(group, (versions = new Map()));
  let kinds = versions.get(version);
  if (kinds === undefined) versions.set(version, (kinds = new Map()));
  kinds.set(kind, info);
}

class TableScheme implements DefaultableScheme {
  readonly #tables: SchemeTables;
  readonly #groups: KindTable;
  readonly #defaulters: ReadonlyMap<KindInfo, readonly DefaultingFunction[]>;

  constructor(tables: SchemeTables, defaulters: ReadonlyMap<KindInfo, readonly DefaultingFunction[]>) {
    this.#tables = tables;
    this.#groups = tables.groups;
    this.#defaulters = defaulters;
  }

  kind(gvk: GroupVersionKind): KindInfo | undefined {
    return this.#groups.get(gvk.group)?.get(gvk.version)?.get(gvk.kind);
  }

  versions(group: string): readonly string[] {
    return this.#tables.versions.get(group) ?? NO_VERSIONS;
  }

  *kinds(): Iterable<KindInfo> {
    for (const versions of this.#groups.values()) for (const kinds of versions.values()) yield* kinds.values();
  }

  convert(object: KubeObject, target: GroupVersion): KubeObject | Promise<KubeObject> {
    const from = gvkOf(object);
    if (from.group === target.group && from.version === target.version) return object;
    const converter = this.#tables.converters.get(converterKey(from, target));
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

  withDefaulters(defaulters: Iterable<Defaulter>): DefaultableScheme {
    const all = new Map(this.#defaulters);
    for (const { apply, gvk } of defaulters) {
      const info = this.kind(gvk);
      if (info === undefined) throw new UnknownKindError(gvk);
      all.set(info, [...(all.get(info) ?? []), apply]);
    }
    return new TableScheme(this.#tables, all);
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
