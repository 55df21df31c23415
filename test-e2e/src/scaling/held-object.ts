import { setImmediate } from 'node:timers/promises';
import type { GroupResource, KubeObject } from '@kubechain/apimachinery';
import type { ResourceCodec, RESTOptions, RESTOptionsGetter } from '@kubechain/shared-storage';
import { KeyValue } from '@kubechain/shared-storage/etcd';
import type { RangeRequest, RangeResponse } from '@kubechain/shared-storage/etcd';
import { MemoryEtcd, MemoryStorage } from '@kubechain/shared-storage/testing';

const heldRevision = 2;

/** Answers as an etcd that has one object does, a turn of the loop later: what is done behind is a piece of its own. */
class HeldObjectEtcd extends MemoryEtcd {
  held: KeyValue | undefined;

  override async range({ key, rangeEnd }: RangeRequest): Promise<RangeResponse> {
    await setImmediate();
    const { held } = this;
    const isAsked =
      held !== undefined && (rangeEnd === undefined ? key === held.key : key <= held.key && held.key < rangeEnd);
    const kvs = isAsked ? [held] : [];
    return { revision: heldRevision, kvs, more: false, count: kvs.length };
  }
}

/** Stores of which one at a time holds one object, which nothing changes: for reads, and for writes that are dry runs. */
export class HeldObject implements RESTOptionsGetter {
  readonly #etcd = new HeldObjectEtcd();
  readonly #codecs = new Map<string, ResourceCodec>();

  getRESTOptions({ group, resource }: GroupResource): RESTOptions {
    return {
      decorator: ({ codec }) => {
        this.#codecs.set(`${group}/${resource}`, codec);
        return new MemoryStorage(codec, { etcd: this.#etcd });
      },
      resourcePrefix: `/${resource}`,
      keyRoot: `/registry/${resource}`,
      enableGarbageCollection: true,
      deleteCollectionWorkers: 1,
    };
  }

  /** An object as it is stored. */
  encoded({ group, resource }: GroupResource, object: KubeObject): KeyValue {
    const { name = '', namespace = '' } = object.metadata ?? {};
    const codec = this.#codecs.get(`${group}/${resource}`);
    if (codec === undefined) throw new TypeError(`${resource}.${group} is not stored`);
    return Object.assign(new KeyValue(), {
      key: `/registry/${resource}${namespace === '' ? '' : `/${namespace}`}/${name}`,
      createRevision: heldRevision,
      modRevision: heldRevision,
      version: 1,
      value: Buffer.from(codec.encode(object)),
    });
  }

  /** In place of the one before. */
  hold(object: KeyValue): void {
    this.#etcd.held = object;
  }
}
