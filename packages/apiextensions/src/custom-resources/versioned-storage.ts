import { append, everyField, everyLabel } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { describeCorrupt, JSONRecord, selects, undecodable } from '@kubechain/shared-storage';
import type {
  DeleteOptions,
  GetOptions,
  GuaranteedUpdateOptions,
  ListOptions,
  ListResult,
  ObjectAttributes,
  ObjectRecord,
  SelectionPredicate,
  StorageInterface,
  UpdateFunction,
  Watch,
  WatchOptions,
  WatchSink,
} from '@kubechain/shared-storage';
import { noneConverter } from '../conversion/object-converter.ts';
import type { ObjectConverter } from '../conversion/object-converter.ts';
import { encodeCustom, parseCustom, recordVersion } from './custom-codec.ts';
import { OrderedSink } from './ordered-sink.ts';
import type { ObjectEvent } from './ordered-sink.ts';
import type { VersionSchema } from './version-schema.ts';

/** What the views of one CRD's versions share. */
export interface VersionedStorageOptions {
  /** Records in whatever version they were stored in, made by `customCodec`. */
  readonly stored: StorageInterface;
  readonly schemas: ReadonlyMap<string, VersionSchema>;
  readonly converter: ObjectConverter;
  /** apiVersion that is written. */
  readonly storageVersion: string;
  /** Watches of all views, to be ended when the CRD changes. */
  readonly watches: Set<OrderedSink>;
  /** Selectable fields of an object in this view's version. */
  readonly attributesOf: (object: KubeObject) => ObjectAttributes;
  /**
   * An object that cannot be converted is told as one that cannot be read (feature gate
   * AllowUnsafeMalformedObjectDeletion). Absent: in the converter's words.
   */
  readonly unreadable?: Parameters<typeof describeCorrupt>[0];
}

/** Asks the stored objects for all of them, with what they were before a change; the view selects. */
const anyObject: SelectionPredicate = { label: everyLabel, field: everyField, empty: false, matches: () => true };

/**
 * One version's view of the objects of a CRD: everything that comes out has been converted to that version and pruned
 * by its schema, everything that goes in is converted to the storage version. One cache of stored records serves all
 * views; what a list or a watch had to convert is remembered with the record it came from.
 *
 * A webhook makes fields and labels of its own, so what it converts is selected after the conversion.
 *
 *     etcd ─► Cacher (records as stored) ─┬─► v1 view ─► Store of v1
 *                                         └─► v2 view ─► Store of v2
 */
export class VersionedStorage implements StorageInterface {
  readonly #options: VersionedStorageOptions;
  readonly #stored: StorageInterface;
  readonly #apiVersion: string;
  readonly #converted = new WeakMap<ObjectRecord, ObjectRecord>();

  constructor(apiVersion: string, options: VersionedStorageOptions) {
    this.#apiVersion = apiVersion;
    this.#options = options;
    this.#stored = options.stored;
  }

  async create(
    key: string,
    object: KubeObject,
    options?: { readonly ttlSeconds?: number; readonly signal?: AbortSignal },
  ): Promise<ObjectRecord> {
    return this.#view(await this.#stored.create(key, await this.#toStorage(object), options));
  }

  asRead(object: KubeObject): Promise<KubeObject> | undefined {
    const { schemas, storageVersion } = this.#options;
    if (object.apiVersion !== storageVersion) return this.#throughStorage(object);
    const schema = schemas.get(storageVersion);
    if (schema?.merged.has(object) === true) schema.coerceMerged(object);
    return undefined;
  }

