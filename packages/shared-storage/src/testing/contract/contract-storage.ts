import type { EtcdClient } from '../../etcd-client/etcd-client.ts';
import type { ResourceCodec, StorageInterface } from '../../storage/interfaces.ts';
import type { ValueTransformer } from '../../value/transformer.ts';
import { pod, podCodec } from './pods.ts';
import type { PodFields } from './pods.ts';
import type { ObjectRecord } from '../../storage/interfaces.ts';
import { WatchRecorder } from './watch-recorder.ts';
import type { WatchOptions, Watch } from '../../storage/interfaces.ts';

/** What a storage under test is to be made of. */
export interface ContractSetup {
  readonly codec: ResourceCodec;
  /** Full key root, different in each test. */
  readonly keyRoot: string;
  readonly transformer: ValueTransformer | undefined;
}

/** A storage under test. */
export interface ContractStorage {
  readonly storage: StorageInterface;
  /** The same store from below: raw bytes, compaction, writes by others. */
  readonly client: EtcdClient;
  /** Closes the storage, and the client if it was made for this test. */
  close(): Promise<void>;
}

/** Makes a storage; called for every test. */
export type NewStorage = (setup: ContractSetup) => Promise<ContractStorage>;

/** Where implementations may differ. */
export interface ContractTraits {
  /**
   * Served from a cache: a limit may be ignored at resourceVersion 0, and an object that cannot be decoded makes all
   * unavailable.
   */
  readonly cached?: boolean;
}

let keyRoots = 0;

/** One test's storage and shorthands. */
export class Contract {
  readonly storage: StorageInterface;
  readonly client: EtcdClient;
  readonly keyRoot: string;
  readonly #close: () => Promise<void>;

  constructor(opened: ContractStorage, keyRoot: string) {
    this.storage = opened.storage;
    this.client = opened.client;
    this.keyRoot = keyRoot;
    this.#close = () => opened.close();
  }

  static async open(newStorage: NewStorage, transformer?: ValueTransformer): Promise<Contract> {
    const keyRoot = `/registry/contract-${process.pid}-${Date.now()}-${++keyRoots}/pods`;
    return new Contract(await newStorage({ codec: podCodec, keyRoot, transformer }), keyRoot);
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** Key of all objects, or of those of a namespace. */
  prefix(namespace = ''): string {
    return namespace === '' ? `${this.keyRoot}/` : `${this.keyRoot}/${namespace}/`;
  }

  key(name: string, namespace = 'ns'): string {
    return `${this.keyRoot}/${namespace}/${name}`;
  }

  create(name: string, fields: PodFields = {}): Promise<ObjectRecord> {
    return this.storage.create(this.key(name, fields.namespace ?? 'ns'), pod(name, fields));
  }

  /** Replaces labels and node name. */
  update(name: string, fields: PodFields): Promise<ObjectRecord> {
    return this.storage.guaranteedUpdate(this.key(name, fields.namespace ?? 'ns'), ({ object }) => ({
      object: { ...object, ...pod(name, { uid: object?.metadata?.uid ?? '', ...fields }) },
    }));
  }

  async watch(
    options: WatchOptions & { readonly key?: string; readonly capacity?: number },
  ): Promise<{ readonly watch: Watch; readonly events: WatchRecorder }> {
    const events = new WatchRecorder(options.capacity ?? Infinity);
    const watch = await this.storage.watch(options.key ?? this.prefix(), options, events);
    return { watch, events };
  }

  /** Moves the store's revision on without touching the objects. */
  async otherWrite(): Promise<number> {
    const { revision } = await this.client.put({ key: `${this.keyRoot}-elsewhere`, value: Buffer.from('x') });
    return revision;
  }
}
