import { JSONScanner, parseJSON } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectRecord } from '@kubechain/shared-storage';
import type { CustomResourceDefinition } from './crd-types.ts';

/** A CRD as the server keeps it: one object for as long as its uid, generation and spec stay what they are. */
export interface KnownCRD {
  /** Without schemas and managedFields, which are most of it. */
  readonly crd: CustomResourceDefinition;
  /** With all there is, decoded anew; not to be kept. */
  whole(): CustomResourceDefinition;
}

/** What became of a CRD. */
export interface CRDNews {
  readonly name: string;
  readonly before: CustomResourceDefinition | undefined;
  readonly known: KnownCRD;
  /** With all there is; not to be kept. */
  readonly whole: () => CustomResourceDefinition;
}

class RecordedCRD implements KnownCRD {
  crd: CustomResourceDefinition;
  #record: ObjectRecord;
  /** The spec as it is written: a part of the record's JSON, which is looked for once. */
  #spec: Buffer | undefined;

  constructor(crd: CustomResourceDefinition, record: ObjectRecord) {
    this.crd = crd;
    this.#record = record;
  }

  get record(): ObjectRecord {
    return this.#record;
  }

  set record(record: ObjectRecord) {
    this.#record = record;
    this.#spec = undefined;
  }

  /**
   * Takes a record in whose spec is what it was, byte for byte, and which differs in metadata and status; false when it
   * is another one. Most writes are of the server's own conditions: the schemas are not read again for them.
   */
  update(record: ObjectRecord): boolean {
    this.#spec ??= membersOf(this.#record.json).get('spec');
    if (this.#spec === undefined) return false;
    const members = membersOf(record.json, { spec: this.#spec });
    const spec = members.get('spec');
    if (spec?.equals(this.#spec) !== true) return false;
    const { metadata, status } = Object.fromEntries(
      ['metadata', 'status'].map((name) => [name, parsed(members.get(name))]),
    ) as unknown as CustomResourceDefinition;
    if (metadata.uid !== this.crd.metadata.uid || metadata.generation !== this.crd.metadata.generation) return false;
    const { status: _status, ...rest } = this.crd;
    this.crd = { ...rest, metadata: withoutManagedFields(metadata), ...(status === undefined ? {} : { status }) };
    this.#record = record;
    // Of the new record: the old one's JSON is let go.
    this.#spec = spec;
    return true;
  }

  whole(): CustomResourceDefinition {
    return this.#record.object() as CustomResourceDefinition;
  }
}

/**
 * The newest states of CRDs that have been seen, by name. Records are those of the watch cache once its event has
 * come, so that they cost nothing more.
 */
export class KnownCRDs {
  readonly #known = new Map<string, RecordedCRD>();
  /** Group → names of its CRDs. */
  readonly #groups = new Map<string, Set<string>>();

  get(name: string): CustomResourceDefinition | undefined {
    return this.#known.get(name)?.crd;
  }

  known(name: string): KnownCRD | undefined {
    return this.#known.get(name);
  }

  /** All CRDs of a group, by name. */
  *inGroup(group: string): Generator<readonly [name: string, crd: CustomResourceDefinition]> {
    for (const name of this.#groups.get(group) ?? []) {
      const crd = this.get(name);
      if (crd !== undefined) yield [name, crd];
    }
  }

  /**
   * Takes a state in; undefined when it is known, or older than what is.
   * @param cached the record is the watch cache's
   */
  set(record: ObjectRecord, cached: boolean): CRDNews | undefined {
    const { name } = record.attributes;
    const known = this.#known.get(name);
    if (known !== undefined && known.record.revision >= record.revision) {
      if (cached && known.record.revision === record.revision) known.record = record;
      return undefined;
    }
    const before = known?.crd;
    if (known?.update(record) === true) return { name, before, known, whole: () => known.whole() };
    const whole = record.object() as CustomResourceDefinition;
    const now = new RecordedCRD(withoutSchemas(whole), record);
    this.#known.set(name, now);
    const { group } = now.crd.spec;
    const names = this.#groups.get(group);
    if (names === undefined) this.#groups.set(group, new Set([name]));
    else names.add(name);
    return { name, before, known: now, whole: () => whole };
  }

  /** Forgets a CRD if it is the one with that uid; returns it. */
  delete(name: string, uid: string | undefined): CustomResourceDefinition | undefined {
    const crd = this.get(name);
    if (crd?.metadata.uid !== uid) return undefined;
    this.#known.delete(name);
    const names = this.#groups.get(crd?.spec.group ?? '');
    if (names?.delete(name) === true && names.size === 0) this.#groups.delete(crd?.spec.group ?? '');
    return crd;
  }
}

function withoutSchemas(crd: CustomResourceDefinition): CustomResourceDefinition {
  return {
    ...crd,
    metadata: withoutManagedFields(crd.metadata),
    spec: { ...crd.spec, versions: crd.spec.versions.map(({ schema: _schema, ...version }) => version) },
  };
}

/** The members of an object as they are written. @param expected of some, what is not read again if it is there */
function membersOf(json: Uint8Array, expected: Readonly<Record<string, Buffer>> = {}): ReadonlyMap<string, Buffer> {
  const scanner = new JSONScanner(json);
  const members = new Map<string, Buffer>();
  scanner.object((name) => {
    const known = Object.hasOwn(expected, name) ? expected[name] : undefined;
    members.set(name, (known && scanner.rawIf(known)) ?? scanner.raw());
    return true;
  });
  return members;
}

function parsed(json: Buffer | undefined): unknown {
  return json === undefined ? undefined : parseJSON(json.toString('utf8'));
}

function withoutManagedFields<M extends NonNullable<KubeObject['metadata']>>({
  managedFields: _managedFields,
  ...metadata
}: M): Omit<M, 'managedFields'> {
  return metadata;
}