  async #throughStorage(object: KubeObject): Promise<KubeObject> {
    const { converter, schemas, storageVersion } = this.#options;
    const stored = structuredClone(await this.#toStorage(object));
    const schema = schemas.get(storageVersion);
    schema?.coerce(stored, { stored: true });
    schema?.applyDefaults(stored, { stored: true });
    const [converted = stored] = await converter.convert([stored], this.#apiVersion);
    schemas.get(this.#apiVersion)?.coerce(converted, { stored: true });
    return converted;
  }

  async delete(key: string, options: DeleteOptions = {}): Promise<ObjectRecord> {
    const { ignoreStoreReadError, validate } = options;
    // What could not be read cannot be converted either.
    if (ignoreStoreReadError === true) return this.#stored.delete(key, options);
    return this.#view(
      await this.#stored.delete(
        key,
        validate === undefined
          ? options
          : {
              ...options,
              validate: async (record) => {
                await validate(await this.#readView(record));
              },
            },
      ),
    );
  }

  async get(key: string, options?: GetOptions): Promise<ObjectRecord | undefined> {
    const record = await this.#stored.get(key, options);
    if (record === undefined) return undefined;
    const { unreadable } = this.#options;
    if (unreadable === undefined) return this.#view(record);
    try {
      return await this.#readView(record);
    } catch (error) {
      throw describeCorrupt(unreadable, record.key, error);
    }
  }

  async getList(key: string, options: ListOptions = {}): Promise<ListResult> {
    const predicate = this.#ownSelection(options.predicate);
    if (predicate !== undefined) return this.#selectedList(key, options, predicate);
    const list = await this.#stored.getList(key, options);
    const items = this.#viewAll(list.items);
    return items === list.items ? list : { ...list, items: await items };
  }

  watch(key: string, options: WatchOptions, sink: WatchSink): Promise<Watch> {
    const { watches } = this.#options;
    const predicate = this.#ownSelection(options.predicate);
    const translate =
      predicate === undefined
        ? (event: ObjectEvent) => this.#viewEvent(event)
        : (event: ObjectEvent) => this.#selectedEvent(event, predicate);
    const ordered = new OrderedSink(sink, translate, () => {
      watches.delete(ordered);
    });
    watches.add(ordered);
    return this.#stored
      .watch(key, predicate === undefined ? options : { ...options, predicate: anyObject }, ordered)
      .then(
        (watch) => ordered.attach(watch),
        (error: unknown) => {
          watches.delete(ordered);
          throw error;
        },
      );
  }

  async guaranteedUpdate(
    key: string,
    update: UpdateFunction,
    options?: GuaranteedUpdateOptions,
  ): Promise<ObjectRecord> {
    const written = await this.#stored.guaranteedUpdate(
      key,
      async ({ object, record }) => {
        const seen = record === undefined ? undefined : await this.#readView(record);
        const output = await update({ object: record === undefined ? object : seen?.object(), record: seen });
        return { ...output, object: await this.#toStorage(output.object) };
      },
      options,
    );
    return this.#view(written);
  }

  count(key: string, options?: { readonly signal?: AbortSignal }): Promise<number> {
    return this.#stored.count(key, options);
  }
  currentRevision(options?: { readonly signal?: AbortSignal }): Promise<number> {
    return this.#stored.currentRevision(options);
  }
  compactedRevision(): number {
    return this.#stored.compactedRevision?.() ?? 0;
  }
  requestWatchProgress(): Promise<void> {
    return this.#stored.requestWatchProgress();
  }
  readinessCheck(): Promise<void> {
    return this.#stored.readinessCheck();
  }
  /** The stored objects are shared with the other views: whoever made them closes them. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** What has to be selected here; undefined where the stored objects tell as well. */
  #ownSelection(predicate: SelectionPredicate | undefined): SelectionPredicate | undefined {
    if (
      predicate === undefined ||
      predicate.empty ||
      this.#options.schemas.size < 2 ||
      this.#options.converter === noneConverter
    )
      return undefined;
    const nameOnly =
      predicate.label.empty && predicate.field.requirements.every(({ field }) => field.startsWith('metadata.'));
    return nameOnly ? undefined : predicate;
  }

  /** Reads on until a page is full: a page of stored objects may have few that are selected, or none. */
  async #selectedList(key: string, options: ListOptions, predicate: SelectionPredicate): Promise<ListResult> {
    const { limit = 0 } = options;
    const items: ObjectRecord[] = [];
    let page = await this.#stored.getList(key, { ...options, predicate: anyObject });
    const { resourceVersion } = page;
    for (;;) {
      append(
        items,
        (await this.#viewAll(page.items)).filter((record) => selects(predicate, record)),
      );
      if (page.continue === '' || items.length >= limit) return { items, resourceVersion, continue: page.continue };
      page = await this.#stored.getList(key, {
        ...options,
        predicate: anyObject,
        resourceVersion: '',
        resourceVersionMatch: '',
        limit: limit - items.length,
        continue: page.continue,
      });
    }
  }

  #viewEvent(event: ObjectEvent): ObjectEvent | Promise<ObjectEvent> {
    const record = this.#viewShared(event.record);
    if (record instanceof Promise) return record.then((converted) => ({ type: event.type, record: converted }));
    return record === event.record ? event : { type: event.type, record };
  }

  /** A change as those see it who selected the object before it, after it, or both. */
  async #selectedEvent(event: ObjectEvent, predicate: SelectionPredicate): Promise<ObjectEvent | undefined> {
    const record = await this.#viewShared(event.record);
    const is = selects(predicate, record);
    if (event.type !== 'MODIFIED' || event.previous === undefined) return is ? { type: event.type, record } : undefined;
    const before = await this.#viewShared(event.previous);
    const was = selects(predicate, before);
    if (is) return { type: was ? 'MODIFIED' : 'ADDED', record };
    return was ? { type: 'DELETED', record: this.#revised(before, record.revision) } : undefined;
  }

  /** The same object under the revision of the change that took it away. */
  #revised(record: ObjectRecord, revision: number): ObjectRecord {
    const object = record.object();
    const revised = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    return new JSONRecord(record.key, revision, {
      json: encodeCustom(revised),
      attributes: record.attributes,
      parse: parseCustom,
    });
  }

  #isOwn(record: ObjectRecord): boolean {
    return recordVersion(record.attributes) === this.#apiVersion;
  }

  #view(record: ObjectRecord): ObjectRecord | Promise<ObjectRecord> {
    if (this.#isOwn(record)) return record;
    const converted = this.#options.converter.convert([record.object()], this.#apiVersion);
    return converted instanceof Promise
      ? converted.then(([object]) => this.#recordOf(record, object))
      : this.#recordOf(record, converted[0]);
  }

  /** What is stored, as this version has it. @throws StorageError CorruptObject with the feature gate */
  async #readView(record: ObjectRecord): Promise<ObjectRecord> {
    const { unreadable } = this.#options;
    if (unreadable === undefined) return this.#view(record);
    try {
      return await this.#view(record);
    } catch (error) {
      throw undecodable(unreadable, record, error);
    }
  }

  /** The same for what many readers see: converted once. */
  #viewShared(record: ObjectRecord): ObjectRecord | Promise<ObjectRecord> {
    if (this.#isOwn(record)) return record;
    const known = this.#converted.get(record);
    if (known !== undefined) return known;
    const view = this.#view(record);
    if (view instanceof Promise) return view.then((converted) => this.#remember(record, converted));
    return this.#remember(record, view);
  }

  /** What is not known yet is converted together; the argument itself when nothing has to be. */
  #viewAll(records: readonly ObjectRecord[]): readonly ObjectRecord[] | Promise<readonly ObjectRecord[]> {
    const foreign = records.filter((record) => !this.#isOwn(record) && !this.#converted.has(record));
    const seen = (): readonly ObjectRecord[] =>
      records.map((record) => (this.#isOwn(record) ? record : (this.#converted.get(record) ?? record)));
    if (foreign.length === 0) return records.every((record) => this.#isOwn(record)) ? records : Promise.resolve(seen());
    const remember = (objects: readonly KubeObject[]): readonly ObjectRecord[] => {
      foreign.forEach((record, i) => {
        this.#remember(record, this.#recordOf(record, objects[i]));
      });
      return seen();
    };
    const converted = this.#options.converter.convert(
      foreign.map((record) => record.object()),
      this.#apiVersion,
    );
    return converted instanceof Promise ? converted.then(remember) : Promise.resolve(remember(converted));
  }

  #remember(record: ObjectRecord, converted: ObjectRecord): ObjectRecord {
    this.#converted.set(record, converted);
    return converted;
  }

  #recordOf(record: ObjectRecord, object: KubeObject = {}): ObjectRecord {
    this.#options.schemas.get(this.#apiVersion)?.coerce(object, { stored: true });
    const attributes = this.#options.attributesOf(object);
    return new JSONRecord(record.key, record.revision, { json: encodeCustom(object), attributes, parse: parseCustom });
  }

  async #toStorage(object: KubeObject): Promise<KubeObject> {
    const { converter, schemas, storageVersion } = this.#options;
    if (object.apiVersion === storageVersion) {
      const schema = schemas.get(storageVersion);
      if (schema?.merged.has(object) === true) schema.coerceMerged(object);
      return object;
    }
    schemas.get(this.#apiVersion)?.refuseMalformed(object);
    const { metadata, ...rest } = object;
    const [converted = object] = await converter.convert(
      [{ ...rest, ...(metadata === undefined ? {} : { metadata: { ...metadata } }) }],
      storageVersion,
    );
    // Conversion with strategy None gives shared parts back, which pruning must not change.
    const own = structuredClone(converted);
    schemas.get(storageVersion)?.coerce(own, { stored: true });
    return own;
  }
}
